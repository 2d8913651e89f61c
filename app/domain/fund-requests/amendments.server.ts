/** What a driver does to a request he has sent: withdraw it, add its receipt. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { fundRequests, receipts } from "../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { DriverContext } from "../context.ts";
import { type QuotaWords, quotaWords, receiptRowKept, receiptRowStatement, type StoredFile } from "../receipts/commands.server.ts";

export type FundRequest = typeof fundRequests.$inferSelect;

/** One's own receipt that no other request carries; the one being replaced gives its receipt up. */
export const isFreeReceipt = (driverId: string, receiptId: string, replacesId?: string) =>
	sql`exists (select 1 from receipts where id = ${receiptId} and owner_id = ${driverId}
		and not exists (select 1 from fund_requests where receipt_id = ${receiptId} and id is not ${replacesId ?? null}))`;

/** A request that its driver may still withdraw, alone or for a new one. */
export const replaceable = (driverId: string) => sql`driver_id = ${driverId} and status = 'pending'`;

/** Says of every request a condition names that it is withdrawn. */
export function withdrawAudit(driver: DriverContext, condition: SQL) {
	return auditStatement(
		driver.db.build,
		actorOf(driver),
		{
			action: "request.withdraw",
			entity: "fund-request",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'withdrawn')`,
		},
		fundRequests,
		condition,
	);
}

/** Withdraws one's own pending request. The loser of a race against a decision is told the decision. */
export async function withdrawRequest(
	driver: DriverContext,
	id: string,
): Promise<Outcome<FundRequest, Refused<"not-found"> | Refused<"not-pending", FundRequest>>> {
	const { db, user, now } = driver;
	const changeId = crypto.randomUUID();
	const condition = sql`${fundRequests.id} = ${id} and ${replaceable(user.id)}`;
	const { row } = await db.batch({
		audit: withdrawAudit(driver, condition),
		change: db.build.update(fundRequests).set({ status: "withdrawn", withdrawnAt: now, lastChangeId: changeId }).where(condition),
		row: ownRequestStatement(driver, id),
	});
	return changedOr(row[0], changeId);
}

export type AddReceiptRefusal =
	| Refused<"not-found">
	| Refused<"not-pending", FundRequest>
	| Refused<"quota", { readonly words: QuotaWords }>;

/** Adds a receipt to one's own request that has none; the file is already in the store. */
export async function addReceipt(driver: DriverContext, id: string, file: StoredFile): Promise<Outcome<FundRequest, AddReceiptRefusal>> {
	const { db, user } = driver;
	const changeId = crypto.randomUUID();
	const condition = sql`${fundRequests.id} = ${id} and driver_id = ${user.id} and status in ('pending', 'approved') and receipt_id is null and ${isFreeReceipt(user.id, file.id)}`;
	const { row, kept } = await db.batch({
		file: receiptRowStatement(driver, file),
		kept: receiptRowKept(driver, file),
		audit: auditStatement(
			db.build,
			actorOf(driver),
			{ action: "request.add-receipt", entity: "fund-request", after: sql`json_object('receiptId', ${file.id})` },
			fundRequests,
			condition,
		),
		change: db.build.update(fundRequests).set({ receiptId: file.id, receiptName: null, lastChangeId: changeId }).where(condition),
		row: ownRequestStatement(driver, id),
	});
	const request = row[0];
	// The same file sent again finds itself there already.
	if (request?.receiptId === file.id) return done(request);
	const words = request && quotaWords(kept[0]);
	return words ? refused("quota", { words }) : changedOr(request, changeId);
}

function ownRequestStatement({ db, user }: DriverContext, id: string) {
	return db.build
		.select()
		.from(fundRequests)
		.where(and(eq(fundRequests.id, id), eq(fundRequests.driverId, user.id)));
}

function changedOr(
	request: FundRequest | undefined,
	changeId: string,
): Outcome<FundRequest, Refused<"not-found"> | Refused<"not-pending", FundRequest>> {
	if (!request) return refused("not-found");
	return request.lastChangeId === changeId ? done(request) : refused("not-pending", request);
}

/** The row of an unattached receipt, so that a refused form can offer it again. */
export function receiptNameStatement({ db, user }: DriverContext, receiptId: string) {
	return db.build
		.select({ id: receipts.id, fileName: receipts.fileName })
		.from(receipts)
		.where(and(eq(receipts.id, receiptId), eq(receipts.ownerId, user.id)));
}
