/** How close the database is to D1's size limit. */

/** D1's limit on the paid plan, in bytes. */
const FULL = 10e9;
/** Leaves enough time to act on it. */
const WARNED_AT = 0.7 * FULL;

/** @param bytes the database's size; undefined if the runtime doesn't say */
export function judgeSize(bytes: number | undefined): { isSound: boolean; words: string } {
	if (bytes === undefined) return { isSound: true, words: "what runs the database doesn't tell" };
	const words = `${(bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 })} MB of the 10,000 MB that D1 holds`;
	if (bytes < WARNED_AT) return { isSound: true, words };
	return {
		isSound: false,
		words: `${words}: docs/scale.md, 'Which limit comes first', says what to do`,
	};
}
