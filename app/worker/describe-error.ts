/** How errors are worded in the log. */

/** An error as it is logged: with its stack, and never longer than a line may be. */
export function describeError(error: unknown): string {
	return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2000);
}
