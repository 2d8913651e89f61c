/** Numbers of things. */

/** Kept, because `toLocaleString` makes one for each number, which takes longer than a row. */
const shown = new Intl.NumberFormat("en-US");

/** `1,234` */
export const formatCount = (count: number): string => shown.format(count);
