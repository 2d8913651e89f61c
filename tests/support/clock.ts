/**
 * The tests' only clock. Whatever needs the time or a date of the fleet gets it here or from
 * fleet-days.ts, never from the machine, which may be in any zone and whose clock a run may shift
 * (`MILEPOST_CLOCK`).
 */

/** When this process started, according to the run, or else to the machine's clock. */
const START = process.env.MILEPOST_CLOCK;

/** How many milliseconds the tests, and the Workers they start, are ahead of the machine. */
export const CLOCK_OFFSET = START ? Date.parse(START) - Date.now() : 0;
if (Number.isNaN(CLOCK_OFFSET)) throw new Error(`MILEPOST_CLOCK is no moment: "${START}"`);

/** Now, UTC milliseconds. */
export const currentTime = (): number => Date.now() + CLOCK_OFFSET;
