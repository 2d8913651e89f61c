/**
 * A fleet with six-digit amounts, some of them negative, and seven-digit miles: numbers that no
 * column may break.
 */
import { idOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { insertRow, type Sql } from "../support/rows.ts";
import type { SentFile } from "../support/statement-calls.ts";
import { expectedOf, sampleText } from "../support/statements.ts";

const MILES = 1_234_567;

/**
 * Inserts today's trips, fees, credits and an audit entry, for drivers who have other rows as well.
 */
export async function insertLargeNumbers(sql: Sql): Promise<void> {
	await insertLog(sql, 1, "dana", daysAgo(0), MILES, { is_long: 1 });
	await insertLog(sql, 2, "omar", daysAgo(0), MILES, { is_long: 1, is_overlap: 1 });
	for (const number of [11, 12, 13, 14]) {
		await insertFee(sql, number, "dana", daysAgo(0), { amount_cents: 10_000_000 });
		await insertFee(sql, number + 10, "omar", daysAgo(0), {
			category: "service_fee",
			amount_cents: 9_876_543,
			is_credit: 1,
		});
	}
	await insertRow(sql, "audit_events", {
		at: currentTime(),
		actor_id: idOf("ben"),
		actor_role: "admin",
		action: "request.approve",
		entity: "fund-request",
		entity_id: "30000000-0000-4000-8000-000000000002",
		before: JSON.stringify({ amountCents: 10_000_000, unpaidCents: -12_345_678 }),
		after: JSON.stringify({ amountCents: 12_345_678, unpaidCents: -98_765_432 }),
	});
}

/** A statement with a fee of the maximum amount. */
export function largeStatement(): SentFile {
	const text = sampleText("bolt-weekly")
		.replaceAll("€", "$")
		.replace('"25.43","20.56","4.87"', '"100004.87","100000.00","4.87"');
	return { bytes: new TextEncoder().encode(text), name: expectedOf("bolt-weekly").uploadAs };
}
