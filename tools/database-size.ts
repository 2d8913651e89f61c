/** How near the database is to the size at which D1 takes no more. */

/** What D1 holds on the paid plan, in bytes. */
const FULL = 10e9;
/** Enough time is left to do something about it. */
const WARNED_AT = 0.7 * FULL;

/** @param bytes the size of the database, undefined where what runs it doesn't tell */
export function judgeSize(bytes: number | undefined): { isSound: boolean; words: string } {
	if (bytes === undefined) return { isSound: true, words: "what runs the database doesn't tell" };
	const words = `${(bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 })} MB of the 10,000 MB that D1 holds`;
	if (bytes < WARNED_AT) return { isSound: true, words };
	return {
		isSound: false,
		words: `${words}: docs/scale.md, 'What gives out first', says what to do`,
	};
}
