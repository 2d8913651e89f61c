/** One data point for each request, in Workers Analytics Engine. */
import type { Env } from "../env.server.ts";
import { findRule } from "../routing/routes.ts";

/** What a request came to. */
export type Sent = {
	readonly method: string;
	readonly pathname: string;
	readonly status: number;
	readonly milliseconds: number;
	readonly bytes: number;
	readonly end: string;
	readonly d1: { readonly rows: number; readonly trips: number; readonly milliseconds: number };
};

/**
 * Writes the data point, where a dataset is bound. Nobody's id, name or address is in it: a path is
 * told by the line of the route table that it matches.
 */
export function writeMetrics(env: Env, sent: Sent): void {
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
		// A request is never refused because it couldn't be counted.
		console.error(JSON.stringify({ level: "warn", metrics: String(error).slice(0, 200) }));
	}
}
