/** What is left of a pseudonymized driver, and what isn't. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agreementOf, chargeOf } from "../../../tests/support/agreements.ts";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { findRemains } from "../../../tests/support/remains.ts";
import { insertReceipt, insertRequest } from "../../../tests/support/requests.ts";
import {
	insertWholePerson,
	MARK,
	markedText,
	wholeFiles,
} from "../../../tests/support/whole-person.ts";
import { Database } from "../../db/client.server.ts";
import { makeAgreement } from "../agreements/commands/make.server.ts";
import { compareTotals } from "../analytics/compare.server.ts";
import { keepStandings } from "../analytics/keep-standings.server.ts";
import { checkSeals, sealAudit } from "../audit/seal.server.ts";
import { addCharge } from "../charges/commands/add.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { voidMileageAsAdmin } from "../mileage/commands/void-as-admin.server.ts";
import { isBalanced, selectBalances } from "../payouts/books.server.ts";
import { renameDriver } from "../people/commands/rename.server.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { writeAboutWeek } from "../settlements/commands/message.server.ts";
import { rememberDrivers } from "../statements/commands/remember-drivers.server.ts";
import { selectDriversByCode } from "../statements/comparison.server.ts";
import { addFee } from "../uber-fees/commands/add.server.ts";
import { dailySweep } from "../upkeep/sweep.server.ts";
import { eraseAuditTexts } from "./commands/erase-audit.server.ts";
import { pseudonymizeDriver } from "./commands/pseudonymize.server.ts";

const NOW = currentTime();
const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
const IVAN = idOf("ivan");
const bench = await openDatabase("everyone", NOW);
const db = new Database(bench.batches);
const archive = new Database(bench.archive);
const store = await openFileStore();
const system = (now: number) => ({ role: "system", db, now }) as const;
const pseudonymize = async () => pseudonymizeDriver(await bench.admin("ada"), IVAN, "DRV-0004", 7);

/** Erases the audit's texts, which have to be sealed first. */
async function eraseAudit() {
	for (let run = 0; run < 3; run++) await eraseAuditTexts(system(NOW), archive);
}

const left = () => findRemains(bench.rows, MARK);

let day = 0;
/** Seals everything, as one night's runs do. */
async function sealAll() {
	day += 1;
	for (let minute = 0; minute < 30; minute++)
		if (await sealAudit(system(NOW + day * DAY + minute * 60_000), ZONE)) return;
	expect.unreachable("the sealing doesn't end");
}

/** Every figure, date and state of theirs and of the fleet, and everything of everyone else. */
async function figures() {
	const of = (query: string, ...values: unknown[]) => bench.rows(query, ...values);
	return {
		totals: await of("select * from block_totals order by 1, 2, 3"),
		unpaid: await of("select * from payout_totals order by 1"),
		payouts: await of("select * from payouts order by 1"),
		lines: await of("select * from payout_requests order by 1, 2"),
		paidWeeks: await of("select * from payout_settlements order by 1, 2"),
		trips: await of(
			`select id, driver_id, driven_on, miles, start_miles, voided_at, voided_by, created_at from mileage_logs order by 1`,
		),
		requests: await of(
			`select id, number, driver_id, type, amount_cents, approved_amount_cents, status, decided_at, decided_by,
				payout_id, created_at, requested_on from fund_requests order by 1`,
		),
		fees: await of(
			"select id, driver_id, category, amount_cents, is_credit, charged_on, deleted_at from uber_fees order by 1",
		),
		money: await of(
			"select driver_id, is_live, counts_to, proof, fare_cents, cash_cents from statement_money order by 1, 2",
		),
		agreements: await of(
			"select id, driver_id, number, starts_on, fares_basis_points, weekly_rent_cents from agreements order by 1",
		),
		charges: await of(
			"select id, driver_id, kind, charged_on, amount_cents, instalments, voided_at from charges order by 1",
		),
		settlements: await of("select * from settlements order by 1"),
		settledLines: await of("select * from settlement_lines order by 1, 2"),
		audit: await of(
			"select id, at, actor_id, actor_role, action, entity, entity_id from audit_events where action not in ('driver.pseudonymize', 'audit.erase') order by 1",
		),
		others: {
			people: await of("select * from users where id <> ? order by 1", IVAN),
			trips: await of("select * from mileage_logs where driver_id <> ? order by 1", IVAN),
			requests: await of("select * from fund_requests where driver_id <> ? order by 1", IVAN),
			messages: await of("select * from request_messages where request_id like '%000000900'"),
			receipts: await of("select * from receipts where owner_id <> ? order by 1", IVAN),
			lines: await of("select * from statement_lines where line_key like 'bolt:%' order by 1, 2"),
		},
	};
}

beforeAll(async () => {
	await insertWholePerson(bench.rows, "ivan", { since: NOW - 9 * YEAR, first: 500 });
	await bench.rows("update users set deactivated_at = ? where id = ?", NOW - 8 * YEAR, IVAN);
	const receipt = await insertReceipt(bench.rows, 900, "dana");
	await insertRequest(bench.rows, 900, "dana", { receipt_id: receipt, description: "Oil" });
	await bench.rows(
		`insert into request_messages (id, request_id, position, author_id, author_role, text, source, created_at, payload_hash)
		values ('theirs', '30000000-0000-4000-8000-000000000900', 1, ?, 'admin', 'Which car?', 'form', 1, 'x')`,
		idOf("ada"),
	);
	// Once matched with Ivan by mistake, and with Dana since.
	for (const [id, name, removedAt] of [
		["mistake", "ivan", NOW],
		["match", "dana", null],
	] as const)
		await bench.rows(
			`insert into platform_drivers (id, driver_id, platform, platform_id, name, added_by, created_at, removed_at)
			values (?, ?, 'bolt', 'dana-there', '', ?, 1, ?)`,
			id,
			idOf(name),
			idOf("ada"),
			removedAt,
		);
	await bench.rows(
		"insert into statement_lines (import_id, line_key, is_live) values ('import', 'bolt:dana-there:commission:2026-09-14:2026-09-20', 1)",
	);
	for (const [key, bytes] of wholeFiles) await store.put(key, bytes);
	await keepStandings(system(NOW), ZONE);
	await sealAll();
});

describe("a pseudonymized driver", () => {
	let before: Awaited<ReturnType<typeof figures>>;
	let had: string[];
	beforeEach(async () => {
		before = await figures();
		had = Object.keys(await left()).sort();
		const outcome = await pseudonymize();
		expect(outcome).toMatchObject({
			ok: true,
			value: { firstName: "Former driver", lastName: "DRV-0004", email: null },
		});
		// Late in the day, the next minute's run recalculates them in tomorrow's standings.
		await keepStandings(system(NOW), ZONE);
	});

	it("had text in every table that can store any, and leaves none outside the audit", async () => {
		expect(had).toEqual(
			[
				...[
					"agreements",
					"api_tokens",
					"audit_events",
					"bounces",
					"charges",
					"fund_requests",
					"identities",
					"mails",
					"mileage_logs",
				],
				...["notices", "person_names", "platform_drivers", "receipts", "request_messages"],
				...[
					"sessions",
					"settlement_messages",
					"standings",
					"statement_lines",
					"statement_money",
					"uber_fees",
					"users",
				],
			].sort(),
		);
		// The keys of files, until the next sweep.
		await bench.rows("delete from loose_objects");
		expect(Object.keys(await left())).toEqual(["audit_events"]);
		expect(await bench.rows("pragma foreign_key_check")).toEqual([]);
	});

	it("leaves the audit intact while its texts are replaced by their digests", async () => {
		await bench.rows(
			`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id, after)
			values (?, ?, 'admin', 'driver.rename', 'user', ?, ?)`,
			NOW,
			idOf("ada"),
			IVAN,
			JSON.stringify({ lastName: markedText("late") }),
		);
		// The keys of files, until the next sweep.
		await bench.rows("delete from loose_objects");
		// The export needs entries with the salts they were sealed with.
		await bench.rows("insert into daily_tasks (name, cursor) values ('export', '{}')");
		expect(await eraseAuditTexts(system(NOW), archive)).toBeUndefined();
		await bench.rows("delete from daily_tasks where name = 'export'");
		// Unsealed entries wait for their seal.
		expect(await eraseAuditTexts(system(NOW), archive)).toMatchObject({ finished: 0 });
		expect(await left()).toEqual({ audit_events: 1 });
		expect((await checkSeals(db)).kind).toBe("sound");
		await sealAll();
		expect(await eraseAuditTexts(system(NOW), archive)).toEqual({ entries: 1, finished: 1 });
		expect(await left()).toEqual({});
		await sealAll();
		expect((await checkSeals(db)).kind).toBe("sound");
		expect(await eraseAuditTexts(system(NOW), archive)).toBeUndefined();
	});

	it("keeps figures in the audit, and loses every entry with text", async () => {
		await eraseAudit();
		const texts = await bench.rows<{ action: string; before: string; after: string; salt: string }>(
			`select action, before, after, salt from audit_events left join audit_salts on event_id = id
			where action in ('mileage.log', 'mileage.void') and at < ? order by id`,
			NOW - YEAR,
		);
		expect(texts).toEqual([
			expect.objectContaining({
				action: "mileage.log",
				after: expect.stringContaining('"end":41'),
				salt: expect.any(String),
			}),
			expect.objectContaining({
				action: "mileage.void",
				after: expect.stringContaining('{"erased":"'),
				salt: null,
			}),
		]);
	});

	it("changes no figure, total or payout, and nothing of anyone else's", async () => {
		await eraseAudit();
		const { audit, others, ...after } = await figures();
		const { audit: entries, others: theirs, ...were } = before;
		expect(after).toEqual(were);
		expect(others).toEqual(theirs);
		expect(audit.filter((each) => entries.some(({ id }) => id === each.id))).toEqual(entries);
		expect((await compareTotals(db)).wrong).toEqual([]);
		const { page } = await db.batch({ page: selectBalances(db.build, "", 50) });
		expect(page.every(isBalanced)).toBe(true);
	});

	it("is found by the new name, and not by the old one", async () => {
		const names = await bench.rows<{ name: string }>(
			"select name from person_names where user_id = ?",
			IVAN,
		);
		expect(names.some(({ name }) => name.startsWith("former driver"))).toBe(true);
		expect(names.some(({ name }) => name.startsWith("@"))).toBe(false);
		expect(await bench.rows("select * from sessions where user_id = ?", IVAN)).toEqual([]);
		expect(await bench.rows("select issuer from identities where user_id = ?", IVAN)).toEqual([
			{ issuer: "removed" },
		]);
	});

	it("is audited once, without saying who it was", async () => {
		await eraseAudit();
		const entries = await bench.rows(
			"select action, actor_id, before, after, reason from audit_events where action in ('driver.pseudonymize', 'audit.erase') order by id",
		);
		expect(entries).toEqual([
			{
				action: "driver.pseudonymize",
				actor_id: idOf("ada"),
				before: null,
				after: null,
				reason: null,
			},
			{ action: "audit.erase", actor_id: null, before: null, after: "{}", reason: null },
		]);
	});

	it("stays so: it can't be repeated, renamed or undone", async () => {
		const admin = await bench.admin("ada");
		expect(await pseudonymize()).toMatchObject({ reason: "pseudonymized" });
		const named = await renameDriver(admin, IVAN, { firstName: "Ivan", lastName: "Again" });
		expect(named).toMatchObject({ reason: "pseudonymized" });
		expect(await setDriverActive(admin, IVAN, true)).toMatchObject({ reason: "pseudonymized" });
	});

	it("gets no new texts: nothing is reopened, voided, answered, added or matched", async () => {
		const admin = await bench.admin("ada");
		const counts = () => bench.rows("select count(*) as n from audit_events");
		const counted = await counts();
		const [request] = await bench.rows<{ id: string }>(
			"select id from fund_requests where driver_id = ? and status = 'rejected'",
			IVAN,
		);
		const [trip] = await bench.rows<{ id: string }>(
			"select id from mileage_logs where driver_id = ? and voided_at is null",
			IVAN,
		);
		const id = request?.id ?? "";
		await bench.rows("update fund_requests set decided_at = ? where id = ?", NOW, id);
		expect(await undoDecision(admin, id)).toMatchObject({ reason: "not-to-undo" });
		for (const note of [undefined, "Ivan called"])
			expect(await reopenRequest(admin, id, note)).toMatchObject({ reason: "pseudonymized" });
		expect(
			await voidMileageAsAdmin(admin, { id: trip?.id ?? "", reason: "Ivan called" }),
		).toMatchObject({ reason: "pseudonymized" });
		const charge = chargeOf(IVAN, { note: "Ivan's bumper" });
		expect(await addCharge(admin, charge)).toMatchObject({ reason: "no-such-driver" });
		const fee = { driverId: IVAN, category: "other", amount: 100, date: charge.date } as const;
		const described = { ...fee, description: "Ivan's", referenceNumber: undefined, key: undefined };
		expect(await addFee(admin, { ...described, replacesId: undefined })).toMatchObject({
			reason: "no-such-driver",
		});
		const agreement = agreementOf(IVAN);
		expect(await makeAgreement(admin, agreement)).toMatchObject({ reason: "no-such-driver" });
		const match = { platformId: "ivan-there", name: "Ivan", driverId: IVAN };
		expect(await rememberDrivers(admin, "uber", [match])).toMatchObject({
			reason: "no-such-driver",
		});
		const { byCode } = await db.batch({ byCode: selectDriversByCode(db.build, [4]) });
		expect(byCode).toEqual([]);
		const [week] = await bench.rows<{ id: string }>(
			"select id from settlements where driver_id = ? and question is not null",
			IVAN,
		);
		const answer = { text: "Ivan, it's right", key: undefined };
		expect(await writeAboutWeek(admin, week?.id ?? "", answer, "json")).toMatchObject({
			reason: "pseudonymized",
		});
		expect(await counts()).toEqual(counted);
	});

	it("has no file left after the next sweep, even a new one and if the store fails first", async () => {
		const later = NOW + DAY;
		const failing = new Proxy(store, {
			get: (target, name) =>
				name === "delete"
					? () => Promise.reject(new Error("R2 is down"))
					: Reflect.get(target, name).bind(target),
		});
		await expect(dailySweep(system(later), failing, ZONE)).rejects.toThrow("R2 is down");
		expect((await store.list()).objects).toHaveLength(wholeFiles.size);
		await store.put("r/of-somebody-else", "x");
		await dailySweep(system(later + 16 * 60_000), store, ZONE);
		expect((await store.list()).objects.map(({ key }) => key)).toEqual(["r/of-somebody-else"]);
		expect(await bench.rows("select object_key from loose_objects")).toEqual([]);
	});
});

describe("the database", () => {
	it("refuses to replace texts of the audit unless someone is being pseudonymized", async () => {
		const digest = JSON.stringify({ erased: "0".repeat(64) });
		const query = "update audit_events set after = ? where after is not null";
		await expect(bench.rows(query, digest)).rejects.toThrow("append-only");
	});

	it("refuses any other change of the audit meanwhile", async () => {
		await pseudonymize();
		await bench.rows("update users set audit_erased_at = null where id = ?", IVAN);
		for (const change of [
			"at = at + 1",
			"actor_id = null",
			"after = '{}'",
			"after = null",
			`after = '{"erased":"${"g".repeat(64)}"}'`,
			`reason = '{"erased":"${"0".repeat(64)}"}'`,
		])
			await expect(
				bench.rows(`update audit_events set ${change} where after is not null and reason is null`),
				change,
			).rejects.toThrow("append-only");
	});

	it("keeps everyone else's messages unchangeable", async () => {
		await pseudonymize();
		const change = "update request_messages set text = 'Removed', payload_hash = 'removed' where";
		await expect(bench.rows(`${change} id = 'theirs'`)).rejects.toThrow("a message is final");
		await expect(
			bench.rows("update request_messages set text = 'x' where id = '500-message-0'"),
		).rejects.toThrow("a message is final");
	});
});
