import { eq, sql } from "drizzle-orm";
import { apiTokens } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";

export type RevokeRefusal = Refused<"not-found"> | Refused<"revoked-before">;

/** Revokes a token, whoever made it, for good; returns its name. */
export async function revokeToken(
	admin: AdminContext,
	id: string,
): Promise<Outcome<string, RevokeRefusal>> {
	const { changed, rows } = await transition(admin, {
		table: apiTokens,
		rows: eq(apiTokens.id, id),
		when: sql`${apiTokens.revokedAt} is null`,
		set: { revokedAt: admin.now, revokedBy: admin.user.id },
		audit: {
			action: "token.revoke",
			entity: "api-token",
			before: sql`json_object('name', ${apiTokens.name})`,
		},
		read: (build) =>
			build.select({ name: apiTokens.name }).from(apiTokens).where(eq(apiTokens.id, id)),
	});
	const [token] = rows;
	if (!token) return refused("not-found");
	return changed.has(id) ? done(token.name) : refused("revoked-before");
}
