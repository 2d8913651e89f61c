/** Trips inserted directly into a test's database. */

import { type CastName, idOf } from "./cast.ts";
import { earlierToday } from "./fleet-days.ts";
import { insertRow } from "./rows.ts";

type Row = Record<string, string | number | null>;
type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

/** An id that sorts by its number. */
export const logId = (number: number) =>
	`40000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Inserts a trip of this many miles, received earlier today unless given otherwise. A larger number
 * means higher readings, received later.
 * @returns its id
 */
export async function insertLog(
	sql: Sql,
	number: number,
	owner: CastName,
	drivenOn: string,
	miles: number,
	more: Row = {},
): Promise<string> {
	const id = logId(number);
	// An odometer has seven digits.
	const start = (number * 2000) % 9_900_000;
	const row: Row = {
		id,
		driver_id: idOf(owner),
		driven_on: drivenOn,
		start_miles: start,
		end_miles: start + miles,
		source: "form",
		created_at: earlierToday() + number,
		payload_hash: "x",
		...more,
	};
	await insertRow(sql, "mileage_logs", row);
	return id;
}
