/**
 * The dates of the longest blocks of totals (docs/decisions/0012). They add up to all time: two of them
 * to three years.
 */
export const LONGEST_BLOCK = 256;
