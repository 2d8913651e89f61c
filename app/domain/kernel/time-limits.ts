/** How long things can be undone, and how long they last. */

/**
 * How long whoever decided a request or marked a payout as paid can undo that silently, and its
 * emails wait, in milliseconds: 10 minutes.
 */
export const UNDO_WINDOW_MS = 600_000;
/** How long drivers can void or correct their own entries, in milliseconds: 7 days. */
export const DRIVER_VOID_WINDOW_MS = 7 * 86_400_000;
/**
 * Milliseconds after a sign-in within which an account with full access, a token or a webhook
 * can be made: 15 minutes.
 */
export const FRESH_SIGN_IN_MS = 15 * 60_000;
/**
 * Milliseconds until an unclaimed invitation expires. An administrator's and an
 * accountant's give access to everything, so they are short.
 */
export const INVITATION_TTL_MS = {
	driver: 30 * 86_400_000,
	admin: 72 * 3_600_000,
	viewer: 72 * 3_600_000,
} as const;
