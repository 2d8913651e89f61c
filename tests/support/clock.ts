/**
 * The tests' only clock. Tests read the time here and the fleet's dates from fleet-days.ts, never
 * from the machine, whose time zone may be any and whose clock a run may shift (`MILEPOST_CLOCK`).
 */

/** When the run says that this process started; without it, the machine's clock counts. */
const START = process.env.MILEPOST_CLOCK;

/** How many milliseconds the tests and their Workers are ahead of the machine. */
export const CLOCK_OFFSET = START ? Date.parse(START) - Date.now() : 0;
if (Number.isNaN(CLOCK_OFFSET)) throw new Error(`MILEPOST_CLOCK is not a valid time: "${START}"`);

/** The current time in UTC milliseconds. */
export const currentTime = (): number => Date.now() + CLOCK_OFFSET;

/** How much of a minute a test of a rate limit may need, in milliseconds. */
const LIMIT_TEST_MS = 20_000;

/**
 * Waits for the next minute if this one is nearly over: the local rate limits count from the start
 * of each minute of the machine's own clock, and a test of one must not continue into the next.
 */
export async function waitForFreshMinute(): Promise<void> {
	const left = 60_000 - (Date.now() % 60_000);
	if (left < LIMIT_TEST_MS) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
