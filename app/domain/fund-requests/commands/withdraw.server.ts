import { eq, sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AuditEntry } from "../../kernel/audit-entry.server.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { type FundRequest, findOwnRequest, isWithdrawable } from "../rows.server.ts";

/** How the audit records a withdrawal, with or without a replacement. */
export const withdrawalAudit: AuditEntry = {
	action: "request.withdraw",
	entity: "fund-request",
	before: sql`json_object('status', status)`,
	after: sql`json_object('status', 'withdrawn')`,
};

export type WithdrawRefusal =
	| Refused<"not-found">
	| Refused<"not-pending", Pick<FundRequest, "number" | "status">>;

/** Withdraws one's own pending request. After a lost race, the result has the decision. */
export async function withdrawRequest(
	driver: DriverContext,
	id: string,
): Promise<Outcome<FundRequest, WithdrawRefusal>> {
	const { changed, rows } = await transition(driver, {
		table: fundRequests,
		rows: eq(fundRequests.id, id),
		when: isWithdrawable(driver.user.id),
		set: { status: "withdrawn", withdrawnAt: driver.now },
		audit: withdrawalAudit,
		read: () => findOwnRequest(driver, id),
	});
	const [request] = rows;
	if (!request) return refused("not-found");
	return changed.has(id) ? done(request) : refused("not-pending", request);
}
