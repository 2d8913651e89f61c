/** `block_totals` recalculated from the underlying rows without the triggers. */

type Sql = <Row>(query: string, ...values: unknown[]) => Promise<Row[]>;

const LENGTHS = [1, 16, 256];
/** The columns to which each kind of row adds its amount and its count. */
const COLUMNS: Record<string, readonly [string, string]> = {
	trip: ["miles", "trips"],
	gas: ["gas_cents", "gas_requests"],
	maintenance: ["maintenance_cents", "maintenance_requests"],
	other: ["other_cents", "other_requests"],
	pending: ["pending_cents", "pending_requests"],
	commission: ["commission_cents", "commission_fees"],
	service_fee: ["service_fee_cents", "service_fee_fees"],
	booking_fee: ["booking_fee_cents", "booking_fee_fees"],
	other_fee: ["other_fee_cents", "other_fee_fees"],
	commission_credit: ["commission_credit_cents", "commission_credits"],
	service_fee_credit: ["service_fee_credit_cents", "service_fee_credits"],
	booking_fee_credit: ["booking_fee_credit_cents", "booking_fee_credits"],
	other_fee_credit: ["other_fee_credit_cents", "other_fee_credits"],
};
const NAMES = Object.values(COLUMNS).flat();

/** A row that counts: its driver, date, kind and amount. */
export type Counted = {
	readonly driver: string;
	readonly date: string;
	readonly as: string;
	readonly amount: number;
};

/** Every row in the database that counts in a total. */
export async function countedRows(sql: Sql): Promise<Counted[]> {
	type Row = Record<string, string | number | null>;
	const trips = await sql<Row>("select * from mileage_logs");
	const requests = await sql<Row>("select * from fund_requests");
	const fees = await sql<Row>("select * from uber_fees");
	const counted = (row: Row, date: unknown, as: string, amount: number) => ({
		driver: String(row.driver_id),
		date: String(date),
		as,
		amount,
	});
	return [
		...trips
			.filter((row) => row.voided_at === null)
			.map((row) =>
				counted(row, row.driven_on, "trip", Number(row.end_miles) - Number(row.start_miles)),
			),
		...requests
			.filter((row) => row.status === "pending" || row.status === "approved")
			.map((row) =>
				counted(
					row,
					row.requested_on,
					row.status === "pending" ? "pending" : String(row.type),
					Number(row.approved_amount_cents ?? row.amount_cents),
				),
			),
		...fees
			.filter((row) => row.deleted_at === null)
			.map((row) =>
				counted(
					row,
					row.charged_on,
					(row.category === "other" ? "other_fee" : String(row.category)) +
						(row.is_credit === 1 ? "_credit" : ""),
					Number(row.amount_cents),
				),
			),
	];
}

const julian = (date: string) =>
	Date.UTC(+date.slice(0, 4), +date.slice(5, 7) - 1, +date.slice(8)) / 86_400_000 + 2_440_588;

/**
 * What `block_totals` must contain: non-empty blocks, sorted, each as one line of text.
 * @param lengths other lengths of blocks than those that it keeps
 */
export function blocksOf(rows: readonly Counted[], lengths: readonly number[] = LENGTHS): string[] {
	const blocks = new Map<string, Record<string, number>>();
	for (const { driver, date, as, amount } of rows)
		for (const whose of [driver, ""])
			for (const days of lengths) {
				const key = `${whose}|${days}|${days === 0 ? 0 : Math.floor(julian(date) / days) * days}`;
				const sums = blocks.get(key) ?? {};
				const [sum = "", count = ""] = COLUMNS[as] ?? [];
				sums[sum] = (sums[sum] ?? 0) + amount;
				sums[count] = (sums[count] ?? 0) + 1;
				blocks.set(key, sums);
			}
	return [...blocks]
		.map(([key, sums]) => `${key}: ${NAMES.map((name) => sums[name] ?? 0).join(" ")}`)
		.sort();
}

/**
 * What `block_totals` actually contains, in the same form and without blocks that have become
 * empty.
 * @param table or the view that an earlier release reads
 */
export async function storedBlocks(
	sql: Sql,
	table: "block_totals" | "driver_totals" = "block_totals",
): Promise<string[]> {
	const rows = await sql<Record<string, string | number>>(`select * from ${table}`);
	return rows
		.filter((row) => NAMES.some((name) => row[name] !== 0))
		.map(
			(row) =>
				`${row.driver_id}|${row.days}|${row.first_day}: ${NAMES.map((name) => row[name]).join(" ")}`,
		)
		.sort();
}
