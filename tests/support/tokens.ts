/** Tokens inserted into the database. */
import { hashOfToken } from "../../app/domain/tokens/hash.server.ts";
import { newToken } from "../../app/domain/tokens/rules.ts";
import { currentTime } from "./clock.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

/** Inserts a token of someone's and returns its text. */
export async function insertToken(
	sql: Sql,
	ownerId: string,
	scope: string,
	more: Row = {},
): Promise<string> {
	const text = newToken();
	await insertRow(sql, "api_tokens", {
		id: crypto.randomUUID(),
		owner_id: ownerId,
		name: `Script to ${scope}`,
		scope,
		token_hash: await hashOfToken(text),
		created_at: 1,
		expires_at: currentTime() + 86_400_000,
		payload_hash: "x",
		...more,
	});
	return text;
}
