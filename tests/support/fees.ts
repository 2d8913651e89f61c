/** Uber fees inserted directly into a test's database. */

import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { insertRow } from "./rows.ts";

type Row = Record<string, string | number | null>;
type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

/** An id that sorts by its number. */
export const feeId = (number: number) =>
	`60000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/**
 * Inserts a commission of $12.50, added by Ada, unless given otherwise.
 * @param chargedOn `YYYY-MM-DD`
 * @returns its id
 */
export async function insertFee(
	sql: Sql,
	number: number,
	owner: CastName,
	chargedOn: string,
	more: Row = {},
): Promise<string> {
	const id = feeId(number);
	const row: Row = {
		id,
		driver_id: idOf(owner),
		category: "commission",
		amount_cents: 1250,
		charged_on: chargedOn,
		added_by: idOf("ada"),
		created_at: currentTime(),
		payload_hash: "x",
		...more,
	};
	await insertRow(sql, "uber_fees", row);
	return id;
}
