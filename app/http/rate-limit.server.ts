/** Limits that Cloudflare counts, where one is configured. */

/** What a limit counts by, as its binding has it. */
export type Limiter = { limit(by: { key: string }): Promise<{ success: boolean }> };

/** Seconds after which somebody over a limit may try again. */
export const LIMIT_PERIOD = "60";

/** What a person's statements are counted under: they don't use up the files they may download. */
export const statementsKey = (userId: string): string => `statements:${userId}`;
/** The same of lists that are read whole. */
export const listsKey = (userId: string): string => `lists:${userId}`;

/** True when the key is over its limit; always false where no limit is configured. */
export async function isOverLimit(limiter: Limiter | undefined, key: string): Promise<boolean> {
	return (await limiter?.limit({ key }))?.success === false;
}
