import { describe, expect, it } from "vitest";
import type { Env } from "../env.server.ts";
import { writeMetrics } from "./metrics.ts";

const sent = {
	method: "GET",
	pathname: "/payouts/5b0c8a4e-0000-4000-8000-000000000001",
	status: 200,
	milliseconds: 12,
	bytes: 3456,
	end: "sent",
	d1: { rows: 42, trips: 1, milliseconds: 3 },
};
const envWith = (writeDataPoint: (point?: AnalyticsEngineDataPoint) => void) =>
	({ METRICS: { writeDataPoint } }) as unknown as Env;

describe("a data point", () => {
	it("has the route, never a row's id, and the outcome of the request", () => {
		const points: (AnalyticsEngineDataPoint | undefined)[] = [];
		writeMetrics(
			envWith((point) => points.push(point)),
			sent,
		);
		expect(points).toEqual([
			{
				indexes: ["/payouts/:id"],
				blobs: ["/payouts/:id", "GET", "2xx", "sent", "local"],
				doubles: [200, 12, 42, 1, 3, 3456],
			},
		]);
	});

	it("is skipped without a dataset, and never fails a request", () => {
		writeMetrics({} as Env, sent);
		writeMetrics(
			envWith(() => {
				throw new Error("too many data points");
			}),
			sent,
		);
	});
});
