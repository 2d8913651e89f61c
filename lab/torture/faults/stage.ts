/** The stored data as a few numbers, whose changes show what a run did. */
import type { Fleet } from "../../../tests/support/worker.ts";

const TABLES = [
	"users",
	"fund_requests",
	"request_messages",
	"settlement_messages",
	"mileage_logs",
	"uber_fees",
	"fee_imports",
	"payouts",
	"payout_requests",
	"payout_settlements",
	"platform_drivers",
	"mails",
	"audit_events",
	"receipts",
] as const;
export type Counts = Readonly<Record<(typeof TABLES)[number], number>>;

/** Counts the rows. Every business write also adds an audit entry in its transaction. */
export async function countAll(fleet: Fleet): Promise<Counts> {
	const columns = TABLES.map((table) => `(select count(*) from ${table}) as ${table}`);
	const [row] = await fleet.sql<Counts>(`select ${columns.join(", ")}`);
	if (!row) throw new Error("a select without a table has one row");
	return row;
}

export const isNothing = (change: Counts): boolean =>
	Object.values(change).every((count) => count === 0);

/** True if only platform drivers were remembered, each with its audit entry. */
export const isOnlyRemembered = ({ platform_drivers, audit_events, ...rest }: Counts): boolean =>
	platform_drivers === audit_events && Object.values(rest).every((count) => count === 0);

export const changeOf = (before: Counts, after: Counts): Counts =>
	Object.fromEntries(TABLES.map((table) => [table, after[table] - before[table]])) as Counts;

/**
 * Whether two changes are the same, except for a file that may be missing or arrive separately
 * later.
 */
export const isSame = (one: Counts, other: Counts, mayLackFile = false): boolean =>
	TABLES.every((table) => {
		const more = one[table] - other[table];
		if (more === 0 || !mayLackFile) return more === 0;
		if (table === "receipts") return more === -1;
		return table === "audit_events" && Math.abs(more) === 1;
	});
