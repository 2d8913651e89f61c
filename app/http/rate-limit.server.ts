/** Rate limits counted by Cloudflare, where configured. */

/** The binding that counts. */
export type Limiter = { limit(by: { key: string }): Promise<{ success: boolean }> };

/** Seconds after which to try again. */
export const LIMIT_PERIOD = "60";

/** The key of a person's downloads, which don't count toward their reports. */
export const downloadsKey = (userId: string): string => `downloads:${userId}`;
/** The same for complete lists. */
export const listsKey = (userId: string): string => `lists:${userId}`;

/** Whether the key is over its limit; always false where no limit is configured. */
export async function isOverLimit(limiter: Limiter | undefined, key: string): Promise<boolean> {
	return (await limiter?.limit({ key }))?.success === false;
}
