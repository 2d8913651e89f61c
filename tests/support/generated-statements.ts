/**
 * Generated statements of any length, which repeat a row of the sample with other ids, days and
 * fees.
 */
import { addDays, type CalendarDate, parseCalendarDate } from "../../app/values/calendar-date.ts";
import type { Sql } from "./rows.ts";
import type { SentFile } from "./statement-calls.ts";
import { expectedOf, sampleText } from "./statements.ts";

const MONDAY = parseCalendarDate("2026-09-21");
/** Statements go back no further than this, since old days are refused. */
const WEEKS = 36;
const hex = (number: number) => number.toString(16).padStart(12, "0");
/** A driver's id on the platform and in the fleet. */
const platformIdOf = (driver: number) => `eae3732d-38c1-45d6-9a1f-${hex(driver)}`;
const fleetIdOf = (driver: number) => `70000000-0000-4000-8000-${hex(driver)}`;

export type GeneratedStatement = {
	readonly file: SentFile;
	/** The total of its fees in cents, and how many there are: one per driver and day. */
	readonly cents: number;
	readonly fees: number;
};

/**
 * @param drivers how many drivers share the rows
 * @param series statements of different series have no rows in common, though every 36th covers the same days
 */
export function generateStatement(rows: number, drivers: number, series = 0): GeneratedStatement {
	const [head = ""] = sampleText("uber-payments-order").split(/\r?\n/);
	const names = head.split(",");
	const from: CalendarDate = addDays(MONDAY, -7 * (series % WEEKS));
	const lines = [head];
	const fees = new Set<string>();
	let whole = 0;
	for (let row = 0; row < rows; row++) {
		const cents = 100 + ((row + series) % 900);
		whole += cents;
		const day = addDays(from, row % 7);
		fees.add(`${row % drivers} ${day}`);
		const fee = `-${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
		const cells = names.map((name) => {
			if (name === "transaction UUID")
				return `c3f6e435-c793-330d-${hex(series).slice(-4)}-${hex(row)}`;
			if (name === "Driver UUID") return platformIdOf(row % drivers);
			if (name === "Driver first name") return `Driver ${row % drivers}`;
			if (/last name|surname/.test(name)) return "Of A Large Fleet";
			if (name === "Trip UUID") return `517f5000-8e5d-4f7d-${hex(series).slice(-4)}-${hex(row)}`;
			if (name === "Description") return "trip completed order";
			if (/^Organi[sz]ation name$/.test(name)) return "x".repeat(120);
			if (name === "vs reporting") return `${day} 12:43:42.704 -0400 EDT`;
			return /Your earnings ?: ?Service fee$/.test(name) ? fee : "0";
		});
		lines.push(cells.join(","));
	}
	const bytes = new TextEncoder().encode(lines.join("\n"));
	const file = {
		bytes,
		name: expectedOf("uber-payments-order").uploadAs.replace(
			".csv",
			series ? `_${series}.csv` : ".csv",
		),
	};
	return { file, cents: whole, fees: fees.size };
}

/** A generated statement's driver matches, as the API accepts them. */
export const driverMatches = (drivers: number): string =>
	JSON.stringify(
		Object.fromEntries(
			Array.from({ length: drivers }, (_, driver) => [platformIdOf(driver), fleetIdOf(driver)]),
		),
	);

/** Inserts those drivers into the fleet. */
export const insertStatementDrivers = (sql: Sql, drivers: number): Promise<unknown> =>
	sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
		with recursive n(i) as (select 0 union all select i + 1 from n where i < ${drivers - 1})
		select printf('70000000-0000-4000-8000-%012x', i), 'driver', 'Driver', i, 'approved', 20000 + i, 1 from n`);
