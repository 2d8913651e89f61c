/** What monitors and operators see: /healthz, request ids, and one log line per request. */
import { describe, expect, it } from "vitest";
import { migrationFiles } from "../../tools/migrate.ts";
import { idOf } from "../support/cast.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const newest = migrationFiles()
	.at(-1)
	?.name.replace(/\.sql$/, "");
const healthy = {
	status: "ok",
	database: "ok",
	receipts: "ok",
	schema: newest,
	emailDelaySeconds: 0,
};
/** Waits longer than a check's result is cached. */
const healthCacheExpires = () => new Promise((resolve) => setTimeout(resolve, 1100));

type Line = Record<string, unknown> & { requestId: string };
const linesOf = (path: string): Line[] =>
	fleet.lines
		.filter((line) => line.startsWith('{"requestId"'))
		.map((line) => JSON.parse(line) as Line)
		.filter((line) => line.path === path);
/** The log line of a request, which may be written shortly after its response ends. */
async function lineOf(path: string, requestId: string | null): Promise<Line> {
	for (let tries = 0; tries < 200; tries++) {
		const line = linesOf(path).find((each) => each.requestId === requestId);
		if (line) return line;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`no line for ${path}`);
}

describe("/healthz", () => {
	it("says without a session which parts work, and which migration is the newest", async () => {
		const answer = await fleet.client().get("/healthz");
		expect([answer.status, JSON.parse(answer.text)]).toEqual([200, healthy]);
		expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
		expect(answer.headers.get("Cache-Control")).toContain("no-store");
		expect((await fleet.client().request("/healthz", { method: "HEAD" })).status).toBe(200);
		expect((await fleet.client().post("/healthz", {})).status).toBe(405);
	});

	it("is 503 in the same shape while the database is broken", async () => {
		await healthCacheExpires();
		await fleet.sql("alter table mails rename to hidden");
		const answer = await fleet.client().get("/healthz", { mayFail: true });
		await fleet.sql("alter table hidden rename to mails");
		expect([answer.status, JSON.parse(answer.text)]).toEqual([
			503,
			{
				status: "failing",
				database: "failing",
				receipts: "ok",
				schema: null,
				emailDelaySeconds: null,
			},
		]);
		await healthCacheExpires();
		expect((await fleet.client().get("/healthz")).status).toBe(200);
	});

	it("asks the database once for many monitors", async () => {
		await healthCacheExpires();
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => fleet.client().get("/healthz")),
		);
		for (const answer of answers) expect(JSON.parse(answer.text)).toEqual(healthy);
	});
});

describe("every answer", () => {
	it.each([
		["a page", "/", 200],
		["a missing page", "/nowhere", 404],
		["a call", "/api/auth/user", 401],
		["a static route", "/manifest.webmanifest", 200],
		["a refusal before Remix", "/mileage.data", 404],
	])("of %s has its request id, as in the log", async (_, path, status) => {
		const answer = await fleet.client().get(path);
		expect(answer.status).toBe(status);
		const id = answer.headers.get("X-Request-Id");
		expect(id).toMatch(/^[0-9a-f-]{36}$/);
		expect(await lineOf(path, id)).toMatchObject({
			status,
			bytes: answer.bytes,
		});
		expect(linesOf(path).filter(({ requestId }) => requestId === id)).toHaveLength(1);
	});

	it("is logged at its end, with its cost and size", async () => {
		await fleet.sql(
			`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n (i) as (select 1 union all select i + 1 from n where i < 40000)
			select printf('60000000-0000-4000-8000-%012d', i), ?, '2026-01-01', 100000 + i * 2, 100001 + i * 2, 'seed', i, 'x' from n`,
			idOf("dana"),
		);
		const ada = await fleet.as("ada");
		const answer = await ada.get("/api/mileage");
		expect(answer.status).toBe(200);
		const line = await lineOf("/api/mileage", answer.headers.get("X-Request-Id"));
		expect(line.bytes).toBe(Buffer.byteLength(answer.text));
		// The rows are read page by page after the first byte was sent.
		expect((line.d1 as { rows: number }).rows).toBeGreaterThanOrEqual(40_000);
		expect((line.d1 as { trips: number }).trips).toBeGreaterThan(2);
	});
});

describe("a browser's report of a policy violation", () => {
	const report = (blockedURL: string) => [
		{
			type: "csp-violation",
			body: {
				documentURL: `${fleet.origin}/mileage?notes=private`,
				effectiveDirective: "script-src-elem",
				blockedURL,
			},
		},
	];
	const send = (
		body: unknown,
		{ type = "application/reports+json", headers = {} as Record<string, string> } = {},
		to = fleet,
	) =>
		to.worker.dispatchFetch(`${to.origin}/api/csp-reports`, {
			method: "POST",
			headers: { "Content-Type": type, ...headers },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
	const reported = (by = fleet) => by.lines.filter((line) => line.includes('"csp":'));

	it("is one line without the page's query, and answers 204 to whoever has no session", async () => {
		const before = reported().length;
		const answer = await send(report("https://evil.example/x.js?card=4111"));
		expect([answer.status, await answer.text()]).toEqual([204, ""]);
		expect(answer.headers.getSetCookie()).toEqual([]);
		await expect.poll(() => reported().length).toBe(before + 1);
		expect(JSON.parse(reported()[before] ?? "")).toEqual({
			level: "warn",
			requestId: answer.headers.get("X-Request-Id"),
			csp: { directive: "script-src-elem", blocked: "https://evil.example", path: "/mileage" },
		});
		const old = { "document-uri": `${fleet.origin}/`, "violated-directive": "img-src 'self'" };
		const second = await send({ "csp-report": old }, { type: "application/csp-report" });
		expect(second.status).toBe(204);
		await expect.poll(() => reported().length).toBe(before + 2);
	});

	it("is refused when it is too large, of the wrong type, malformed or from another site", async () => {
		const before = reported().length;
		const ours = report("inline");
		const answers = [
			await send(`${JSON.stringify(ours)}${" ".repeat(16 * 1024)}`),
			await send(ours, { type: "application/json" }),
			await send("csp-report=1", { type: "application/x-www-form-urlencoded" }),
			await send("nonsense"),
			await send(ours, { headers: { "Sec-Fetch-Site": "cross-site" } }),
			await send(ours, { headers: { "Sec-Fetch-Site": "same-site" } }),
			await send(ours, { headers: { Origin: "https://evil.example" } }),
			await fleet.client().get("/api/csp-reports"),
		];
		expect(answers.map(({ status }) => status)).toEqual([413, 415, 415, 400, 403, 403, 403, 405]);
		expect(reported()).toHaveLength(before);
	});

	it("is logged at most twenty times a minute per isolate, and costs the database nothing", async () => {
		const busy = await openFleet();
		const sendOne = () => send(report("eval"), {}, busy);
		const statements = busy.statements.length;
		for (let round = 0; round < 30; round++) expect((await sendOne()).status).toBe(204);
		const last = (await sendOne()).headers.get("X-Request-Id");
		await expect.poll(() => busy.lines.some((line) => line.includes(`${last}`))).toBe(true);
		// A new minute may begin during the test.
		expect(reported(busy).length).toBeGreaterThanOrEqual(20);
		expect(reported(busy).length).toBeLessThan(40);
		expect(busy.statements).toHaveLength(statements);
	});
});
