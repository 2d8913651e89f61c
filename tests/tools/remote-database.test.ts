/**
 * The remote database, against a stand-in for Cloudflare's API that runs the statements in a real
 * D1.
 */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { changeRole } from "../../app/domain/people/commands/change-role.server.ts";
import { endSessions } from "../../app/domain/people/commands/end-sessions.server.ts";
import { inviteAdmin } from "../../app/domain/people/commands/invite-admin.server.ts";
import { liveSessions } from "../../app/domain/people/live-sessions.server.ts";
import { freePort } from "../../tools/free-port.ts";
import { migrate } from "../../tools/migrate.ts";
import { remoteDatabase } from "../../tools/remote-database.ts";
import { currentTime } from "../support/clock.ts";
import { type D1Api, failing, startD1Api, TOKEN } from "../support/d1-api.ts";

const HOUR = 3_600_000;
const NASTY = "Robert'); drop table users; --";
let api: D1Api;
beforeAll(async () => {
	api = await startD1Api();
	await migrate(api.db);
	await api.db.batch([api.db.prepare("create table notes (id integer, text text) strict")]);
});
afterEach(() => {
	expect(api.mishaps.splice(0)).toEqual([]);
	api.asked.length = 0;
	api.bound = (value) => value;
});
afterAll(() => api.close());

const remote = (patience = { answer: 20_000, pause: 10 }, access = {}) =>
	remoteDatabase({ url: api.url, token: TOKEN, ...access }, patience);

async function ask(db: D1Database, sql: string, ...values: unknown[]) {
	const [answer] = await db.batch([db.prepare(sql).bind(...values)]);
	return answer?.results;
}

/** The one line with which a query is refused. */
async function refusalOf(db: D1Database): Promise<string> {
	const error: unknown = await ask(db, "select 1").catch((reason: unknown) => reason);
	if (!(error instanceof Error)) throw new Error("nothing was refused");
	expect(error.message).not.toContain("\n");
	expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain(TOKEN);
	return error.message;
}

const notes = () => ask(api.db, "select text from notes order by id");

describe("a remote database", () => {
	it("runs the operator's commands with the same answers as a binding", async () => {
		const db = remote();
		const now = currentTime();
		const operator = { role: "operator" as const, db: new Database(db), now };
		const email = "far@example.com";
		expect(
			await inviteAdmin(operator, { email, firstName: NASTY, lastName: "O'Far ?" }),
		).toMatchObject({
			ok: true,
			value: {
				isRenewed: false,
				user: {
					role: "admin",
					firstName: NASTY,
					lastName: "O'Far ?",
					isActive: true,
					inviteExpiresAt: now + 72 * HOUR,
				},
			},
		});
		expect(await changeRole(operator, email, "none")).toMatchObject({
			ok: false,
			reason: "last-admin",
		});
		expect(await endSessions(operator, email)).toEqual({ ok: true, value: 0 });
		expect(await liveSessions(operator)).toEqual({ ok: true, value: [] });
		const events = await ask(
			api.db,
			"select action, actor_role from audit_events where at = ?",
			now,
		);
		expect(events).toEqual([{ action: "admin.create", actor_role: "command line" }]);
	});

	it("sends the token, and binds every value", async () => {
		const db = remote();
		await ask(db, "insert into notes values (?, ?)", 1, NASTY);
		expect(await notes()).toEqual([{ text: NASTY }]);
		expect(await ask(db, "select ? as said", NASTY)).toEqual([{ said: NASTY }]);
		expect(new Set(api.asked.map(({ token }) => token))).toEqual(new Set([`Bearer ${TOKEN}`]));
		for (const { sql } of api.asked.flatMap(({ batch }) => batch))
			expect(sql).not.toContain("Robert");
		await ask(api.db, "delete from notes");
	});

	it("passes SQLite the same values as a binding", async () => {
		const db = remote();
		const value = fc.oneof(
			fc.string({ unit: "grapheme" }),
			fc.integer(),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.boolean(),
			fc.constant(null),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
				const columns = values.map(
					(_, place) => `?${place + 1} as c${place}, typeof(?${place + 1}) as t${place}`,
				);
				const query = `select ${columns.join(", ")}`;
				expect(await ask(db, query, ...values)).toEqual(await ask(api.db, query, ...values));
			}),
			{ numRuns: 100 },
		);
	});

	it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, "\ud800", {}, new Uint8Array(1)])(
		"refuses to send %s",
		async (value) => {
			await expect(ask(remote(), "select ?", value)).rejects.toThrow(
				/^Only text, numbers, booleans and null can be sent\.$/,
			);
			expect(api.asked).toEqual([]);
		},
	);

	it("runs nothing when the API turns numbers into text", async () => {
		api.bound = (value) => (value === null ? null : String(value));
		const db = remote();
		await expect(ask(db, "insert into notes values (?, ?)", 1, "lost")).rejects.toThrow(
			/^Cloudflare's API turned numbers into text\./,
		);
		expect(api.asked).toHaveLength(1);
		expect(await notes()).toEqual([]);
	});

	it("checks the types only once", async () => {
		const db = remote();
		for (let each = 0; each < 3; each++) await ask(db, "select 1");
		expect(api.asked).toHaveLength(4);
	});
});

describe("a refusal", () => {
	it("of one statement rolls the whole batch back, and is not retried", async () => {
		const db = remote();
		const batch = db.batch([
			db.prepare("insert into notes values (1, 'half')"),
			db.prepare("select * from nowhere"),
		]);
		await expect(batch).rejects.toThrow(
			/^Cloudflare returned 400: no such table: nowhere.* \(7500\)\.$/,
		);
		expect(await notes()).toEqual([]);
		expect(api.asked).toHaveLength(2);
	});

	it("of the token says what to check", async () => {
		expect(await refusalOf(remote(undefined, { token: "another" }))).toBe(
			"Cloudflare returned 401: Authentication error (10000). Check that CLOUDFLARE_API_TOKEN is valid and can edit D1 in this account.",
		);
	});

	it("never shows the token, even when the API repeats it", async () => {
		api.mishaps.push(
			failing(400, [
				{ code: 6111, message: `Invalid format: ${TOKEN}` },
				{ message: "Really,\nreally" },
			]),
		);
		expect(await refusalOf(remote())).toBe(
			"Cloudflare returned 400: Invalid format: [token] (6111); Really, really.",
		);
	});

	it("of an unknown database says what to check", async () => {
		const url = api.url.replace("1111", "9999");
		expect(await refusalOf(remote(undefined, { url }))).toMatch(
			/^Cloudflare returned 404: .* Check the account ID and database_id/,
		);
	});

	it("names the status when the answer is not the API's", async () => {
		const page = "<html>a proxy</html>";
		api.mishaps.push((response) =>
			response.writeHead(200, { "Content-Type": "text/html" }).end(page),
		);
		expect(await refusalOf(remote())).toBe("Cloudflare returned 200: no reason given.");
		const bare = JSON.stringify({ success: false, errors: [{ message: "Bare" }] });
		api.mishaps.push((response) => response.writeHead(400).end(bare));
		expect(await refusalOf(remote())).toBe("Cloudflare returned 400: Bare.");
		const none = JSON.stringify({ success: true, errors: [], messages: [], result: [] });
		api.mishaps.push((response) => response.end(none));
		expect(await refusalOf(remote())).toBe(
			"Cloudflare's answer doesn't match the 1 statements sent.",
		);
	});

	it("is a redirect, which would send the statements elsewhere", async () => {
		api.mishaps.push((response) => response.writeHead(307, { Location: api.url }).end());
		expect(await refusalOf(remote())).toMatch(
			/^http:\/\/127\.0\.0\.1:\d+ can't be reached: .*redirect/,
		);
		expect(api.asked).toHaveLength(1);
	});

	it("names the address when nobody listens there", async () => {
		const origin = `http://127.0.0.1:${await freePort()}`;
		expect(await refusalOf(remote(undefined, { url: `${origin}/query` }))).toBe(
			`${origin} can't be reached: ECONNREFUSED.`,
		);
	});
});

describe("a busy or slow API", () => {
	it("is given the time that a 429 asks for", async () => {
		const db = remote();
		await ask(db, "select 1");
		// More often than it is asked after other failures.
		for (let times = 0; times < 4; times++)
			api.mishaps.push(
				failing(429, [{ code: 971, message: "Please wait" }], { "Retry-After": "0.25" }),
			);
		const started = performance.now();
		await ask(db, "insert into notes values (?, ?)", 2, "patient");
		expect(performance.now() - started).toBeGreaterThan(990);
		expect(await notes()).toEqual([{ text: "patient" }]);
		await ask(api.db, "delete from notes");
	});

	it("is asked again after a 5xx", async () => {
		api.mishaps.push(failing(500, [{ code: 7501, message: "internal error" }]));
		api.mishaps.push((response) =>
			response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>"),
		);
		expect(await ask(remote(), "select 1 as one")).toEqual([{ one: 1 }]);
	});

	it("is asked again after a connection that broke, before its answer or in the middle", async () => {
		const db = remote();
		await ask(db, "select 1");
		api.mishaps.push((response) => response.destroy());
		api.mishaps.push((response) => {
			response.writeHead(200).write('{"success":');
			setTimeout(() => response.destroy(), 20);
		});
		expect(await ask(db, "select 2 as two")).toEqual([{ two: 2 }]);
	});

	it("is asked three times at most", async () => {
		const busy = failing(429, [{ code: 971, message: "Please wait" }]);
		api.mishaps.push(busy, busy, busy);
		expect(await refusalOf(remote())).toMatch(
			/^Cloudflare returned 429: Please wait \(971\)\. Too many requests/,
		);
		const down = failing(503, []);
		api.mishaps.push(down, down, down);
		expect(await refusalOf(remote())).toBe("Cloudflare returned 503: no reason given.");
		expect(api.asked).toHaveLength(6);
	});

	it("is given up on when its response is late, completely or in part", async () => {
		const words =
			/^Cloudflare didn't respond within 0\.2 seconds\. .* running the command again is safe\.$/;
		const hasty = () => remote({ answer: 200, pause: 10 });
		api.mishaps.push(() => undefined);
		expect(await refusalOf(hasty())).toMatch(words);
		api.mishaps.push((response) => response.writeHead(200).write('{"success":'));
		expect(await refusalOf(hasty())).toMatch(words);
	});
});
