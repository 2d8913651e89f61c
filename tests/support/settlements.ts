/** Settlements and the money of statements inserted directly into a test's database. */
import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";
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

const NOTHING = Object.fromEntries(
	[
		...["fare", "fee", "tip", "promotion", "other_earning", "toll", "tax", "third_party", "cash"],
		"transfer",
	].map((kind) => [`${kind}_cents`, 0]),
);

/** Inserts a live row of a week's statement of Uber by driver, of the import `import`. */
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
