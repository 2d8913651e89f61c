import { eq, sql } from "drizzle-orm";
import { receipts } from "../../../db/schema.ts";
import { auditActor } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";

/**
 * Records in the audit that an administrator has opened a receipt.
 * @throws when they have reached their limit
 */
export async function recordView(admin: AdminContext, receiptId: string): Promise<void> {
	const isTooMany = isOverLimit(admin);
	const { limit } = await admin.db.batch({
		limit: admin.db.build.all<{ isTooMany: number }>(sql`select ${isTooMany} as isTooMany`),
		audit: auditStatement(
			admin.db.build,
			auditActor(admin),
			{ action: "receipt.view", entity: "receipt" },
			receipts,
			sql`${eq(receipts.id, receiptId)} and not ${isTooMany}`,
		),
	});
	if (limit[0]?.isTooMany) throw admin.tooMany();
}
