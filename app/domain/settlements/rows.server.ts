/** Settlements as reads select them: published as stored, drafts with what they follow from. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { packed } from "../../db/packed.server.ts";
import { settlements, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { THREADS, threadOf } from "../messages/thread.server.ts";
import { draftOf } from "./facts.server.ts";
import { PAYOUT } from "./own-list.server.ts";
import type { Line, LineKind } from "./week.ts";

const COLUMNS = {
	id: settlements.id,
	number: settlements.number,
	driverId: settlements.driverId,
	weekFrom: settlements.weekFrom,
	status: settlements.status,
	createdAt: settlements.createdAt,
	carriedInCents: settlements.carriedInCents,
	resultCents: settlements.resultCents,
	publishedAt: settlements.publishedAt,
	payoutId: settlements.payoutId,
	carriedBy: settlements.carriedBy,
	question: settlements.question,
};

const DRIVER = {
	firstName: users.firstName,
	lastName: users.lastName,
	driverNumber: users.driverNumber,
	isActive: users.isActive,
};

type StoredLine = readonly [
	kind: LineKind,
	platform: string | null,
	text: string,
	cents: number,
	about: CalendarDate | null,
	chargeId: string | null,
];

const LINES = sql<Line[]>`(select json_group_array(json_array(line.kind, line.platform, line.text,
		line.amount_cents, line.about_week, line.charge_id))
	from (select * from settlement_lines where settlement_id = ${settlements.id}
		order by place) as line)`
	.mapWith((text: string): Line[] =>
		(JSON.parse(text) as StoredLine[]).map(([kind, platform, words, cents, about, chargeId]) => ({
			...{ kind, platform, text: words, cents, about, chargeId },
		})),
	)
	.as("lines");

const DRAFT = sql<string | null>`iif(${settlements.status} = 'draft', ${draftOf({
	driverId: sql`${settlements.driverId}`,
	from: sql`${settlements.weekFrom}`,
})}, null)`.as("draft");

/** Settlements with their drivers, lines, payouts and threads. */
export function settlementsWithLines(build: Builder) {
	return build
		.select({
			settlement: packed(COLUMNS, "settlement"),
			driver: packed(DRIVER, "driver"),
			lines: LINES,
			payout: PAYOUT,
			draft: DRAFT,
			thread: threadOf(THREADS.settlement),
		})
		.from(settlements)
		.innerJoin(users, eq(users.id, settlements.driverId));
}

/** Settlements with these ids. */
export const hasIdIn = (ids: readonly string[]): SQL =>
	sql`${settlements.id} in (select value from json_each(${JSON.stringify(ids)}))`;

export type SettlementRow = Awaited<ReturnType<typeof settlementsWithLines>>[number];
