/** How many times the usual value counts as an outlier, and how far above the others it is cut. */
const OUTLIER = 6;
const ABOVE_OTHERS = 1.5;

/**
 * The value at which a chart's bars are cut, so that one outlier doesn't make all others
 * unreadable: the highest value, or half again the highest that isn't an outlier. Outliers are more
 * than six times the median, and at most a quarter of the positive values.
 */
export function chartTop(values: readonly number[]): number {
	const positive = values.filter((value) => value > 0).sort((one, other) => one - other);
	const highest = positive.at(-1) ?? 0;
	const usual = positive[Math.floor((positive.length - 1) / 2)] ?? 0;
	const others = positive.filter((value) => value <= OUTLIER * usual);
	if (4 * (positive.length - others.length) > positive.length) return highest;
	return Math.min(highest, ABOVE_OTHERS * (others.at(-1) ?? highest));
}
