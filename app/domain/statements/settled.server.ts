/** Which published settlements rest on the money of an import. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";

/** A published settlement, by its number and its week's first day. */
export type RestingSettlement = { readonly number: number; readonly weekFrom: CalendarDate };

/**
 * Settlements published with rows of the import in their week, or with a correction that the rows
 * led to.
 */
const restingSql = (importId: string): SQL => sql`
	select settled.number as number, settled.week_from as weekFrom from fee_imports as source
		cross join statement_money as money on money.import_id = source.id
		cross join settlements as settled on settled.driver_id = money.driver_id
	where source.id = ${importId} and money.is_live = 1 and money.proof <> 'unproven'
		and settled.status <> 'void' and settled.status <> 'draft'
		and settled.week_from >= date(money.counts_to, '-6 days')
		and settled.published_at >= source.created_at
		and (settled.week_from <= money.counts_from or exists (
			select 1 from settlement_lines as line where line.settlement_id = settled.id
				and line.about_week between date(money.counts_to, '-6 days') and money.counts_from))
	order by settled.number limit 1`;

/** Whether a published settlement rests on an import. */
export const isRestedOn = (importId: string): SQL => sql`exists (${restingSql(importId)})`;

/** The first one. */
export const selectResting = (build: Builder, importId: string) =>
	build.all<RestingSettlement>(restingSql(importId));
