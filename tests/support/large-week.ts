/** A week of a large fleet, inserted directly into a test's database. */
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { idOf } from "./cast.ts";

/** Ids of the large fleet's rows, which sort by their number. */
export const largeDriver = (number: number) =>
	`a0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const DRIVER = "printf('a0000000-0000-4000-8000-%012d', i)";
const IMPORT = "ba000000-1111-4000-8000-000000000001";

/** Rows numbered from the first to the last, as table `n (i)`. */
export const numbered = (first: number, last: number) =>
	`with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;

/**
 * Inserts drivers with these numbers, each with an agreement of 60% of their net fares and $100.00
 * of rent a week, and their row of one statement of a week: $500.00 of fares and $20.00 of tips.
 * Every tenth one's cash leaves them below zero, and every fourth one pays a charge in instalments.
 */
export async function insertLargeWeek(
	d1: D1Database,
	[first, last]: readonly [first: number, last: number],
	weekFrom: string,
): Promise<void> {
	const weekTo = addDays(parseCalendarDate(weekFrom), 6);
	const n = numbered(first, last);
	await d1.batch(
		[
			`insert into users (id, role, first_name, last_name, email, approval_status, driver_number,
				created_at, applied_at, approved_at)
			${n} select ${DRIVER}, 'driver', 'Driver', 'Number ' || i,
				'driver' || i || '@milepost.test', 'approved', 100 + i, 1, 1, 1 from n`,
			`insert into identities (issuer, subject, user_id, created_at)
			${n} select 'local-sign-in', 'driver' || i || '@milepost.test', ${DRIVER}, 1 from n`,
			`insert into agreements (id, driver_id, number, starts_on, base, fares_basis_points,
				tips_basis_points, promotions_basis_points, tolls_to, weekly_rent_cents, weekly_fee_cents,
				fleet_basis_points, per_mile_mills, created_at, created_by, payload_hash)
			${n} select printf('ca000000-0000-4000-8000-%012d', i), ${DRIVER}, 1, '2026-01-05', 'net', 6000,
				10000, 10000, 'driver', 10000, 0, 0, 0, 1, '${idOf("ada")}', 'x' from n`,
			`insert into charges (id, driver_id, kind, charged_on, amount_cents, direction, instalments,
				created_at, created_by, payload_hash)
			${n} select printf('da000000-0000-4000-8000-%012d', i), ${DRIVER}, 'damage', '${weekFrom}', 20000,
				'against', 4, 1, '${idOf("ada")}', 'x' from n where i % 4 = 0`,
			`insert or ignore into fee_imports (id, added_by, created_at, file_name, row_count, payload_hash,
				platform, format, period_from, period_to, is_money_only, last_change_id)
			values ('${IMPORT}', '${idOf("ada")}', 1, 'payments_driver.csv', 1, 'x', 'uber',
				'uber-payments-driver', '${weekFrom}', '${weekTo}', 1, '${IMPORT}')`,
			`insert into statement_money (import_id, row_key, is_live, driver_id, platform, format,
				row_number, counts_from, counts_to, proof, fare_cents, fee_cents, tip_cents,
				promotion_cents, other_earning_cents, toll_cents, tax_cents, third_party_cents, cash_cents,
				transfer_cents)
			${n} select '${IMPORT}', 'week ' || i, 1, ${DRIVER}, 'uber', 'uber-payments-driver', i + 1,
				'${weekFrom}', '${weekTo}', 'proven', 50000, -10000, 2000, 0, 0, 0, 0, 0,
				iif(i % 10 = 0, -60000, -5000), 0 from n`,
		].map((text) => d1.prepare(text)),
	);
}
