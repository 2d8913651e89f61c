/**
 * How long whoever decided a request, or marked a payout as paid, can undo that silently, and its
 * emails wait, in milliseconds: 10 minutes.
 */
export const UNDO_WINDOW_MS = 600_000;
