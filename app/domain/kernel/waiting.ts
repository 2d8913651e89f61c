/** What needs a person's attention: the counts in the navigation. */

/** The highest count shown: beyond it the screens say '99+', and no more rows are read. */
export const MAX_WAITING = 99;

/** For an administrator: pending fund requests and applications. */
export type AdminWaiting = { readonly requests: number; readonly drivers: number };

/** For a driver: their own requests with a question they haven't answered. */
export type DriverWaiting = { readonly questions: number };

/** The counts for either portal. */
export type Waiting = Partial<AdminWaiting & DriverWaiting>;
