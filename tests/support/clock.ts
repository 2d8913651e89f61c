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
