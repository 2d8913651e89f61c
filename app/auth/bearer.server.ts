/**
 * Tokens: `Authorization: Bearer` on the API and on the files that scripts download. Such a request
 * needs nothing else: no cookie is read (docs/security.md, 'Tokens').
 */
import { and, eq, lt, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../db/client.server.ts";
import { prepare } from "../db/prepared.server.ts";
import { apiTokens, users } from "../db/schema.ts";
import { hashOfToken } from "../domain/tokens/hash.server.ts";
import { isToken } from "../domain/tokens/rules.ts";
import { TOUCH_INTERVAL_MS } from "./session.server.ts";

/** The hash of the token in a request; undefined if it can't be a token. */
export type PresentedToken = { readonly tokenHash: string | undefined };

const BEARER = /^\s*Bearer(?:\s+(.*))?$/i;

/** The token in a request, if there is one. */
export async function readBearer(request: Request): Promise<PresentedToken | undefined> {
	const header = request.headers.get("Authorization");
	const sent = header === null ? null : BEARER.exec(header);
	if (!sent) return undefined;
	const text = sent[1]?.trim() ?? "";
	return { tokenHash: isToken(text) ? await hashOfToken(text) : undefined };
}

/** The token and its owner, whatever their standing. */
export const tokenStatement = prepare((build, value: (name: "tokenHash") => Placeholder) =>
	build
		.select({
			user: users,
			id: sql<string>`${apiTokens.id}`.as("token_id"),
			scope: apiTokens.scope,
			expiresAt: apiTokens.expiresAt,
			revokedAt: apiTokens.revokedAt,
			lastUsedAt: apiTokens.lastUsedAt,
		})
		.from(apiTokens)
		.innerJoin(users, eq(users.id, apiTokens.ownerId))
		.where(eq(apiTokens.tokenHash, value("tokenHash"))),
);

/** The owner's id as a sub-select, for data that is read in the batch that proves the token. */
export function tokenOwner(tokenHash: string, now: number): SQL<string> {
	return sql<string>`(select ${apiTokens.ownerId} from ${apiTokens}
		where ${apiTokens.tokenHash} = ${tokenHash} and ${apiTokens.revokedAt} is null
			and ${apiTokens.expiresAt} > ${now})`;
}

/** Notes that a token was used, at most once an hour. */
export function usedStatement(build: Builder, id: string, now: number) {
	const before = now - TOUCH_INTERVAL_MS;
	return build
		.update(apiTokens)
		.set({ lastUsedAt: now })
		.where(
			and(
				eq(apiTokens.id, id),
				or(sql`${apiTokens.lastUsedAt} is null`, lt(apiTokens.lastUsedAt, before)),
			),
		);
}
