/** What a monitor and an operator see: /healthz, the request's id, one log line for each request. */
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
/** Longer than checks are shared. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1100));

type Line = Record<string, unknown> & { requestId: string };
const linesOf = (path: string): Line[] =>
	fleet.lines
		.filter((line) => line.startsWith('{"requestId"'))
		.map((line) => JSON.parse(line) as Line)
		.filter((line) => line.path === path);
/** The newest line of a path, which may come a little after the answer's last byte. */
async function lineOf(path: string, requestId: string | null): Promise<Line> {
	for (let tries = 0; tries < 200; tries++) {
		const line = linesOf(path).find((each) => each.requestId === requestId);
		if (line) return line;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`no line for ${path}`);
}

describe("/healthz", () => {
	it("says without a session what answers, and which migration is the newest", async () => {
		const answer = await fleet.client().get("/healthz");
		expect([answer.status, JSON.parse(answer.text)]).toEqual([200, healthy]);
		expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
		expect(answer.headers.get("Cache-Control")).toContain("no-store");
		expect((await fleet.client().request("/healthz", { method: "HEAD" })).status).toBe(200);
		expect((await fleet.client().post("/healthz", {})).status).toBe(405);
	});

	it("is 503 in the same shape while the database is broken", async () => {
		await aMoment();
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
		await aMoment();
		expect((await fleet.client().get("/healthz")).status).toBe(200);
	});

	it("asks the database once for many monitors", async () => {
		await aMoment();
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
	])("of %s names its request, as the log does", async (_, path, status) => {
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

	it("is logged when it is over, with all it cost and how long it was", async () => {
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
		// Read page by page after the first byte was sent.
		expect((line.d1 as { rows: number }).rows).toBeGreaterThanOrEqual(40_000);
		expect((line.d1 as { trips: number }).trips).toBeGreaterThan(2);
	});
});
