import { sql } from "drizzle-orm";
import { apiTokens } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { isFreshSession } from "../../kernel/fresh-session.server.ts";
import { hashOfToken } from "../hash.server.ts";
import type { NewTokenInput } from "../input.ts";
import { expiryOf, MAX_LIVE, newToken } from "../rules.ts";

export type MakeTokenRefusal =
	| Refused<"sign-in-again">
	| Refused<"too-many">
	| Refused<"made-before">
	| Refused<"key-reused">;
/** The only time that a token's text exists here. */
export type MadeToken = { readonly id: string; readonly text: string };

/**
 * Makes a token that acts as the administrator, within 15 minutes of proving their identity at a
 * sign-in.
 */
export async function makeToken(
	admin: AdminContext,
	{ name, scope, days, key }: NewTokenInput,
): Promise<Outcome<MadeToken, MakeTokenRefusal>> {
	const { user, now } = admin;
	const id = crypto.randomUUID();
	const text = newToken();
	const created = await createOnce(admin, {
		table: apiTokens,
		id,
		creator: apiTokens.ownerId,
		key,
		payload: [name, scope, days],
		facts: {
			isFresh: isFreshSession(admin),
			live: sql<number>`(select count(*) from (select 1 from api_tokens
				where revoked_at is null and expires_at > ${now} limit ${MAX_LIVE}))`,
		},
		accepts: sql`isFresh and live < ${MAX_LIVE}`,
		values: {
			ownerId: user.id,
			name,
			scope,
			tokenHash: await hashOfToken(text),
			createdAt: now,
			expiresAt: expiryOf(now, days),
		},
		audit: {
			action: "token.make",
			entity: "api-token",
			after: sql`json_object('name', ${apiTokens.name}, 'scope', ${apiTokens.scope},
				'expiresAt', ${apiTokens.expiresAt})`,
		},
		read: (build, rows) => build.select({ id: apiTokens.id }).from(apiTokens).where(rows),
	});
	switch (created.kind) {
		case "created":
			return done({ id, text });
		case "replayed":
			return refused("made-before");
		case "key-reused":
			return refused("key-reused");
		case "refused":
			return refused(created.facts.isFresh ? "too-many" : "sign-in-again");
	}
}
