/** Rate limits counted by Cloudflare, where configured. */

/** The binding that counts. */
export type Limiter = { limit(by: { key: string }): Promise<{ success: boolean }> };

/** Seconds after which to try again. */
export const LIMIT_PERIOD = "60";

/** Whether the key is over its limit; always false where no limit is configured. */
export async function isOverLimit(limiter: Limiter | undefined, key: string): Promise<boolean> {
	return (await limiter?.limit({ key }))?.success === false;
}

/** What a person may transfer often but not endlessly. */
type Transfer = "downloads" | "lists" | "statements";

/** Whether a person has exceeded the limit of such transfers; each kind counts separately. */
export const isOverTransferLimit = (
	{ TRANSFER_LIMIT }: { readonly TRANSFER_LIMIT?: Limiter },
	what: Transfer,
	userId: string,
): Promise<boolean> => isOverLimit(TRANSFER_LIMIT, `${what}:${userId}`);
