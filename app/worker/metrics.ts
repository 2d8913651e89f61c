/** Writes one data point per request to Workers Analytics Engine. */
import type { Env } from "../env.server.ts";
import { findRule } from "../routing/routes.ts";

/** The outcome of a request. */
export type RequestOutcome = {
	readonly method: string;
	readonly pathname: string;
	readonly status: number;
	readonly milliseconds: number;
	readonly bytes: number;
	readonly end: string;
	readonly d1: { readonly rows: number; readonly trips: number; readonly milliseconds: number };
};

/**
 * Writes the data point if a dataset is bound. It contains no ids, names or addresses; the path is
 * the matching line of the route table.
 */
export function writeMetrics(env: Env, sent: RequestOutcome): void {
	if (!env.METRICS) return;
	const { method, pathname, status, milliseconds, bytes, end, d1 } = sent;
	const route = findRule(pathname).path;
	try {
		env.METRICS.writeDataPoint({
			indexes: [route],
			blobs: [
				route,
				method,
				`${Math.floor(status / 100)}xx`,
				end,
				env.CF_VERSION_METADATA?.id ?? "local",
			],
			doubles: [status, milliseconds, d1.rows, d1.trips, d1.milliseconds, bytes],
		});
	} catch (error) {
		// Failing to count a request must not fail the request.
		console.error(JSON.stringify({ level: "warn", metrics: String(error).slice(0, 200) }));
	}
}
