/** Counts what needs a person's attention, in the trip of whichever page they are on. */
import { and, desc, eq, sql } from "drizzle-orm";
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepare, prepareForOwner } from "../../db/prepared.server.ts";
import { blockTotals, fundRequests } from "../../db/schema.ts";
import { FLEET, SUMS } from "../analytics/queries.server.ts";
import { MAX_WAITING } from "../kernel/waiting.ts";
import { selectOldestApplications } from "../people/queries.server.ts";

/**
 * One row of `AdminWaiting`: the requests from the fleet's totals, the applications from an index,
 * up to one more than `MAX_WAITING`.
 */
export const selectWaiting = () => rowOfWaiting({});

const rowOfWaiting = prepare((build) =>
	build
		.select({
			requests: SUMS.pendingRequests,
			drivers: sql<number>`(select count(*) from ${selectOldestApplications(MAX_WAITING + 1)})`.as(
				"drivers",
			),
		})
		.from(blockTotals)
		.where(and(eq(blockTotals.driverId, FLEET), eq(blockTotals.days, LONGEST_BLOCK))),
);

/**
 * One row of `DriverWaiting`, from the driver's newest pending requests: more than are shown at a
 * time, but a bounded number.
 * @param driverId an id, or a sub-select of one
 */
export const selectQuestionsFor = (driverId: Owner) => questionsOf(driverId, {});

const questionsOf = prepareForOwner((build, driverId) => {
	const newest = build
		.select({ question: fundRequests.question })
		.from(fundRequests)
		.where(sql`${fundRequests.driverId} = ${driverId} and ${fundRequests.status} = 'pending'`)
		.orderBy(desc(fundRequests.createdAt), desc(fundRequests.number))
		.limit(MAX_WAITING + 1);
	return build
		.select({ questions: sql<number>`count(*) filter (where question = 'asked')`.as("questions") })
		.from(sql`${newest}`);
});
