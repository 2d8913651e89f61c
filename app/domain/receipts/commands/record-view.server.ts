import { eq, sql } from "drizzle-orm";
import { receipts } from "../../../db/schema.ts";
import { auditActor } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { ReaderContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";

/**
 * Records in the audit that an administrator or accountant has opened a receipt.
 * @throws when they have reached their limit
 */
export async function recordView(reader: ReaderContext, receiptId: string): Promise<void> {
	const isTooMany = isOverLimit(reader);
	const { limit } = await reader.db.batch({
		limit: reader.db.build.all<{ isTooMany: number }>(sql`select ${isTooMany} as isTooMany`),
		audit: auditStatement(
			reader.db.build,
			auditActor(reader),
			{ action: "receipt.view", entity: "receipt" },
			receipts,
			sql`${eq(receipts.id, receiptId)} and not ${isTooMany}`,
		),
	});
	if (limit[0]?.isTooMany) throw reader.tooMany();
}
