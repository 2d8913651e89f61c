/** Reads of agreements. Every query is a statement; none is ever deleted. */
import { and, desc, eq, lte } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { agreements } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import type { Agreement } from "./rules.ts";
import { type AgreementCursor, agreementCursors } from "./search.ts";

/** A driver's agreements, latest start first, and for one day last made first. */
export const listAgreementsOf = (build: Builder, driverId: Owner, limit: number) =>
	build
		.select()
		.from(agreements)
		.where(eq(agreements.driverId, driverId))
		.orderBy(desc(agreements.startsOn), desc(agreements.number))
		.limit(limit);

/** The agreement for a driver's week, by any day of it; no row without one. */
export const selectAgreementFor = (build: Builder, driverId: Owner, day: CalendarDate) =>
	build
		.select()
		.from(agreements)
		.where(and(eq(agreements.driverId, driverId), lte(agreements.startsOn, firstDayOfWeek(day))))
		.orderBy(desc(agreements.startsOn), desc(agreements.number))
		.limit(1);

/** The API's list, last made first. */
export const agreementList = (
	driverId: string | undefined,
): ListSource<Agreement, AgreementCursor> => ({
	cursors: agreementCursors,
	cursorOf: ({ createdAt, id }) => ({ createdAt, id }),
	idOf: ({ id }) => id,
	rows: (build, _, limit, cursor) => {
		const place = cursor && { way: "after" as const, values: [cursor.createdAt, cursor.id] };
		const page = keyset([agreements.createdAt, agreements.id], "desc", place);
		return build
			.select()
			.from(agreements)
			.where(and(driverId === undefined ? undefined : eq(agreements.driverId, driverId), page.past))
			.orderBy(page.order)
			.limit(limit);
	},
});
