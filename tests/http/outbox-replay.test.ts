/**
 * Entries sent by a phone's outbox: stored once, for their owner, with both timestamps, and flagged
 * instead of questioned.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../app/values/calendar-date.ts";
import { PDF } from "../receipts/other-files.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart, type SentFile } from "../support/forms.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const today = daysAgo(0);
const HOUR = 3_600_000;

let dana: Client;
let omar: Client;
beforeAll(async () => {
	dana = await fleet.as("dana");
	omar = await fleet.as("omar");
});

let counted = 0;
const newKey = () => `10000000-0000-4000-8000-${String(++counted).padStart(12, "0")}`;
let reading = 300_000;
function trip(more: Record<string, string> = {}): Record<string, string> {
	reading += 20;
	const [startOdometer, endOdometer] = [String(reading), String(reading + 10)];
	return {
		key: newKey(),
		asUser: idOf("dana"),
		date: addDays(today, -1),
		startOdometer,
		endOdometer,
		notes: "",
		...more,
	};
}
const request = (more: Record<string, string> = {}): Record<string, string> => ({
	key: newKey(),
	asUser: idOf("dana"),
	type: "gas",
	amount: "45.50",
	description: `Fuel ${++counted}`,
	...more,
});

async function replay(
	client: Client,
	form: "mileage" | "requests",
	fields: Record<string, string>,
	ago = 0,
	file?: SentFile,
): Promise<Answer> {
	const sent = await multipart(fields, file);
	return client.request(`/api/outbox/${form}`, {
		...sent,
		headers: { ...sent.headers, "Captured-Ago": String(ago) },
	});
}
const bodyOf = ({ text }: Answer) =>
	JSON.parse(text) as { received?: boolean; words?: string; message?: string; reason?: string };
const stored = (key: string | undefined, table = "mileage_logs") =>
	fleet.sql<{
		source: string;
		created_at: number;
		captured_at: number | null;
		receipt_id?: string | null;
	}>(`select * from ${table} where submission_key = ?`, key ?? "");
const snapshot = async () => [
	await fleet.sql("select * from mileage_logs order by id"),
	await fleet.sql("select * from fund_requests order by id"),
	await fleet.sql("select * from receipts order by id"),
	await fleet.sql("select * from audit_events order by id"),
];

describe("an entry from a phone's outbox", () => {
	it("is stored with the times it was saved and received, and the driver sees both", async () => {
		const fields = trip();
		const answer = await replay(dana, "mileage", fields, 26 * HOUR);
		expect(answer.status).toBe(200);
		expect(bodyOf(answer)).toMatchObject({ received: true });
		const [row] = await stored(fields.key);
		expect(row?.source).toBe("outbox");
		expect((row?.created_at ?? 0) - (row?.captured_at ?? 0)).toBe(26 * HOUR);
		expect((await dana.get("/mileage")).text).toMatch(
			/Saved [A-Z][a-z]{2} \d+, \d{4} at [^<]+, received [A-Z][a-z]{2} \d+, \d{4} at /,
		);
		const listed = JSON.parse((await dana.call("GET", "/api/mileage?limit=500")).text) as {
			endOdometer: number;
			capturedAt: string | null;
		}[];
		expect(
			listed.find(({ endOdometer }) => String(endOdometer) === fields.endOdometer)?.capturedAt,
		).toBe(new Date(row?.captured_at ?? 0).toISOString());
	});

	it("shows an administrator both times of a request", async () => {
		const fields = request();
		expect(
			(await replay(dana, "requests", fields, 5 * HOUR, { bytes: PDF, name: "pump.pdf" })).status,
		).toBe(200);
		const [row] = await stored(fields.key, "fund_requests");
		expect(row).toMatchObject({ source: "outbox", receipt_id: expect.any(String) });
		expect((row?.created_at ?? 0) - (row?.captured_at ?? 0)).toBe(5 * HOUR);
		expect((await dana.get("/requests")).text).toContain("Saved ");
		const [{ id } = { id: "" }] = await fleet.sql<{ id: string }>(
			"select id from fund_requests where submission_key = ?",
			fields.key,
		);
		expect(
			(await (await fleet.as("ada")).get(`/fund-requests?dialog=timeline&id=${id}`)).text,
		).toMatch(/Saved [^<]+, received /);
	});

	it("ignores an impossible time of saving", async () => {
		for (const ago of [-1, Number.NaN, 9e15]) {
			const fields = trip();
			expect((await replay(dana, "mileage", fields, ago)).status).toBe(200);
			expect((await stored(fields.key))[0]).toMatchObject({ source: "outbox", captured_at: null });
		}
	});

	it("returns the same record when it is sent again, by the outbox or the form", async () => {
		const fields = trip();
		const first = await replay(dana, "mileage", fields);
		const again = await replay(dana, "mileage", fields);
		expect(again.status).toBe(200);
		expect(bodyOf(again).words).toBe(`Already received: ${bodyOf(first).words}`);
		expect(bodyOf(again).words).toMatch(
			/^Already received: [A-Z][a-z]{2} \d+, \d{4}, 10 miles, \d{1,2}:\d\d [AP]M$/,
		);
		expect((await dana.post("/mileage", fields)).status).toBe(303);
		expect((await dana.get("/mileage")).text).toContain(bodyOf(again).words);
		expect(await stored(fields.key)).toHaveLength(1);

		const money = request();
		expect((await dana.post("/requests", money)).status).toBe(303);
		const replayed = await replay(dana, "requests", money);
		expect(bodyOf(replayed).words).toMatch(/^Already received: FR-\d{6}, \d{1,2}:\d\d [AP]M$/);
		expect(await stored(money.key, "fund_requests")).toMatchObject([
			{ source: "form", captured_at: null },
		]);
	});

	it("adds the file that couldn't be stored with the form's first attempt", async () => {
		const fields = request();
		expect((await dana.post("/requests", fields)).status).toBe(303);
		expect(
			(await replay(dana, "requests", fields, 0, { bytes: PDF, name: "pump.pdf" })).status,
		).toBe(200);
		expect(await stored(fields.key, "fund_requests")).toMatchObject([
			{ receipt_id: expect.any(String) },
		]);
	});

	it("is stored without a file that isn't a receipt, and says so", async () => {
		const fields = request();
		const answer = await replay(dana, "requests", fields, 0, {
			bytes: new TextEncoder().encode("<svg/>"),
			name: "logo.svg",
		});
		expect(answer.status).toBe(200);
		expect(bodyOf(answer).words).toContain("The receipt wasn't saved:");
		expect(await stored(fields.key, "fund_requests")).toMatchObject([{ receipt_id: null }]);
	});

	it("is stored and flagged, never questioned, when it is a likely mistake", async () => {
		const short = trip({ startOdometer: "300000", endOdometer: "300010" });
		expect((await replay(dana, "mileage", short)).status).toBe(200);
		const long = trip({ startOdometer: "298000", endOdometer: "300025" });
		expect((await replay(dana, "mileage", long)).status).toBe(200);
		expect(await stored(long.key)).toMatchObject([{ is_overlap: 1, is_long: 1 }]);
		const once = request();
		const twice = { ...once, key: newKey() };
		expect((await replay(dana, "requests", once)).status).toBe(200);
		expect((await replay(dana, "requests", twice)).status).toBe(200);
		expect(await stored(twice.key, "fund_requests")).toMatchObject([{ is_possible_duplicate: 1 }]);
	});

	it("is refused with a message when it can't be stored", async () => {
		const wrong = trip({ startOdometer: "500", endOdometer: "400" });
		const answer = await replay(dana, "mileage", wrong);
		expect(answer.status).toBe(400);
		expect(bodyOf(answer).message).toBe("Ending odometer must be greater than starting odometer");
		const fields = trip();
		expect((await replay(dana, "mileage", fields)).status).toBe(200);
		const other = await replay(dana, "mileage", { ...fields, notes: "Changed" });
		expect(other.status).toBe(409);
		expect(bodyOf(other).message).toContain("already submitted this form with different values");
		const same = await replay(dana, "mileage", { ...fields, key: newKey() });
		expect(same.status).toBe(409);
		expect(bodyOf(same).message).toBe("This trip is already logged");
		const { key: _, ...keyless } = trip();
		expect((await replay(dana, "mileage", keyless)).status).toBe(400);
		const { asUser: __, ...ownerless } = request();
		expect((await replay(dana, "requests", ownerless)).status).toBe(400);
	});
});

describe("another person's session", () => {
	it.each(["mileage", "requests"] as const)(
		"is refused the outbox's %s before anything is written",
		async (form) => {
			const before = await snapshot();
			const fields = form === "mileage" ? trip() : request();
			const answer = await replay(
				omar,
				form,
				fields,
				0,
				form === "requests" ? { bytes: PDF, name: "pump.pdf" } : undefined,
			);
			expect(answer.status).toBe(409);
			expect(bodyOf(answer)).toMatchObject({ reason: "other-account" });
			expect(await snapshot()).toEqual(before);
		},
	);

	it.each(["/mileage", "/requests"])(
		"is refused a form of %s that was filled in under the first, without showing what was typed",
		async (path) => {
			const before = await snapshot();
			const page = await dana.get(path);
			const { fields } = formWith(
				page.text,
				path === "/mileage" ? "Log Mileage" : "Submit Request",
			);
			expect(fields.asUser).toBe(idOf("dana"));
			const typed = {
				...fields,
				...(path === "/mileage"
					? trip({ notes: "Typed by Dana" })
					: request({ description: "Typed by Dana" })),
			};
			const answer = await omar.post(path, typed);
			expect(answer.status).toBe(409);
			expect(answer.text).toContain("filled out under a different account");
			expect(answer.text).not.toContain("Typed by Dana");
			expect(await snapshot()).toEqual(before);
		},
	);
});

describe("a form with its owner or key repeated", () => {
	const repeated = (fields: Record<string, string>, name: string, value: string | File) => {
		const form = new FormData();
		for (const [each, text] of Object.entries(fields)) form.append(each, text);
		form.append(name, value);
		return form;
	};
	const whole = async (form: FormData) => {
		const sent = new Response(form);
		const headers = { "Content-Type": sent.headers.get("Content-Type") ?? "" };
		return { method: "POST", headers, body: new Uint8Array(await sent.arrayBuffer()) };
	};
	const file = new File(["x"], "x.txt", { type: "text/plain" });
	const without = (name: string) =>
		Object.fromEntries(Object.entries(trip()).filter(([each]) => each !== name));
	const cases: [
		what: string,
		fields: () => Record<string, string>,
		name: string,
		value: string | File,
	][] = [
		["its own account twice", trip, "asUser", idOf("dana")],
		["its own account, then another's", trip, "asUser", idOf("omar")],
		[
			"another's account, then its own",
			() => trip({ asUser: idOf("omar") }),
			"asUser",
			idOf("dana"),
		],
		["an account and an empty one", trip, "asUser", ""],
		["an account as a file", () => without("asUser"), "asUser", file],
		["its key twice", trip, "key", "another-key"],
		["a key as a file", () => without("key"), "key", file],
	];

	it.each(cases)(
		"%s: is refused from pages and the outbox, and nothing is stored",
		async (_what, fieldsOf, name, value) => {
			const before = await snapshot();
			const fields = fieldsOf();
			for (const path of ["/mileage", "/requests", "/api/outbox/mileage", "/api/outbox/requests"]) {
				const typed = path.endsWith("requests") ? { ...request(), ...fields } : fields;
				const answer = await dana.request(path, await whole(repeated(typed, name, value)));
				expect(answer.status, path).toBe(400);
				expect(answer.text, path).toContain(`The field ${name} must be sent once, as text.`);
				if (path.startsWith("/api")) expect(bodyOf(answer)).not.toHaveProperty("kind");
			}
			expect(await snapshot()).toEqual(before);
		},
	);

	it.each(["void", "withdraw", "add-receipt"])("is refused in a row's %s form", async (intent) => {
		const before = await snapshot();
		const fields = { intent, id: "0".repeat(32), asUser: idOf("dana") };
		const answer = await dana.request(
			intent === "void" ? "/mileage" : "/requests",
			await whole(repeated(fields, "asUser", idOf("omar"))),
		);
		expect(answer.status).toBe(400);
		expect(await snapshot()).toEqual(before);
	});
});

describe("a form forwarded by a service worker", () => {
	it("gets an answer the service worker can read, including its toast", async () => {
		const answer = await dana.post("/mileage", trip(), { headers: { Outbox: "live" } });
		expect(answer.status).toBe(200);
		expect(JSON.parse(answer.text)).toEqual({
			received: true,
			location: expect.stringMatching(/^\/mileage#log-/),
		});
		expect((await dana.get("/mileage")).text).toContain("Mileage log created successfully");
	});

	it("is questioned on its screen like any form", async () => {
		const answer = await dana.post("/mileage", trip({ startOdometer: "1", endOdometer: "2000" }), {
			headers: { Outbox: "live" },
		});
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("unusually long for one trip");
	});
});
