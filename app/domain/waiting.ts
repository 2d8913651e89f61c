/** What waits for an administrator: the counts beside the navigation. */

/** They are shown this far: past it the screens say '99+', and applications aren't counted on. */
export const MAX_WAITING = 99;

/** How many fund requests wait for a decision, and how many applications for a review. */
export type Waiting = { readonly requests: number; readonly drivers: number };
