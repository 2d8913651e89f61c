/** How much of a minute a test may need, in milliseconds. */
const NEEDED_MS = 20_000;

/**
 * Waits for the next minute if this one is nearly over: the local rate limits count from the start
 * of each minute of the machine's clock, and a test of one must not continue into the next.
 */
export async function waitForFreshMinute(): Promise<void> {
	const left = 60_000 - (Date.now() % 60_000);
	if (left < NEEDED_MS) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
