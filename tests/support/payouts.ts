/** Approved requests and payouts for tests that use the built Worker. */
import { type CastName, idOf } from "./cast.ts";
import { earlierToday } from "./fleet-days.ts";
import { insertRequest } from "./requests.ts";
import type { Row, Sql } from "./rows.ts";
import type { Client } from "./worker.ts";

/**
 * Inserts a request that Ada approved earlier today.
 * @param number the 1 of FR-000001
 * @returns its id
 */
export const insertApproved = (
	sql: Sql,
	number: number,
	owner: CastName,
	cents: number,
	more: Row = {},
): Promise<string> =>
	insertRequest(sql, number, owner, {
		amount_cents: cents,
		status: "approved",
		decided_at: earlierToday() + number,
		decided_by: idOf("ada"),
		...more,
	});

export type PayoutBody = {
	readonly id: string;
	readonly number: string;
	readonly status: string;
	readonly total: string;
	readonly paidOn: string | null;
	readonly reference: string | null;
	readonly billsDownloadedAt: string | null;
	readonly lines: readonly {
		readonly driverId: string;
		readonly driverIdCode: string;
		readonly name: string;
		readonly amount: string;
		readonly requests: readonly {
			readonly id: string;
			readonly requestNumber: string;
			readonly amount: string;
		}[];
		readonly settlements: readonly {
			readonly id: string;
			readonly number: string;
			readonly amount: string;
		}[];
	}[];
};

/** Creates a payout through the API. */
export async function gather(
	client: Client,
	body: object,
	headers: Record<string, string> = {},
): Promise<PayoutBody> {
	const answer = await client.call("POST", "/api/payouts", body, { headers });
	if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
	return JSON.parse(answer.text) as PayoutBody;
}

/** Deletes every payout, every request and every settlement. */
export async function deletePayouts(sql: Sql): Promise<void> {
	for (const table of [
		"payout_requests",
		"payout_settlements",
		"settlement_lines",
		"settlement_messages",
		"settlements",
		"request_messages",
		"fund_requests",
		"payouts",
		"payout_totals",
		"mails",
	])
		await sql(`delete from ${table}`);
}
