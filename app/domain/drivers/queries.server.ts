/** Lists of people. Every query is a statement; none grows past its page. */
import { and, count, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";

/** Pending means applied and the name complete (decisions.md). */
const isApplicant = and(
	eq(users.role, "driver"),
	eq(users.approvalStatus, "pending"),
	isNotNull(users.appliedAt),
	eq(users.isActive, true),
) as SQL;

/** How many approved, active drivers there are. */
export function driverCount(build: Builder) {
	return build
		.select({ count: count() })
		.from(users)
		.where(and(eq(users.role, "driver"), eq(users.approvalStatus, "approved"), eq(users.isActive, true), isNull(users.deletedAt)));
}

/** How many applications wait for a decision. */
export function applicationCount(build: Builder) {
	return build.select({ count: count() }).from(users).where(isApplicant);
}
