import { eq } from "drizzle-orm";
import { receipts } from "../../../db/schema.ts";
import { auditActor } from "../../actor.server.ts";
import { auditStatement } from "../../audit/entry.server.ts";
import type { AdminContext } from "../../context.ts";

/** Records in the audit that an administrator has opened a receipt. */
export async function recordView(admin: AdminContext, receiptId: string): Promise<void> {
	await admin.db.batch({
		audit: auditStatement(
			admin.db.build,
			auditActor(admin),
			{ action: "receipt.view", entity: "receipt" },
			receipts,
			eq(receipts.id, receiptId),
		),
	});
}
