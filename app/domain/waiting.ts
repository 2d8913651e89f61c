/** What waits for somebody: the counts beside the navigation. */

/** They are shown this far: past it the screens say '99+', and nothing is counted on. */
export const MAX_WAITING = 99;

/** What waits for an administrator: fund requests for a decision, applications for a review. */
export type AdminWaiting = { readonly requests: number; readonly drivers: number };

/** What waits for a driver: their own requests with a question they haven't answered. */
export type DriverWaiting = { readonly questions: number };

/** The counts of whoever's portal it is. */
export type Waiting = Partial<AdminWaiting & DriverWaiting>;
