import { and, eq, sql } from "drizzle-orm";
import { receipts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { hasAccess } from "../../kernel/actor.server.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { throwAccessLost } from "../../kernel/transition.server.ts";
import {
	type QuotaWords,
	quotaMessage,
	type ReceiptRow,
	receiptRowStatement,
	type StoredFile,
	selectReceiptRowState,
} from "./receipt-row.server.ts";

/** The row, and whether the same file had it before. */
type SavedRow = { readonly row: ReceiptRow; readonly isReplay: boolean };

/**
 * Writes a stored file's row by itself, for an upload before its request. Refused when the day's
 * quota is used up.
 */
export async function saveReceiptRow(
	driver: DriverContext,
	file: StoredFile,
): Promise<Outcome<SavedRow, Refused<"quota", { readonly words: QuotaWords }>>> {
	const { db, user } = driver;
	const { insert, rows, kept, access } = await db.batch({
		insert: receiptRowStatement(driver, file),
		rows: db.build
			.select()
			.from(receipts)
			.where(and(eq(receipts.id, file.id), eq(receipts.ownerId, user.id))),
		kept: selectReceiptRowState(driver, file),
		access: db.build.all<{ isAllowed: number }>(sql`select ${hasAccess(driver)} as isAllowed`),
	});
	if (!access[0]?.isAllowed) return throwAccessLost(driver);
	return rows[0]
		? done({ row: rows[0], isReplay: insert.length === 0 })
		: refused("quota", { words: quotaMessage(kept[0]) ?? "filesToday" });
}
