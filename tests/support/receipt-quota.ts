/** A driver who has used up the day's receipts. */
import { MAX_FILES_PER_DAY } from "../../app/domain/kernel/limits.ts";
import { type CastName, idOf } from "./cast.ts";
import { currentTime } from "./clock.ts";

type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

export const useUpReceipts = (sql: Sql, name: CastName) =>
	sql(
		`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
		select lower(hex(randomblob(16))), ?, 'elsewhere/' || lower(hex(randomblob(8))), 'image/png', 1, ?, 'used.png', ? from n`,
		MAX_FILES_PER_DAY,
		idOf(name),
		"a".repeat(64),
		currentTime(),
	);
