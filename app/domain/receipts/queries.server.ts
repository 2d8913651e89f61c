/** Reads of receipts. */
import { and, eq } from "drizzle-orm";
import { receipts } from "../../db/schema.ts";
import type { DriverContext } from "../kernel/context.ts";

/** One of the driver's own receipts by id, so that a refused form can offer it again. */
export function ownReceipt({ db, user }: DriverContext, receiptId: string) {
	return db.build
		.select({ id: receipts.id, fileName: receipts.fileName })
		.from(receipts)
		.where(and(eq(receipts.id, receiptId), eq(receipts.ownerId, user.id)));
}
