/** The fleet's tokens, without anything that lets one be used or recognized. */
import { and, asc, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { apiTokens, users } from "../../db/schema.ts";
import { MAX_ENDED, MAX_LIVE, WARNING_MS } from "./rules.ts";

const COLUMNS = {
	id: apiTokens.id,
	name: apiTokens.name,
	scope: apiTokens.scope,
	createdAt: apiTokens.createdAt,
	expiresAt: apiTokens.expiresAt,
	lastUsedAt: apiTokens.lastUsedAt,
	revokedAt: apiTokens.revokedAt,
	ownerFirstName: users.firstName,
	ownerLastName: users.lastName,
	ownerEmail: users.email,
};

const withOwners = (build: Builder) =>
	build.select(COLUMNS).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.ownerId));

const isUsableAt = (now: number) => and(isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, now));

/** Usable tokens, the first to expire first. */
export const selectLiveTokens = (build: Builder, now: number) =>
	withOwners(build)
		.where(isUsableAt(now))
		.orderBy(asc(apiTokens.expiresAt), asc(apiTokens.id))
		.limit(MAX_LIVE);

/** Revoked or expired tokens, newest first. */
export const selectEndedTokens = (build: Builder, now: number) =>
	withOwners(build)
		.where(sql`${apiTokens.revokedAt} is not null or ${apiTokens.expiresAt} <= ${now}`)
		.orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
		.limit(MAX_ENDED);

/** Tokens that expire within a week and are older than that, with their owners. */
export const selectExpiringTokens = (build: Builder, now: number) =>
	build
		.select({
			id: apiTokens.id,
			ownerId: apiTokens.ownerId,
			name: apiTokens.name,
			expiresAt: apiTokens.expiresAt,
		})
		.from(apiTokens)
		.where(
			and(
				isUsableAt(now),
				lte(apiTokens.expiresAt, now + WARNING_MS),
				sql`${apiTokens.expiresAt} - ${apiTokens.createdAt} > ${WARNING_MS}`,
			),
		)
		.orderBy(asc(apiTokens.expiresAt))
		.limit(MAX_LIVE);
