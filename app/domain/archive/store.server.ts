/** The archive's only table: complete entries, without references to other tables. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";

/** Every column that can be written. */
export const COLUMNS = [
	"id",
	"driver_id",
	"driven_on",
	"start_miles",
	"end_miles",
	"notes",
	"source",
	"created_at",
	"captured_at",
	"gap_miles",
	"is_overlap",
	"is_out_of_order",
	"is_long",
	"voided_at",
	"voided_by",
	"void_reason",
	"corrects_id",
	"submission_key",
	"payload_hash",
	"last_change_id",
] as const;

/** A complete entry as text: two entries are equal if these texts are. */
export const ENTRY: SQL = sql.raw(`json_array(${COLUMNS.join(", ")})`);

/** Creates the table and its indexes if they don't exist. */
export const prepareStore = (build: Builder) => ({
	table: build.run(sql`create table if not exists mileage_logs (
		id text primary key not null, driver_id text not null, driven_on text not null,
		start_miles integer not null, end_miles integer not null,
		miles integer generated always as (end_miles - start_miles) stored not null,
		notes text, source text not null, created_at integer not null, captured_at integer,
		gap_miles integer, is_overlap integer not null, is_out_of_order integer not null,
		is_long integer not null, voided_at integer, voided_by text, void_reason text,
		corrects_id text, submission_key text, payload_hash text not null, last_change_id text
	) strict`),
	byDriver: build.run(sql`create index if not exists mileage_by_driver_day
		on mileage_logs (driver_id, driven_on, end_miles, id)`),
	byDay: build.run(sql`create index if not exists mileage_by_day on mileage_logs (driven_on, id)`),
	flagged: build.run(sql`create index if not exists mileage_flagged
		on mileage_logs (driven_on, end_miles, id) where voided_at is null
			and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1)`),
});

/** The stored entries with these ids. */
export const selectKept = (build: Builder, ids: string) =>
	build.all<{ entry: string }>(sql`select ${ENTRY} as entry from mileage_logs
		where id in (select value from json_each(${ids}))`);
