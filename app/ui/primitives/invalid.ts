/** What a control looks like while something is wrong with it. */
export const INVALID = "aria-invalid:border-2 aria-invalid:border-bad";
