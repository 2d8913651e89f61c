/** Formats counts. */

/**
 * Cached, because `toLocaleString` creates one for each number, which takes longer than building a
 * row.
 */
const shown = new Intl.NumberFormat("en-US");

/** `1,234` */
export const formatCount = (count: number): string => shown.format(count);
