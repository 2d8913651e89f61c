/** Counts what waits for an administrator, in the trip of whichever page they are on. */
import { and, eq, sql } from "drizzle-orm";
import { prepared } from "../db/prepared.server.ts";
import { driverTotals } from "../db/schema.ts";
import { ALL_TIME } from "./analytics/blocks.ts";
import { FLEET, SUMS } from "./analytics/queries.server.ts";
import { selectOldestApplications } from "./drivers/queries.server.ts";
import { MAX_WAITING } from "./waiting.ts";

/**
 * One row of `Waiting`: the requests from the fleet's totals, the applications from an index, up to
 * one more than `MAX_WAITING`.
 */
export const selectWaiting = () => rowOfWaiting({});

const rowOfWaiting = prepared((build) =>
	build
		.select({
			requests: SUMS.pendingRequests,
			drivers: sql<number>`(select count(*) from ${selectOldestApplications(MAX_WAITING + 1)})`.as(
				"drivers",
			),
		})
		.from(driverTotals)
		.where(
			and(
				eq(driverTotals.driverId, FLEET),
				eq(driverTotals.days, ALL_TIME.days),
				eq(driverTotals.firstDay, ALL_TIME.firstDay),
			),
		),
);
