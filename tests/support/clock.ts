/**
 * The tests' one clock. Whoever needs the time, or a date of the fleet, asks here or in
 * fleet-days.ts: never the machine, whose zone may be any, and whose clock a run may set aside
 * (`MILEPOST_CLOCK`).
 */

/** When this process began, as the run says; by the machine's clock when it says nothing. */
const START = process.env.MILEPOST_CLOCK;

/** Milliseconds that the tests, and the Workers they start, are ahead of the machine. */
export const CLOCK_OFFSET = START ? Date.parse(START) - Date.now() : 0;
if (Number.isNaN(CLOCK_OFFSET)) throw new Error(`MILEPOST_CLOCK is no moment: "${START}"`);

/** Now, UTC milliseconds. */
export const currentTime = (): number => Date.now() + CLOCK_OFFSET;
