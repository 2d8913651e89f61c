/** How errors appear in the log. */

/** An error with its stack, cut to what fits on a log line. */
export function describeError(error: unknown): string {
	return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2000);
}
