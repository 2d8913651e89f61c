/** The rows of statements that a settlement's lines came from, as the books have them today. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MONEY_KINDS, type MoneyKind, type Proof } from "../statements/money.ts";
import { MAX_SOURCE_ROWS } from "./rules.ts";

/** A row of a platform's file; its cents are plus for the driver. */
export type SourceRow = Readonly<Record<`${MoneyKind}_cents`, number>> & {
	readonly importId: string;
	readonly importedAt: number;
	readonly fileName: string;
	readonly platform: string;
	readonly row: number;
	readonly from: CalendarDate;
	readonly to: CalendarDate;
	readonly proof: Proof;
};

/** One more than a page shows says that there are more. */
export const selectSourceRows = (build: Builder, id: string) =>
	build.all<SourceRow>(sql`
		select source.id as importId, source.created_at as importedAt, source.file_name as fileName,
			money.platform, money.row_number as "row", money.counts_from as "from",
			money.counts_to as "to", money.proof,
			${sql.raw(MONEY_KINDS.map((kind) => `money.${kind}_cents`).join(", "))}
		from settlements as own
			cross join statement_money as money on money.driver_id = own.driver_id
				and money.counts_to between own.week_from and date(own.week_from, '+6 days')
				and money.is_live = 1
			cross join fee_imports as source on source.id = money.import_id
		where own.id = ${id}
		order by money.platform desc, money.counts_to, money.row_number
		limit ${MAX_SOURCE_ROWS + 1}`);
