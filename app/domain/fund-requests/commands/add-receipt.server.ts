import { eq, sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { displayName } from "../../people/rules.ts";
import {
	type QuotaWords,
	quotaMessage,
	receiptRowStatement,
	type StoredFile,
	selectReceiptRowState,
} from "../../receipts/commands/receipt-row.server.ts";
import { queueReceiptAnswerEmails } from "../emails.server.ts";
import { type FundRequest, findOwnRequest, isUnattachedReceipt } from "../rows.server.ts";

export type AddReceiptRefusal =
	| Refused<"not-found">
	| Refused<"not-pending", FundRequest>
	| Refused<"quota", { readonly words: QuotaWords }>;

/** Adds a receipt to one's own request that has none; the file is already in the store. */
export async function addReceipt(
	driver: DriverContext,
	id: string,
	file: StoredFile,
): Promise<Outcome<FundRequest, AddReceiptRefusal>> {
	const { db, user, now } = driver;
	const { changed, rows, answers } = await transition(driver, {
		table: fundRequests,
		rows: eq(fundRequests.id, id),
		when: sql`driver_id = ${user.id} and status in ('pending', 'approved')
			and receipt_id is null and ${isUnattachedReceipt(user.id, file.id)}`,
		set: { receiptId: file.id, receiptName: null },
		audit: {
			action: "request.add-receipt",
			entity: "fund-request",
			after: sql`json_object('receiptId', ${file.id})`,
		},
		first: { file: receiptRowStatement(driver, file), kept: selectReceiptRowState(driver, file) },
		next: (added, changeId) => ({
			mail: queueReceiptAnswerEmails(db.build, added, changeId, displayName(user), now),
		}),
		read: () => findOwnRequest(driver, id),
	});
	const [request] = rows;
	// The same file sent again finds itself already there.
	if (request && (changed.has(id) || request.receiptId === file.id)) return done(request);
	const words = request && quotaMessage(answers.kept[0]);
	if (words) return refused("quota", { words });
	return request ? refused("not-pending", request) : refused("not-found");
}
