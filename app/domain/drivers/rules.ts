/** How long an invitation lasts, and how many people a list shows. */

/**
 * Milliseconds until an unclaimed invitation expires. An administrator's gives access to
 * everything, so it is short.
 */
export const INVITATION_TTL_MS = { driver: 30 * 86_400_000, admin: 72 * 3_600_000 } as const;

/** Milliseconds after a sign-in within which an administrator can be created: 15 minutes. */
export const FRESH_SIGN_IN_MS = 15 * 60_000;

/** Rows on one page of the active and of the inactive drivers. */
export const DRIVERS_PAGE_SIZE = 50;
/** Applications shown at once; the oldest come first, so the others move up as they are decided. */
export const MAX_PENDING = 50;
/** Rejected applications, and administrators, shown at once. */
export const MAX_OTHERS = 100;
