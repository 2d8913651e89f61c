/** Settlements and the money of statements inserted directly into a test's database. */
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { insertAgreement, insertCharge } from "./agreements.ts";
import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { insertLog } from "./mileage.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

/** Ids that sort by their number. */
export const settlementId = (number: number) =>
	`90000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Inserts a draft made by Ada, unless given otherwise.
 * @returns its id
 */
export async function insertSettlement(
	sql: Sql,
	number: number,
	owner: CastName,
	weekFrom: string,
	more: Row = {},
): Promise<string> {
	const id = settlementId(number);
	await insertRow(sql, "settlements", {
		...{ id, number, driver_id: idOf(owner), week_from: weekFrom, status: "draft" },
		...{ created_at: currentTime(), created_by: idOf("ada") },
		...more,
	});
	return id;
}

/** The columns of a published settlement, published by Ada. */
export const published = (resultCents: number, more: Row = {}): Row => ({
	status: "published",
	...{ carried_in_cents: 0, result_cents: resultCents },
	...{ published_at: currentTime(), published_by: idOf("ada") },
	...more,
});

/** Inserts a line of a settlement. */
export const insertLine = (sql: Sql, settlement: string, place: number, cents: number, more: Row) =>
	insertRow(sql, "settlement_lines", {
		...{ settlement_id: settlement, place, kind: "charge", text: "Damage", amount_cents: cents },
		...more,
	});

/**
 * Inserts a message in a settlement's thread.
 * @returns its id
 */
export async function insertWeekMessage(
	sql: Sql,
	settlement: string,
	position: number,
	author: CastName,
	text: string,
): Promise<string> {
	const id = crypto.randomUUID();
	await insertRow(sql, "settlement_messages", {
		...{ id, settlement_id: settlement, position, author_id: idOf(author), text },
		author_role: author === "ada" || author === "ben" ? "admin" : "driver",
		...{ source: "form", created_at: currentTime() + position, payload_hash: "x" },
	});
	return id;
}

/** Inserts a thread that waits for an answer, with a text of maximum length. */
export async function insertThread(sql: Sql, settlement: string, owner: CastName): Promise<void> {
	const long = "Rindfleischetikettierungsüberwachungsaufgaben".repeat(5);
	await insertWeekMessage(sql, settlement, 1, owner, "Why is Tuesday missing?");
	await insertWeekMessage(sql, settlement, 2, "ada", "It's in the next file.\nSorry!");
	await insertWeekMessage(sql, settlement, 3, owner, long);
}

const NOTHING = Object.fromEntries(
	[
		...["fare", "fee", "tip", "promotion", "other_earning", "toll", "tax", "third_party", "cash"],
		"transfer",
	].map((kind) => [`${kind}_cents`, 0]),
);

/** Inserts a live row of Uber's weekly statement by driver, of the import `import`. */
export const insertMoney = (
	sql: Sql,
	key: string,
	owner: CastName,
	week: { readonly from: string; readonly to: string },
	cents: Row,
	more: Row = {},
) =>
	insertRow(sql, "statement_money", {
		...{ import_id: "import", row_key: key, is_live: 1, driver_id: idOf(owner), row_number: 2 },
		...{ platform: "uber", format: "uber-payments-driver", proof: "proven" },
		...{ counts_from: week.from, counts_to: week.to },
		...NOTHING,
		...cents,
		...more,
	});

/** Inserts six rows of a driver's statement, the last row of the file first. */
export async function insertMoneyRows(sql: Sql, owner: CastName, from: string): Promise<void> {
	for (let row = 6; row >= 1; row--)
		await insertMoney(
			sql,
			`row ${row}`,
			owner,
			{ from, to: dayAfter(from, 6) },
			{},
			{
				row_number: row,
			},
		);
}

/**
 * Inserts a week of four drivers and what to check about it: Dana's draft of $60.00 with a row that
 * doesn't add up, Omar's published $20.00 whose books changed since, Lena's money without an
 * agreement, and Ivan's draft carrying $5.00 from the week before; the file left out two more
 * drivers. Their numbers are 1 to 4.
 */
export async function insertWeek(sql: Sql, from: string): Promise<void> {
	const days = { from, to: dayAfter(from, 6) };
	await insertRow(sql, "fee_imports", {
		...{ id: IMPORT, added_by: idOf("ada"), created_at: currentTime(), is_money_only: 1 },
		...{ file_name: "payments_driver-Fleet.csv", row_count: 3, payload_hash: "x" },
		...{ platform: "uber", format: "uber-payments-driver" },
		...{ period_from: days.from, period_to: days.to, last_change_id: IMPORT },
		...{ unmatched_drivers: 2, unmatched_cents: 41_210 },
	});
	const agree = (number: number, owner: CastName, startsOn = from) =>
		insertAgreement(sql, number, owner, startsOn);
	await agree(901, "dana");
	await agree(902, "omar");
	await agree(903, "ivan", dayAfter(from, -7));
	const money = (owner: CastName, row: number, cents: Row, more: Row = {}) =>
		insertMoney(sql, `week ${row}`, owner, days, cents, {
			...{ import_id: IMPORT, row_number: row },
			...more,
		});
	await money("dana", 2, { fare_cents: 10_000 });
	await money("dana", 7, { tip_cents: 1 }, { proof: "unproven" });
	await money("lena", 4, { fare_cents: 10_000 });
	await money("ivan", 5, { tip_cents: 4_000, cash_cents: -10_000 });
	await insertSettlement(sql, 1, "dana", from);
	await insertSettlement(sql, 2, "omar", from, published(2_000));
	await insertLine(sql, settlementId(2), 0, 2_000, { kind: "tips", text: "Tips: 100% of $20.00" });
	await insertSettlement(sql, 3, "lena", from);
	await insertSettlement(sql, 4, "ivan", from);
	await insertSettlement(sql, 5, "ivan", dayAfter(from, -7), published(-500));
	await sql(
		"insert or ignore into settlement_marks (driver_id, since) values (?, ?)",
		idOf("omar"),
		from,
	);
}

const IMPORT = "90000000-1111-4000-8000-000000000001";
const dayAfter = (day: string, days: number) => addDays(parseCalendarDate(day), days);

/**
 * Inserts a published week with every kind of line, an agreement, a charge, the statements' rows
 * and a trip, which another week corrects.
 * @param times how much larger its amounts are
 * @param from its first day
 * @returns its id
 */
export async function insertPublishedWeek(
	sql: Sql,
	number: number,
	owner: CastName,
	times = 1,
	from = "2026-09-07",
): Promise<string> {
	const day = (days: number) => addDays(parseCalendarDate(from), days);
	const earlier = await insertSettlement(sql, number + 900, owner, day(-7), published(-2_345));
	const id = await insertSettlement(
		sql,
		number,
		owner,
		from,
		published(54_321 * times, { carried_in_cents: -2_345 }),
	);
	await sql("update settlements set carried_by = ? where id = ?", id, earlier);
	await insertAgreement(sql, number, owner, day(-7), {
		...{ per_mile_mills: 725, weekly_rent_cents: 12_000, created_at: 1 },
	});
	const charge = await insertCharge(sql, number, owner, {
		...{ charged_on: day(-6), instalments: 4, note: "Left mirror" },
	});
	const week = { from: day(0), to: day(6) };
	await insertMoney(sql, `week-${number}`, owner, week, { fare_cents: 90_000 * times });
	const first = { from: day(0), to: day(0) };
	await insertMoney(sql, `day-${number}`, owner, first, { tip_cents: 700 * times });
	await insertMoney(
		sql,
		`bolt-${number}`,
		owner,
		week,
		{ fare_cents: 1_000 * times },
		{
			...{ platform: "bolt", proof: "unstated" },
		},
	);
	await insertLog(sql, 800 + number, owner, day(2), 80, { personal_miles: 8 });
	const lines: readonly (readonly [cents: number, more: Row])[] = [
		[54_000, { kind: "fares", platform: "uber", text: "Fares after fees: 60% of $900.00" }],
		[600, { kind: "fares", platform: "bolt", text: "Fares after fees: 60% of $10.00" }],
		[700, { kind: "tips", platform: "uber", text: "Tips: 100% of $7.00" }],
		[5_220, { kind: "miles", text: "72 miles at $0.725" }],
		[-12_000, { kind: "rent", text: "Weekly rent" }],
		[-6_250, { kind: "charge", text: "Damage, 2 of 4", charge_id: charge }],
		[-500, { kind: "correction", text: "Correction of an earlier week", about_week: day(-7) }],
	];
	for (const [place, [cents, more]] of lines.entries())
		await insertLine(sql, id, place, cents * times, more);
	return id;
}
