/** Formats counts. */

/**
 * Cached, because `toLocaleString` creates one for each number, which takes longer than building a
 * row.
 */
const shown = new Intl.NumberFormat("en-US");

/** `1,234` */
export const formatCount = (count: number): string => shown.format(count);

/** `1 request`, `1,204 requests`; the plural is given if it isn't the noun with an s. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
	`${formatCount(count)} ${count === 1 ? one : many}`;
