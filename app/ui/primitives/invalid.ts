/** The classes of an invalid control. */
export const INVALID = "aria-invalid:border-2 aria-invalid:border-bad";
