/** The accounts that have signed in locally, for the one-tap buttons, the demo fleet's first. */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { identities, users } from "../../db/schema.ts";

/** The issuer of the local sign-in. Its subjects are email addresses that nobody verifies. */
export const LOCAL_ISSUER = "local-sign-in";

export function localAccountsStatement(build: Builder) {
	return build
		.select({
			email: identities.subject,
			firstName: users.firstName,
			lastName: users.lastName,
			role: users.role,
			isViewer: users.isViewer,
			approvalStatus: users.approvalStatus,
			isActive: users.isActive,
		})
		.from(identities)
		.innerJoin(users, eq(users.id, identities.userId))
		.where(and(eq(identities.issuer, LOCAL_ISSUER), isNull(users.deletedAt)))
		.orderBy(asc(identities.createdAt))
		.limit(24);
}
