/**
 * Fifty oversized bodies at once, sent to a Worker with the heap that Cloudflare gives an isolate:
 * it survives, its memory stays flat, and no answer is much larger than a normal page.
 */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { costMeter } from "../../lab/measure.ts";
import { freePort } from "../../tools/free-port.ts";
import { oneIn } from "../support/extent.ts";
import { openFleet } from "../support/worker.ts";

const CONCURRENCY = 50;
const SIZE = 9 * 1024 * 1024;
const MAX_ANSWERED = 200_000;
const PATHS = [
	"/requests",
	"/mileage",
	"/uber-fees/import",
	"/api/receipts",
	"/api/outbox/requests",
	"/api/outbox/answers",
	"/api/login",
];

const fleet = await openFleet({ port: await freePort(), heapMegabytes: ISOLATE_MEGABYTES });
const megabytes = costMeter();

const BOUNDARY = "----large";
const part = (disposition: string) =>
	`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const typed = (name: string, value: string) => `${part(`name="${name}"`)}${value}\r\n`;
const TYPED =
	typed("description", "Typed before the file") +
	typed("notes", "Typed before the file") +
	typed("amount", "12.50");

/**
 * A form with typed text, then a 9 MB part of quotation marks, each of which is six bytes once
 * escaped.
 */
function formWith(disposition: string): Uint8Array {
	const [head, end] = [
		Buffer.from(TYPED + part(disposition)),
		Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
	];
	return Buffer.concat([head, Buffer.alloc(SIZE - head.length - end.length, '"'), end]);
}
const BODIES = {
	text: formWith('name="csv"'),
	file: formWith('name="receipt"; filename="large.pdf"'),
};

const cookieOf = async (name: "dana" | "ada") => `sid=${(await fleet.as(name)).cookies.get("sid")}`;
const sessions: Record<string, string> = {
	"no session": "",
	"an unknown session": `sid=${"g".repeat(43)}.d`,
	"a malformed one": "sid=garbage",
};
beforeAll(async () => {
	sessions["an ended session"] = await cookieOf("dana");
	await fleet.sql("update sessions set ended_at = 1, ended_reason = 'signed-out'");
	sessions["a driver's session"] = await cookieOf("dana");
	sessions["an administrator's session"] = await cookieOf("ada");
});

/**
 * Posts on a new connection each time, because the server may close an idle one just as it is
 * reused.
 */
async function post(path: string, body: Uint8Array, cookie: string) {
	const headers = {
		Origin: fleet.origin,
		"Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
		"Content-Length": body.byteLength,
		...(cookie ? { Cookie: cookie } : {}),
	};
	const sent = request(fleet.origin + path, { method: "POST", agent: false, headers });
	sent.end(body);
	const [answer] = (await once(sent, "response")) as [IncomingMessage];
	return { status: answer.statusCode, text: await text(answer) };
}

let largest = 0;
let unanswered = 0;
/** Megabytes that workerd holds after each round of fifty. */
const held: number[] = [];
afterAll(() =>
	console.log(
		`Large bodies: the largest answer had ${largest} bytes; ${megabytes()?.peak.toFixed(0)} MB at most; ${unanswered} posts never reached`,
	),
);

/**
 * Milliseconds after which workerd closes a connection it hasn't got to, as happens on a busy
 * machine.
 */
const PATIENCE = 15_000;

/** A post that is either answered or never reached by a busy workerd. */
async function tried(...how: Parameters<typeof post>) {
	const began = performance.now();
	try {
		return [await post(...how)];
	} catch (error) {
		if (performance.now() - began < PATIENCE) throw error;
		unanswered += 1;
		return [];
	}
}

/** Sends fifty at once, alternating text and file, or all of one kind. */
async function flood(path: string, session: string, kind?: keyof typeof BODIES) {
	const kinds = Array.from(
		{ length: CONCURRENCY },
		(_, position) => kind ?? (position % 2 ? "text" : "file"),
	);
	const answers = (
		await Promise.all(kinds.map((each) => tried(path, BODIES[each], sessions[session] ?? "")))
	).flat();
	expect(answers.length).toBeGreaterThan(0);
	for (const { status, text: html } of answers) {
		largest = Math.max(largest, Buffer.byteLength(html));
		expect(status).toBeGreaterThanOrEqual(400);
		expect(status).toBeLessThan(500);
		expect(Buffer.byteLength(html)).toBeLessThan(MAX_ANSWERED);
	}
	held.push(megabytes()?.megabytes ?? 0);
	return answers;
}

const STRANGERS = ["no session", "an unknown session", "an ended session"];
const FLOODS = oneIn(
	5,
	PATHS.flatMap((path) => STRANGERS.map((session) => [path, session] as const)),
);

it.each(FLOODS)(
	`${CONCURRENCY} simultaneous posts of 9 MB to %s with %s crash nothing and are answered briefly`,
	async (path, session) => {
		await flood(path, session);
		expect((await fleet.client().get("/")).status).toBe(200);
	},
);

it("memory doesn't grow after the first fifty", () => {
	const [first = 0, ...rest] = held;
	console.log(
		`Large bodies: ${held.map((size) => size.toFixed(0)).join(", ")} MB after each fifty`,
	);
	expect(Math.max(...rest)).toBeLessThan(first + 100);
});

describe("a form's typed text", () => {
	const kept = ["Typed before the file", "12.50", "Sign in"];

	it.each(["/requests", "/uber-fees/import"])(
		"is kept by %s when the session has ended, with a note that the file isn't",
		async (path) => {
			for (const session of ["no session", "an unknown session", "an ended session"]) {
				const { status, text: html } = await post(path, BODIES.file, sessions[session] ?? "");
				expect(status, session).toBe(401);
				for (const words of [...kept, "The file wasn&#x27;t included."])
					expect(html, session).toContain(words);
			}
		},
	);

	it("is kept when a live session sends 9 MB of text, which is refused", async () => {
		const cases = [
			["/requests", "a driver's session"],
			["/mileage", "a driver's session"],
			["/uber-fees/import", "an administrator's session"],
		] as const;
		for (const [path, session] of oneIn(3, cases, 1)) {
			for (const { status, text: html } of await flood(path, session, "text")) {
				expect(status, path).toBe(413);
				for (const words of [
					"Typed before the file",
					"12.50",
					"This form is too long",
					"Send again",
				])
					expect(html, path).toContain(words);
				if (path === "/uber-fees/import") expect(html, path).not.toContain("&quot;&quot;");
			}
		}
		for (const path of ["/api/receipts", "/api/outbox/requests"]) {
			const { status, text: json } = await post(
				path,
				BODIES.text,
				sessions["a driver's session"] ?? "",
			);
			expect([status, JSON.parse(json).message]).toEqual([
				413,
				expect.stringContaining("This form is too long"),
			]);
		}
	});

	it("isn't cut off, however much it grows when escaped", async () => {
		const all = Array.from({ length: 49 }, (_, position) =>
			typed(`f${position}`, '"'.repeat(1200)),
		).join("");
		const body = Buffer.from(`${typed("description", '"'.repeat(3000))}${all}--${BOUNDARY}--\r\n`);
		for (const [session, path, expected] of [
			["no session", "/requests", 401],
			["a driver's session", "/requests", 400],
		] as const) {
			const { status, text: html } = await post(path, body, sessions[session] ?? "");
			expect(status, path).toBe(expected);
			expect(Buffer.byteLength(html), path).toBeLessThan(MAX_ANSWERED);
			expect(
				Math.max(...(html.match(/(&quot;)+/g) ?? [""]).map((run) => run.length / 6)),
				path,
			).toBe(2000);
		}
	});
});
