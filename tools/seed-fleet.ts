/**
 * Generates a large fleet inside the database, to try Milepost with years of history: drivers,
 * trips, requests and fees.
 */

import { Database } from "../app/db/client.server.ts";
import { dayNumber } from "../app/domain/analytics/blocks.ts";
import { recount } from "../app/domain/analytics/recount.server.ts";
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";

type D1 = {
	prepare(query: string): {
		bind(...values: unknown[]): unknown;
		all<Row>(): Promise<{ results: Row[] }>;
	};
	batch(list: unknown[]): Promise<unknown>;
};

export type FleetSize = {
	/**
	 * Total trips, distributed evenly over the drivers and days. The last day is `until`, which must
	 * be over.
	 */
	readonly logs: number;
	readonly drivers: number;
	readonly days: number;
	readonly until: CalendarDate;
	/** The administrator who decided the requests and added the fees. */
	readonly adminId: string;
	/** UTC milliseconds at which `until` begins in the fleet's time zone. */
	readonly untilStarts: number;
};

/** The id of a seeded driver, counted from 1. */
export const seededDriver = (number: number) =>
	`a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const driverSql = "printf('a0000000-0000-4000-8000-%012d', d)";

const FIRST_NAMES =
	"Ava,Ben,Chloé,Đặng,Elif,Farah,Grace,Hana,Ivo,Jana,Kofi,Łucja,Mira,Nils,Oksana,Priya,Quinn,Rosa,Sam,Ταμάρα".split(
		",",
	);
const LAST_NAMES =
	"Abbott,Bauer,Çelik,Dubois,Eriksen,Ferrari,García,Hughes,Ivanov,Jensen,Kowalski,Lê,Moreau,Nováková,Okafor,Petrović,Quist,Rossi,Sato,Tanaka,Usman,Varga,Wójcik".split(
		",",
	);
const nameSql = (names: readonly string[], by: string) =>
	`(select value from json_each('${JSON.stringify(names)}') where key = (${by}) % ${names.length})`;

/** Rows per statement: as many as fit well into one transaction. */
const CHUNK = 25_000;
const DAY_MS = 86_400_000;

/**
 * Fills a migrated database, with one request for every ten trips and one fee for every twenty.
 * The triggers that keep the totals are removed while rows are inserted. The totals are then
 * recounted from the rows, which takes a tenth of the time.
 */
export async function seedFleet(
	database: unknown,
	size: FleetSize,
	tell: (text: string) => void = () => undefined,
): Promise<void> {
	const db = database as D1;
	const { logs, drivers, days, until, adminId, untilStarts } = size;
	const { results: triggers } = await db
		.prepare(
			"select name, sql from sqlite_master where type = 'trigger' and name in ('mileage_totals_on_insert', 'request_totals_on_insert', 'request_standing_on_insert', 'fee_totals_on_insert')",
		)
		.all<{ name: string; sql: string }>();
	const insertRows = async (table: string, statements: readonly string[]) => {
		const own = triggers.filter(({ sql }) => sql.includes(`\`${table}\``));
		await db.batch(
			[
				...own.map(({ name }) => `drop trigger ${name}`),
				...statements,
				...own.map(({ sql }) => sql),
			].map((text) => db.prepare(text)),
		);
	};
	const series = (from: number, to: number) =>
		`with recursive n(k) as (select ${from} union all select k + 1 from n where k < ${to - 1})`;

	for (let first = 1; first <= drivers; first += CHUNK)
		await insertRows("users", [
			`insert into users (id, role, first_name, last_name, email, driver_number, approval_status, is_active, created_at, applied_at, approved_at, decided_by)
			${series(first, Math.min(first + CHUNK, drivers + 1))}
			select printf('a0000000-0000-4000-8000-%012d', k), 'driver', ${nameSql(FIRST_NAMES, "k")}, ${nameSql(LAST_NAMES, "k * 7 + k / 20")},
				printf('driver%d@seeded.milepost.test', k), (select coalesce(max(driver_number), 0) from users) + k - ${first - 1}, 'approved', 1,
				${untilStarts - days * DAY_MS}, ${untilStarts - days * DAY_MS}, ${untilStarts - days * DAY_MS}, '${adminId}' from n`,
		]);
	// Each can sign in on this machine with that email.
	await db.batch([
		db.prepare(`insert into identities (issuer, subject, user_id, created_at)
			select 'local-sign-in', email, id, created_at from users where id between '${seededDriver(1)}' and '${seededDriver(drivers)}'`),
	]);
	tell(`${drivers} drivers, driver1@seeded.milepost.test and on`);

	// Row k belongs to driver d = k % drivers + 1, is that driver's t-th, and falls on the day on
	// which t's share of the days ends.
	const each = Math.ceil(logs / drivers);
	const place = (count: number) =>
		`k % ${drivers} + 1 as d, k / ${drivers} as t, ${days} - 1 - (k / ${drivers}) * ${days} / ${Math.max(1, Math.ceil(count / drivers))} as ago`;
	const miles = `(20 + d % ${Math.max(1, Math.min(60, Math.floor(9_000_000 / each) - 21))})`;
	const on = `date(${dayNumber(until)} - ago)`;
	// Between 1 and 2 a.m., which is on that date even if the clock has changed since.
	const at = `${untilStarts + 7_200_000} - ago * ${DAY_MS} + (k % 40000) * 1000`;
	const chunks = async (table: string, count: number, insert: string, rows: string) => {
		for (let from = 0; from < count; from += CHUNK) {
			const to = Math.min(from + CHUNK, count);
			const numbered = `${series(from, to)}, p as (select k, ${place(count)} from n)`;
			await insertRows(table, [`${insert} ${numbered} ${rows}`]);
			tell(`${to.toLocaleString("en-US")} of ${count.toLocaleString("en-US")} ${table}`);
		}
	};
	// Every fiftieth trip starts seven miles after the previous one ended.
	await chunks(
		"mileage_logs",
		logs,
		"insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, gap_miles, payload_hash)",
		`select printf('b0000000-0000-4000-8000-%012d', k), ${driverSql}, ${on}, 1000 + t * ${miles} + t / 50 * 7, 1000 + (t + 1) * ${miles} + t / 50 * 7, 'seed', ${at},
			iif(t > 0 and t % 50 = 0, 7, null), 'seed' from p`,
	);
	const type = "case k % 4 when 0 then 'maintenance' when 1 then 'other' else 'gas' end";
	const amount = "(1000 + (k * 7919) % 9000)";
	// The latest requests are pending; one in fifteen was rejected.
	const requests = Math.floor(logs / 10);
	const status = `case when k >= ${requests - Math.min(40, Math.floor(requests / 4))} then 'pending' when k % 15 = 0 then 'rejected' else 'approved' end`;
	const { results: numbers } = await db
		.prepare("select coalesce(max(number), 0) as last from fund_requests")
		.all<{ last: number }>();
	// One in forty was approved for slightly less.
	const approved = `iif(${status} = 'approved', ${amount} - iif(k % 40 = 1, 500, 0), null)`;
	await chunks(
		"fund_requests",
		requests,
		"insert into fund_requests (id, number, driver_id, type, amount_cents, description, status, source, created_at, requested_on, decided_at, decided_by, approved_amount_cents, admin_notes, payload_hash)",
		`select printf('c0000000-0000-4000-8000-%012d', k), ${numbers[0]?.last ?? 0} + k + 1, ${driverSql}, ${type}, ${amount}, 'Seeded request', ${status}, 'seed', ${at}, ${on},
			iif(${status} = 'pending', null, ${at} + 3600000), iif(${status} = 'pending', null, '${adminId}'), ${approved}, iif(${approved} < ${amount}, 'Without the extras', null), 'seed' from p`,
	);
	// Every third pending request has a question; every other question is answered.
	const asked = `from fund_requests where status = 'pending' and source = 'seed' and number % 3 = 0`;
	const columns =
		"id, request_id, position, author_id, author_role, text, source, created_at, payload_hash";
	await db.batch(
		[
			`insert into request_messages (${columns}) select printf('e0000000-0000-4000-8000-%012d', number), id, 1, '${adminId}', 'admin', 'Which car was it?', 'seed', created_at + 60000, 'seed' ${asked}
				and id like 'c0000000-%'`,
			`insert into request_messages (${columns}) select printf('e1000000-0000-4000-8000-%012d', number), id, 2, driver_id, 'driver', 'The white one', 'seed', created_at + 120000, 'seed' ${asked}
				and number % 2 = 0 and id like 'c0000000-%'`,
		].map((text) => db.prepare(text)),
	);
	const category =
		"case k % 4 when 0 then 'commission' when 1 then 'service_fee' when 2 then 'booking_fee' else 'other' end";
	await chunks(
		"uber_fees",
		Math.floor(logs / 20),
		"insert into uber_fees (id, driver_id, category, amount_cents, charged_on, reference_number, added_by, created_at, payload_hash)",
		`select printf('d0000000-0000-4000-8000-%012d', k), ${driverSql}, ${category}, ${amount}, ${on}, printf('UB-SEED-%07d', k), '${adminId}', ${at}, 'seed' from p`,
	);
	tell("counting the totals");
	await recount(new Database(database as D1Database), addDays(until, 1));
}
