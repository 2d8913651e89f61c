import { asc, gt, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { fundRequests } from "../../../db/schema.ts";
import { dateIn } from "../../../values/calendar-date.ts";
import type { OperatorContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";

/** Requests per transaction. */
const AT_ONCE = 2000;

/**
 * Re-dates every request by its moment in a time zone, for a fleet that has changed its own. The
 * triggers move its totals. Each transaction writes one audit entry with the number of changed
 * requests.
 * @returns how many changed
 */
export async function redateRequests(operator: OperatorContext, timeZone: string): Promise<number> {
	let moved = 0;
	let { page } = await operator.db.batch({ page: requestsAfter(operator.db.build, 0) });
	for (let last = page.at(-1); last; last = page.at(-1)) {
		const { number } = last;
		const dates = page
			.map(({ id, createdAt, requestedOn }) => ({
				id,
				requestedOn,
				date: dateIn(timeZone, createdAt),
			}))
			.filter(({ requestedOn, date }) => requestedOn !== date);
		const list = JSON.stringify(Object.fromEntries(dates.map(({ id, date }) => [id, date])));
		const seen = JSON.stringify(dates.map(({ id, requestedOn }) => [id, requestedOn]));
		const { changed, rows } = await transition(operator, {
			table: fundRequests,
			rows: sql`${fundRequests.id} in (select key from json_each(${list}))`,
			// Nobody else has re-dated it meanwhile.
			when: sql`(${fundRequests.id}, ${fundRequests.requestedOn}) in
				(select value ->> 0, value ->> 1 from json_each(${seen}))`,
			set: {
				requestedOn: sql`(select value from json_each(${list}) where key = ${fundRequests.id})`,
			},
			audit: {
				action: "request.redate",
				entity: "fund-requests",
				entityId: timeZone,
				after: sql`json_object('requests', count(*), 'timeZone', ${timeZone})`,
			},
			read: (build) => requestsAfter(build, number),
		});
		moved += changed.size;
		page = rows;
	}
	return moved;
}

/** The next requests in the order of their numbers. */
function requestsAfter(build: Builder, number: number) {
	return build
		.select({
			id: fundRequests.id,
			number: fundRequests.number,
			createdAt: fundRequests.createdAt,
			requestedOn: fundRequests.requestedOn,
		})
		.from(fundRequests)
		.where(gt(fundRequests.number, number))
		.orderBy(asc(fundRequests.number))
		.limit(AT_ONCE);
}
