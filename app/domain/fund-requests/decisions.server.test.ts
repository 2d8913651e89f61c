import { beforeEach, describe, expect, it } from "vitest";
import { type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import type { AdminContext } from "../kernel/context.ts";
import type { Decisions } from "./commands/decision.server.ts";
import { processRequests } from "./commands/process.server.ts";
import { undoDecision } from "./commands/undo.server.ts";
import { findRequest, findRequests, selectTimeline } from "./queries.server.ts";
import { selectRecentlyDecided } from "./review.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const MINUTE = 60_000;
const bench = await openDatabase("everyone", NOON);
const APPROVE = { status: "approved", adminNotes: undefined } as const;
const REJECT = { status: "rejected", adminNotes: "No receipt" } as const;

let made = 0;
/** Someone's pending request, by default 12.50 for gas. */
async function request(
	name: CastName = "dana",
	more: Record<string, string | number | null> = {},
): Promise<string> {
	made += 1;
	const id = `30000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
	const row = {
		id,
		number: made,
		driver_id: idOf(name),
		type: "gas",
		amount_cents: 123_450,
		description: "Fuel",
		status: "pending",
		source: "form",
		created_at: NOON - made * MINUTE,
		requested_on: dateIn(ZONE, NOON - made * MINUTE),
		payload_hash: "x",
		...more,
	};
	await bench.rows(
		`insert into fund_requests (${Object.keys(row).join(", ")}) values (${Object.keys(row)
			.map(() => "?")
			.join(", ")})`,
		...Object.values(row),
	);
	return id;
}

const stored = async (id: string) =>
	(
		await bench.rows<{
			status: string;
			admin_notes: string | null;
			decided_at: number | null;
			decided_by: string | null;
		}>("select status, admin_notes, decided_at, decided_by from fund_requests where id = ?", id)
	)[0];
const audited = (id: string) =>
	bench.rows<{ action: string; actor_id: string; before: string; after: string }>(
		"select action, actor_id, before, after from audit_events where entity = 'fund-request' and entity_id = ? order by id",
		id,
	);
const mailsOf = (id: string) =>
	bench.rows<{
		kind: string;
		address: string;
		subject: string;
		body: string;
		status: string;
		send_after: number;
	}>(
		"select kind, address, subject, body, status, send_after from mails where about_id = ? order by rowid",
		id,
	);
const resultsOf = ({ decisions }: Decisions) =>
	Object.fromEntries(decisions.map(({ request: { id }, result }) => [id, result]));

beforeEach(async () => {
	await bench.rows("delete from mails");
});

describe("processRequests", () => {
	it("approves one: its row, its audit row, and a mail that waits ten minutes", async () => {
		const id = await request();
		const answer = await processRequests(await bench.admin("ada"), [id], {
			status: "approved",
			adminNotes: "Keep the receipt",
		});
		expect(answer).toMatchObject({
			unknown: [],
			decisions: [
				{
					result: "decided",
					decider: { firstName: "Ada", lastName: "Admin" },
					driver: { firstName: "Dana", driverNumber: 1 },
				},
			],
		});
		expect(await stored(id)).toEqual({
			status: "approved",
			admin_notes: "Keep the receipt",
			decided_at: NOON,
			decided_by: idOf("ada"),
		});
		expect(await audited(id)).toEqual([
			{
				action: "request.approve",
				actor_id: idOf("ada"),
				before: '{"status":"pending"}',
				after: '{"status":"approved","approvedAmountCents":123450,"adminNotes":"Keep the receipt"}',
			},
		]);
		expect(await mailsOf(id)).toEqual([
			{
				kind: "request-decided",
				address: "dana@milepost.test",
				subject: `Your request FR-${String(made).padStart(6, "0")} was approved`,
				body: `Your request FR-${String(made).padStart(6, "0")} for $1,234.50 was approved by Ada Admin.\n\nFuel\n\nNote: Keep the receipt\n\nYou'll get another email when it's paid.`,
				status: "queued",
				send_after: NOON + 10 * MINUTE,
			},
		]);
	});

	it("rejects one; without a note the mail has none", async () => {
		const id = await request();
		await processRequests(await bench.admin("ben"), [id], {
			status: "rejected",
			adminNotes: undefined,
		});
		expect(await stored(id)).toEqual({
			status: "rejected",
			admin_notes: null,
			decided_at: NOON,
			decided_by: idOf("ben"),
		});
		expect(await mailsOf(id)).toMatchObject([
			{
				body: expect.stringMatching(/was rejected by Ben Backup\.\n\nFuel\n\nIt won't be paid\.$/),
			},
		]);
		expect((await audited(id)).map(({ action }) => action)).toEqual(["request.reject"]);
	});

	it("returns a result for each request of a bulk, and changes only those it decided", async () => {
		const open = [await request(), await request("omar")];
		const lost = await request("lena");
		const own = await request("ada");
		const withdrawn = await request("dana", { status: "withdrawn", withdrawn_at: NOON - MINUTE });
		const left = await request();
		await processRequests(await bench.admin("ben", NOON - 5 * MINUTE), [lost], REJECT);
		const nobody = "30000000-0000-4000-8000-999999999999";
		const answer = await processRequests(
			await bench.admin("ada"),
			[...open, lost, own, withdrawn, nobody],
			APPROVE,
		);
		expect(resultsOf(answer)).toEqual({
			[open[0] ?? ""]: "decided",
			[open[1] ?? ""]: "decided",
			[lost]: "lost",
			[own]: "own",
			[withdrawn]: "lost",
		});
		expect(answer.unknown).toEqual([nobody]);
		expect(answer.decisions.find(({ request: { id } }) => id === lost)).toMatchObject({
			decider: { firstName: "Ben", lastName: "Backup" },
			request: { status: "rejected", decidedAt: NOON - 5 * MINUTE, adminNotes: "No receipt" },
		});
		for (const id of open)
			expect([
				(await stored(id))?.status,
				(await audited(id)).length,
				(await mailsOf(id)).length,
			]).toEqual(["approved", 1, 1]);
		expect([
			(await stored(lost))?.status,
			(await audited(lost)).length,
			(await mailsOf(lost)).length,
		]).toEqual(["rejected", 1, 1]);
		for (const [id, status] of [
			[own, "pending"],
			[withdrawn, "withdrawn"],
			[left, "pending"],
		] as const)
			expect(
				[(await stored(id))?.status, (await audited(id)).length, (await mailsOf(id)).length],
				id,
			).toEqual([status, 0, 0]);
	});

	it("refuses an administrator who was deactivated or lost the role after the guard", async () => {
		const id = await request();
		const admin = await bench.admin("ben");
		for (const [change, back] of [
			["is_active = 0", "is_active = 1"],
			["role = 'none'", "role = 'admin'"],
		]) {
			await bench.rows(`update users set ${change} where id = ?`, idOf("ben"));
			await expect(processRequests(admin, [id], APPROVE)).rejects.toThrow(AccessLost);
			await bench.rows(`update users set ${back} where id = ?`, idOf("ben"));
		}
		expect(await stored(id)).toMatchObject({ status: "pending" });
		expect(await audited(id)).toEqual([]);
	});

	it("takes 500 at once and refuses 501", async () => {
		const ids = Array.from(
			{ length: 500 },
			(_, position) => `40000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
		);
		expect((await processRequests(await bench.admin("ada"), ids, APPROVE)).unknown).toHaveLength(
			500,
		);
		await expect(processRequests(await bench.admin("ada"), [...ids, "x"], APPROVE)).rejects.toThrow(
			RangeError,
		);
	});
});

describe("undoDecision", () => {
	it("makes the request pending again without sending its mail; a new decision is mailed again", async () => {
		const id = await request();
		await processRequests(await bench.admin("ada"), [id], REJECT);
		const outcome = await undoDecision(await bench.admin("ada", NOON + 9 * MINUTE), id);
		expect(outcome).toMatchObject({
			ok: true,
			value: { request: { status: "pending" }, decider: null },
		});
		expect(await stored(id)).toEqual({
			status: "pending",
			admin_notes: null,
			decided_at: null,
			decided_by: null,
		});
		expect((await mailsOf(id)).map(({ status }) => status)).toEqual(["cancelled"]);
		await processRequests(await bench.admin("ben", NOON + 9 * MINUTE), [id], APPROVE);
		expect((await mailsOf(id)).map(({ status, send_after }) => [status, send_after])).toEqual([
			["cancelled", NOON + 10 * MINUTE],
			["queued", NOON + 19 * MINUTE],
		]);
		expect(
			(await audited(id)).map(({ action, actor_id, before, after }) => [
				action,
				actor_id,
				before,
				after,
			]),
		).toEqual([
			[
				"request.reject",
				idOf("ada"),
				'{"status":"pending"}',
				'{"status":"rejected","adminNotes":"No receipt"}',
			],
			[
				"request.undo",
				idOf("ada"),
				'{"status":"rejected","approvedAmountCents":null}',
				'{"status":"pending","approvedAmountCents":null}',
			],
			[
				"request.approve",
				idOf("ben"),
				'{"status":"pending"}',
				'{"status":"approved","approvedAmountCents":123450,"adminNotes":null}',
			],
		]);
	});

	it.each([
		["after ten minutes", "ada", 10 * MINUTE],
		["by another administrator", "ben", MINUTE],
	] as const)("is refused %s, and changes nothing", async (_, who, later) => {
		const id = await request();
		await processRequests(await bench.admin("ada"), [id], APPROVE);
		expect(await undoDecision(await bench.admin(who, NOON + later), id)).toMatchObject({
			ok: false,
			reason: "not-to-undo",
		});
		expect((await stored(id))?.status).toBe("approved");
		expect(await audited(id)).toHaveLength(1);
		expect((await mailsOf(id)).map(({ status }) => status)).toEqual(["queued"]);
	});

	it("works to the last millisecond of the ten minutes", async () => {
		const id = await request();
		await processRequests(await bench.admin("ada"), [id], APPROVE);
		expect((await undoDecision(await bench.admin("ada", NOON + 10 * MINUTE - 1), id)).ok).toBe(
			true,
		);
	});

	it("is refused for pending and withdrawn requests, and not found for an unknown one", async () => {
		const pending = await request();
		const withdrawn = await request("dana", { status: "withdrawn", withdrawn_at: NOON });
		const admin = await bench.admin("ada");
		for (const id of [pending, withdrawn])
			expect(await undoDecision(admin, id)).toMatchObject({ reason: "not-to-undo" });
		expect(await undoDecision(admin, "30000000-0000-4000-8000-999999999999")).toMatchObject({
			reason: "not-found",
		});
	});

	it("cancels the mail of that request alone", async () => {
		const [first, second] = [await request(), await request()];
		await processRequests(await bench.admin("ada"), [first, second], APPROVE);
		await undoDecision(await bench.admin("ada"), first);
		expect((await mailsOf(first)).map(({ status }) => status)).toEqual(["cancelled"]);
		expect((await mailsOf(second)).map(({ status }) => status)).toEqual(["queued"]);
	});
});

describe("a request's history", () => {
	it("has the newest 50 events, newest first, with who did them", async () => {
		const id = await request();
		for (let each = 0; each < 26; each++) {
			await processRequests(await bench.admin("ada", NOON + each), [id], APPROVE);
			await undoDecision(await bench.admin("ada", NOON + each), id);
		}
		await processRequests(await bench.admin("ben", NOON + MINUTE), [id], REJECT);
		const { db } = await bench.admin("ada");
		const { events } = await db.batch({ events: selectTimeline(db.build, id) });
		expect(events).toHaveLength(50);
		expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => b - a));
		expect(events.slice(0, 3)).toMatchObject([
			{ action: "request.reject", firstName: "Ben", lastName: "Backup", payoutNumber: null },
			{ action: "request.undo", firstName: "Ada" },
			{ action: "request.approve", at: NOON + 25 },
		]);
	});
});

const { build } = (await bench.admin("ada")).db;
describe("how the rows are found", () => {
	const planOf = async (statement: unknown) => {
		const { sql, params } = (statement as { toSQL(): { sql: string; params: unknown[] } }).toSQL();
		return (await bench.rows<{ detail: string }>(`explain query plan ${sql}`, ...params)).map(
			({ detail }) => detail,
		);
	};
	const cursor = { createdAt: NOON, id: "30000000-0000-4000-8000-000000000001" };

	it("one request and its history are searches", async () => {
		const found = findRequest(build, undefined, cursor.id);
		expect((await planOf(found)).join("\n")).not.toMatch(/TEMP B-TREE|SCAN/);
		// Its own events and those of its payouts are sorted together.
		const history = selectTimeline(build, cursor.id);
		expect((await planOf(history)).join("\n")).not.toMatch(/SCAN/);
	});

	it("no statement of a decision or an undo scans a table", async () => {
		const id = await request();
		const asked: [sql: string, values: unknown[]][] = [];
		const listening = {
			prepare: (sql: string) => ({
				bind: (...values: unknown[]) => {
					asked.push([sql, values]);
					return bench.batches.prepare(sql).bind(...values);
				},
			}),
			batch: (statements: D1PreparedStatement[]) => bench.batches.batch(statements),
		} as unknown as D1Database;
		const admin = { ...(await bench.admin("ada")), db: new Database(listening) } as AdminContext;
		await processRequests(admin, [id], APPROVE);
		await undoDecision(admin, id);
		expect(asked).toHaveLength(10);
		for (const [sql, values] of asked) {
			const plan = await bench.rows<{ detail: string }>(`explain query plan ${sql}`, ...values);
			const details = plan
				.map(({ detail }) => detail)
				// A subquery's rows were found by an index before they are counted.
				.filter((detail) => !/json_each|CONSTANT ROW|SCAN \(subquery/.test(detail));
			expect(details.join("\n"), sql).not.toContain("SCAN");
			expect(details.join("\n"), sql).toMatch(/SEARCH/);
		}
	});
});

it("counts what a bulk approval decided beyond what is listed, and reads no more than it counts", async () => {
	const ids: string[] = [];
	for (let each = 0; each < 130; each++) ids.push(await request());
	const decided = async (count: number) => {
		await processRequests(await bench.admin("ben"), ids.slice(0, count), APPROVE);
		const db = new Database(bench.d1);
		const { rows } = await db.batch({ rows: selectRecentlyDecided(idOf("ben"), NOON + MINUTE) });
		return { listed: rows.length, found: rows[0]?.found, read: db.cost.rows };
	};
	expect(await decided(30)).toEqual({ listed: 20, found: 30, read: 50 });
	expect(await decided(130)).toEqual({ listed: 20, found: 101, read: 121 });
});

describe("duplicate receipts", () => {
	it("name the first other request with the same bytes, unless it was withdrawn", async () => {
		const receipt = async (number: number, sha: string) => {
			const id = `50000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
			await bench.rows(
				"insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at) values (?, ?, ?, 'image/png', 1, ?, 'r.png', 1)",
				id,
				idOf("dana"),
				id,
				sha.repeat(64),
			);
			return { receipt_id: id };
		};
		const ids = [
			await request("dana", {
				...(await receipt(1, "a")),
				status: "withdrawn",
				withdrawn_at: NOON,
			}),
			await request("omar", await receipt(3, "a")),
			await request("lena", await receipt(2, "a")),
			await request("dana", await receipt(4, "b")),
			await request("dana"),
		];
		const { db } = await bench.admin("ada");
		const { rows } = await db.batch({ rows: findRequests(db.build, "id", ids) });
		const twinOf = (id: string | undefined) => rows.find((row) => row.request.id === id)?.twin;
		const [first, second] = [ids[1] ?? "", ids[2] ?? ""];
		expect(ids.map(twinOf)).toEqual([
			{ id: first, number: made - 3 },
			{ id: second, number: made - 2 },
			{ id: first, number: made - 3 },
			null,
			null,
		]);
	});
});
