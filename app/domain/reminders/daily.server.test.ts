/** Reminders and the weekly digest on real D1: to whom, when, and once. */
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, type CastName, idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { reminderRows } from "../../../tests/support/reminder-rows.ts";
import { insertRow, type Row } from "../../../tests/support/rows.ts";
import { Database } from "../../db/client.server.ts";
import { addDays, dateIn, startOfDay } from "../../values/calendar-date.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { dailyReminders } from "./daily.server.ts";

/** A Monday, 7:00 in New York. */
const MONDAY = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SITE = { appName: "Milepost", origin: "https://fleet.example" };
const bench = await openDatabase("everyone", MONDAY);

const run = (now: number, pageSize?: number, zone = ZONE) =>
	dailyReminders({ role: "system", db: new Database(bench.batches), now }, zone, SITE, pageSize);
const { request, trip } = reminderRows(bench, MONDAY);
/** As many runs a minute apart as a day's reminders take. */
async function runAll(now: number, pageSize?: number) {
	for (let minute = 0; ; minute++) {
		const counts = await run(now + minute * 60_000, pageSize);
		if (counts) return counts;
		if (minute > 200) throw new Error("the reminders never end");
	}
}

type Mail = { kind: string; address: string; subject: string; body: string; created_at: number };
const mails = () =>
	bench.rows<Mail>("select * from mails where kind like 'reminder-%' order by created_at, address");
const told = async () => (await mails()).map(({ kind, address }) => `${kind} ${address}`);
const choose = (chosen: Row) => (name: CastName) =>
	bench.rows(
		`update users set ${Object.entries(chosen).map(([column, value]) => `${column} = ${value}`)} where id = ?`,
		idOf(name),
	);
const setFleet = (chosen: Readonly<Record<string, boolean>>) =>
	insertRow(bench.rows, "settings", { id: "fleet", chosen: JSON.stringify(chosen) });

const [dana, omar, lena] = [CAST.dana.email, CAST.omar.email, CAST.lena.email];

beforeEach(async () => {
	for (const table of [
		"mails",
		"daily_tasks",
		"settings",
		"request_messages",
		"payout_requests",
		"fund_requests",
		"payouts",
		"mileage_logs",
	])
		await bench.rows(`delete from ${table}`);
	await bench.rows(
		"update users set remind_of_miles = null, remind_of_receipts = null, weekly_digest = null",
	);
});

describe("the weekly digest", () => {
	const digestsAt = async (now: number) => {
		await run(now);
		return (await told()).filter((each) => each.startsWith("reminder-digest"));
	};
	const both = [`reminder-digest ${CAST.ada.email}`, `reminder-digest ${CAST.ben.email}`];

	it("goes to every administrator at 7:00 on Monday, and says what is pending", async () => {
		await request("dana", MONDAY - 3 * DAY, { amount_cents: 6490 });
		await request("lena", MONDAY - HOUR, { amount_cents: 3875, is_possible_duplicate: 1 });
		await request("lena", MONDAY - 4 * DAY, {
			status: "approved",
			amount_cents: 5000,
			decided_at: 1,
			decided_by: idOf("ada"),
		});
		await trip("omar", "2026-11-15");
		await trip("omar", "2026-11-21", { is_long: 1 });
		await trip("omar", "2026-11-22", { is_long: 1 });
		await trip("omar", "2026-11-14");
		expect(await digestsAt(MONDAY - 1)).toEqual([]);
		expect(await digestsAt(MONDAY)).toEqual(both);
		const [mail] = await mails();
		expect(mail?.subject).toBe("Your week: 2 requests waiting");
		expect(mail?.body.split("\n")).toEqual([
			"Hello Ada,",
			"",
			"2 requests awaiting a decision, $103.65 total. The oldest came in on Nov 20, 2026.",
			"https://fleet.example/fund-requests?status=pending",
			"",
			"Last week, Nov 15 to Nov 21, 2026:",
			"Miles: 80",
			"Fuel: $50.00",
			"Uber fees: $0.00",
			"",
			"To look at:",
			"1 flagged trip: https://fleet.example/mileage-reports?range=custom&startDate=2026-11-15&endDate=2026-11-21#entries",
			"1 possible duplicate request: https://fleet.example/fund-requests?status=pending&flag=duplicate",
			"",
			"You get this email on Mondays. Turn it off: https://fleet.example/account",
		]);
	});

	it("goes out late on the same Monday if the task was late, and on no other day", async () => {
		await trip("omar", "2026-11-20");
		expect(await digestsAt(MONDAY - DAY)).toEqual([]);
		expect(await digestsAt(startOfDay(ZONE, dateIn(ZONE, MONDAY + DAY)) - 1)).toEqual(both);
		await bench.rows("delete from mails");
		for (let day = 1; day < 7; day++) expect(await digestsAt(MONDAY + day * DAY)).toEqual([]);
		expect(await digestsAt(MONDAY + 7 * DAY)).toEqual([]);
		await trip("omar", "2026-11-23");
		await bench.rows("delete from daily_tasks");
		expect(await digestsAt(MONDAY + 7 * DAY)).toEqual(both);
	});

	it("isn't sent when nothing is pending and nothing happened last week", async () => {
		const entries = () => bench.rows("select 1 from audit_events where entity = 'reminders'");
		const before = await entries();
		await trip("omar", "2026-11-14");
		await trip("omar", "2026-11-22");
		expect(await digestsAt(MONDAY)).toEqual([]);
		expect(await entries()).toHaveLength(before.length);
	});

	it("follows a person's own choice over the fleet's", async () => {
		await trip("omar", "2026-11-20");
		await choose({ weekly_digest: 0 })("ada");
		expect(await digestsAt(MONDAY)).toEqual(both.slice(1));
		await bench.rows("delete from mails");
		await bench.rows("delete from daily_tasks");
		await setFleet({ weeklyDigest: false });
		await choose({ weekly_digest: 1 })("ada");
		expect(await digestsAt(MONDAY)).toEqual(both.slice(0, 1));
	});

	it("goes to nobody who is deactivated or has yet to accept their invitation", async () => {
		await trip("omar", "2026-11-20");
		await bench.rows("update users set is_active = 0 where id = ?", idOf("ada"));
		await bench.rows("update users set invited_at = 1 where id = ?", idOf("ben"));
		expect(await digestsAt(MONDAY)).toEqual([]);
		await bench.rows("update users set is_active = 1, invited_at = null where role = 'admin'");
	});

	it("greets an administrator without a name too", async () => {
		await trip("omar", "2026-11-20");
		await bench.rows("update users set first_name = '', last_name = '' where id = ?", idOf("ben"));
		await run(MONDAY);
		const greetings = (await mails()).map(({ body }) => body.split("\n")[0]);
		expect(greetings).toEqual(["Hello Ada,", "Hello,"]);
		await bench.rows(
			"update users set first_name = 'Ben', last_name = 'Boss' where id = ?",
			idOf("ben"),
		);
	});

	it("comes once each Monday at 7:00 through the weeks of clock changes, in any zone", async () => {
		const weeks = [
			["America/New_York", "2026-03-08"],
			["America/New_York", "2026-11-01"],
			["Europe/Berlin", "2026-03-29"],
			["Europe/Berlin", "2026-10-25"],
			["Australia/Lord_Howe", "2026-10-04"],
			["America/Santiago", "2026-09-06"],
		] as const;
		for (const [zone, sunday] of weeks) {
			await request("dana", Date.parse("2026-01-05T12:00Z"), { receipt_name: "kept.jpg" });
			const monday = addDays(dateIn("UTC", Date.parse(sunday)), 1);
			// From Saturday to Wednesday there, every half hour.
			const first = startOfDay(zone, addDays(monday, -2));
			for (let moment = first; moment < first + 4 * DAY; moment += HOUR / 2)
				await run(moment, undefined, zone);
			const digests = await mails();
			expect(
				digests.map(({ kind }) => kind),
				zone,
			).toEqual(Array(2).fill("reminder-digest"));
			for (const { created_at } of digests) {
				const shown = new Intl.DateTimeFormat("en-CA", {
					timeZone: zone,
					dateStyle: "short",
					timeStyle: "short",
					hourCycle: "h23",
				}).format(created_at);
				expect(shown).toBe(`${monday}, 07:00`);
			}
			for (const table of ["mails", "daily_tasks", "fund_requests"])
				await bench.rows(`delete from ${table}`);
		}
	});
});

describe("a driver without miles", () => {
	it("is reminded after three working days, where the fleet wants it", async () => {
		await trip("dana", "2026-11-17");
		await trip("omar", "2026-11-18");
		await trip("lena", "2026-11-22");
		expect(await runAll(MONDAY)).toEqual({ drivers: 0, administrators: 2 });
		await bench.rows("delete from daily_tasks");
		await setFleet({ remindOfMiles: true });
		expect(await runAll(MONDAY + HOUR)).toEqual({ drivers: 1, administrators: 0 });
		const [mail] = (await mails()).filter(({ kind }) => kind === "reminder-miles");
		expect(mail).toMatchObject({
			address: dana,
			subject: "Reminder: log your miles",
			body: [
				"Hello Dana,",
				"You haven't logged any miles for the last three working days (Nov 18 to Nov 20). If you drove, log them here: https://fleet.example/mileage",
				"Don't want these reminders? Turn them off: https://fleet.example/account",
			].join("\n\n"),
		});
	});

	it("is reminded again a week later, not before, and not once they have logged a trip", async () => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		for (let day = 0; day < 6; day++) {
			if (day === 0 || day === 3) await trip("lena", "2026-11-20");
			await runAll(MONDAY + day * DAY);
			if (day === 0)
				expect(await told()).toEqual([`reminder-miles ${dana}`, `reminder-miles ${omar}`]);
			// Three working days after lena's last trip are over on Thursday.
			if (day === 4) expect(await told()).toHaveLength(3);
		}
		await trip("omar", "2026-11-30");
		await runAll(MONDAY + 6 * DAY);
		expect(await told()).toHaveLength(3);
		await runAll(MONDAY + 7 * DAY);
		expect((await told()).slice(3)).toEqual([`reminder-miles ${dana}`]);
	});

	it("is not reminded of three days off, but of two and a day that is left", async () => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		await trip("lena", "2026-11-20");
		const off = (...days: number[]) =>
			JSON.stringify(Object.fromEntries(days.map((day) => [`2026-11-${day}`, MONDAY - HOUR])));
		await choose({ days_off: `'${off(18, 19, 20)}'` })("dana");
		await choose({ days_off: `'${off(17, 18, 20)}'` })("omar");
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-miles ${omar}`]);
		await choose({ days_off: "null" })("dana");
		await choose({ days_off: "null" })("omar");
	});

	it("is not reminded while they are new, and a voided trip doesn't count", async () => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		await trip("omar", "2026-11-20", { voided_at: MONDAY, voided_by: idOf("ada") });
		const approvedAt = (at: number) =>
			bench.rows(
				"update users set approved_at = ? where id in (?, ?)",
				at,
				idOf("dana"),
				idOf("lena"),
			);
		const joined = startOfDay(ZONE, dateIn(ZONE, MONDAY - 5 * DAY));
		await approvedAt(joined);
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-miles ${omar}`]);
		await bench.rows("delete from daily_tasks");
		await approvedAt(joined - 1);
		await runAll(MONDAY);
		expect(await told()).toEqual([
			`reminder-miles ${dana}`,
			`reminder-miles ${lena}`,
			`reminder-miles ${omar}`,
		]);
	});

	it("is not reminded of days on which they had no access", async () => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		for (const name of ["dana", "lena"] as const) await trip(name, "2026-11-20");
		const switchOmar = async (now: number, isActive: boolean) =>
			expect(
				await setDriverActive(await bench.admin("ada", now), idOf("omar"), isActive),
			).toMatchObject({ ok: true });
		await switchOmar(MONDAY - 30 * DAY, false);
		await switchOmar(MONDAY - HOUR, true);
		await runAll(MONDAY);
		expect(await told()).toEqual([]);
		for (const name of ["dana", "lena"] as const) await trip(name, "2026-11-26");
		// Monday isn't over for them, so Tuesday to Thursday are the first three days.
		await runAll(MONDAY + 3 * DAY);
		expect(await told()).toEqual([]);
		await runAll(MONDAY + 4 * DAY);
		expect(await told()).toEqual([`reminder-miles ${omar}`]);
	});

	it("is reminded the next day if the reminder never left", async () => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		for (const name of ["dana", "lena"] as const) await trip(name, "2026-11-20");
		await runAll(MONDAY);
		await bench.rows("update mails set status = 'sent'");
		await runAll(MONDAY + DAY);
		expect(await told()).toHaveLength(1);
		await bench.rows("update mails set status = 'cancelled'");
		await runAll(MONDAY + 2 * DAY);
		expect(await told()).toEqual([`reminder-miles ${omar}`, `reminder-miles ${omar}`]);
	});

	it("decides for themselves, whatever the fleet has chosen", async () => {
		await choose({ remind_of_miles: 1 })("dana");
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-miles ${dana}`]);
		await bench.rows("delete from mails");
		await bench.rows("delete from daily_tasks");
		await setFleet({ remindOfMiles: true });
		await choose({ remind_of_miles: 0 })("dana");
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-miles ${lena}`, `reminder-miles ${omar}`]);
	});
});

describe("a request without a receipt", () => {
	beforeEach(async () => {
		await setFleet({ weeklyDigest: false });
	});

	it("reminds its driver after a day, while it is pending", async () => {
		await request("dana", MONDAY - DAY, { number: 7001 });
		await request("omar", MONDAY - DAY + 1);
		await request("lena", MONDAY - 2 * DAY, { receipt_name: "fuel.jpg" });
		await request("lena", MONDAY - 2 * DAY, { status: "withdrawn", withdrawn_at: 1 });
		for (const status of ["approved", "rejected"])
			await request("lena", MONDAY - 2 * DAY, { status, decided_at: 1, decided_by: idOf("ada") });
		expect(await runAll(MONDAY)).toEqual({ drivers: 1, administrators: 0 });
		expect(await mails()).toMatchObject([
			{
				kind: "reminder-receipts",
				address: dana,
				subject: "Reminder: add a receipt",
				body: [
					"Hello Dana,",
					"Your request FR-007001 has no receipt yet. Add one here: https://fleet.example/requests",
					"Don't want these reminders? Turn them off: https://fleet.example/account",
				].join("\n\n"),
			},
		]);
	});

	it("reminds once, and again after a week; another request on its own day", async () => {
		await request("dana", MONDAY - 2 * DAY, { number: 7101 });
		await runAll(MONDAY);
		await runAll(MONDAY + DAY);
		expect(await told()).toHaveLength(1);
		await request("dana", MONDAY + DAY, { number: 7102 });
		await runAll(MONDAY + 2 * DAY);
		await runAll(MONDAY + 3 * DAY);
		const all = await mails();
		expect(all).toHaveLength(2);
		expect(all[1]?.body).toContain(
			"These requests have no receipt yet: FR-007101, FR-007102. Add one",
		);
		for (let day = 4; day < 9; day++) await runAll(MONDAY + day * DAY);
		expect(await told()).toHaveLength(2);
		await runAll(MONDAY + 9 * DAY);
		expect(await told()).toHaveLength(3);
	});

	it("shares one email with others, and with missing miles", async () => {
		await choose({ remind_of_miles: 1 })("dana");
		for (let each = 1; each <= 7; each++)
			await request("dana", MONDAY - (10 - each) * DAY, { number: 7200 + each });
		expect(await runAll(MONDAY)).toEqual({ drivers: 1, administrators: 0 });
		const [mail] = await mails();
		expect(mail).toMatchObject({
			kind: "reminder-both",
			subject: "Reminder: log your miles and add a receipt",
		});
		expect(mail?.body).toContain("three working days");
		expect(mail?.body).toContain(
			"These requests have no receipt yet: FR-007201, FR-007202, FR-007203, FR-007204, FR-007205 and 2 more.",
		);
		await runAll(MONDAY + DAY);
		expect(await told()).toHaveLength(1);
	});

	it("follows a person's own choice over the fleet's", async () => {
		for (const name of ["dana", "omar"] as const) await request(name, MONDAY - 2 * DAY);
		await choose({ remind_of_receipts: 0 })("dana");
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-receipts ${omar}`]);
		await bench.rows("delete from mails");
		await bench.rows("delete from daily_tasks");
		await bench.rows("delete from settings");
		await setFleet({ weeklyDigest: false, remindOfReceipts: false });
		await choose({ remind_of_receipts: 1 })("dana");
		await runAll(MONDAY);
		expect(await told()).toEqual([`reminder-receipts ${dana}`]);
	});
});

describe("a reminder's recipient", () => {
	const states: readonly (readonly [string, Row])[] = [
		["is deactivated", { is_active: 0 }],
		["is still pending", { approval_status: "pending" }],
		["was rejected", { approval_status: "rejected" }],
		["has no name", { last_name: "" }],
		["has no proven email", { email: null, unverified_email: "dana@milepost.test" }],
		["was invited and has not come yet", { invited_at: 1 }],
		["had their invitation cancelled", { deleted_at: 1 }],
		["has lost their role", { role: "none" }],
	];
	it.each(states)("isn't someone who %s", async (_, state) => {
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
		await request("dana", MONDAY - 2 * DAY);
		const names = Object.keys(state);
		const [was] = await bench.rows<Row>(
			`select email, unverified_email, ${names} from users where id = ?`,
			idOf("dana"),
		);
		const set = (row: Row) =>
			bench.rows(
				`update users set ${Object.keys(row).map((name) => `${name} = ?`)} where id = ?`,
				...Object.values(row),
				idOf("dana"),
			);
		await set(state);
		await runAll(MONDAY);
		const seen = await told();
		await set(was ?? {});
		expect(seen.join()).not.toContain("dana");
		expect(seen).toHaveLength(2);
		await bench.rows("delete from daily_tasks");
		await runAll(MONDAY);
		expect(await told()).toContain(`reminder-both ${dana}`);
	});

	it("gets one email a day, also when their role changes in between", async () => {
		await request("dana", MONDAY - 2 * DAY);
		await runAll(MONDAY);
		await bench.rows(
			"update users set role = 'admin', driver_number = null where id = ?",
			idOf("dana"),
		);
		await bench.rows("delete from daily_tasks");
		await runAll(MONDAY + HOUR);
		await bench.rows(
			"update users set role = 'driver', driver_number = 1 where id = ?",
			idOf("dana"),
		);
		expect((await told()).filter((each) => each.includes("dana"))).toEqual([
			`reminder-receipts ${dana}`,
		]);
	});
});

describe("a large fleet", () => {
	const MANY = 50;
	const email = (each: number) => `many${each}@milepost.test`;
	const others = () =>
		bench.rows<{ address: string }>("select address from mails where address like 'many%'");

	beforeEach(async () => {
		await bench.rows("delete from users where email like 'many%'");
		for (let each = 0; each < MANY; each++)
			await insertRow(bench.rows, "users", {
				id: `b0000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
				role: "driver",
				first_name: "Many",
				last_name: "More",
				email: email(each),
				approval_status: "approved",
				created_at: 1,
				approved_at: 1,
			});
		await setFleet({ remindOfMiles: true, weeklyDigest: false });
	});

	it("is handled in bounded steps, each driver once", async () => {
		let steps = 1;
		for (; !(await run(MONDAY + steps * 60_000, 7)); steps++);
		// 60 people, 14 per run.
		expect(steps).toBe(5);
		expect(await others()).toHaveLength(MANY);
		const [entry] = await bench.rows<{ after: string; entity_id: string; actor_role: string }>(
			"select * from audit_events where entity = 'reminders' order by id desc limit 1",
		);
		expect(entry).toMatchObject({ actor_role: "system", entity_id: "2026-11-23" });
		expect(JSON.parse(entry?.after ?? "")).toEqual({ drivers: MANY + 3, administrators: 0 });
	});

	it("costs a step no more than a small one", async () => {
		const costOf = async (now: number) => {
			const db = new Database(bench.batches);
			await dailyReminders({ role: "system", db, now }, ZONE, SITE, 5);
			return db.cost.rows;
		};
		const small = await costOf(MONDAY);
		await bench.rows(`insert into users (id, role, first_name, last_name, email, approval_status, created_at, approved_at)
			with recursive n(i) as (select 0 union all select i + 1 from n where i < 1999)
			select printf('c0000000-0000-4000-8000-%012d', i), 'driver', 'Many', 'More', 'many-more' || i || '@milepost.test', 'approved', 1, 1 from n`);
		await bench.rows("delete from mails");
		await bench.rows("delete from daily_tasks");
		expect(await costOf(MONDAY)).toBe(small);
	});

	it("continues where a run was interrupted, and never sends twice, however many runs race", async () => {
		await trip("omar", "2026-11-20");
		await bench.rows("update settings set chosen = '{\"remindOfMiles\":true}'");
		const entries = async () =>
			(await bench.rows("select 1 from audit_events where entity = 'reminders'")).length;
		const before = await entries();
		for (let minute = 0; minute < 30; minute++) {
			await Promise.all(Array.from({ length: 6 }, () => run(MONDAY + minute * 60_000, 5)));
			// A run that dies after queueing leaves its claim and its cursor behind.
			if (minute === 2)
				await bench.rows("update daily_tasks set cursor = '2026-11-23 b', claimed_until = 0");
		}
		expect(await others()).toHaveLength(MANY);
		expect((await told()).filter((each) => each.startsWith("reminder-digest"))).toHaveLength(2);
		expect(await entries()).toBe(before + 1);
	});

	it("starts over the next day with what a run left undone at midnight", async () => {
		const lastMinute = startOfDay(ZONE, dateIn(ZONE, MONDAY + DAY)) - 60_000;
		expect(await run(lastMinute, 7)).toBeUndefined();
		const first = (await told()).length;
		expect(first).toBeGreaterThan(0);
		expect(await run(lastMinute + 60_000, 7)).toBeUndefined();
		expect(await told()).toHaveLength(first);
		await runAll(MONDAY + DAY, 7);
		expect(await others()).toHaveLength(MANY);
	});
});
