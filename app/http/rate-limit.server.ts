/** Limits that Cloudflare counts, where one is configured. */

/** What a limit counts by, as its binding has it. */
type Limiter = { limit(by: { key: string }): Promise<{ success: boolean }> };

/** True when the key is over its limit; always false where no limit is configured. */
export async function isOverLimit(limiter: Limiter | undefined, key: string): Promise<boolean> {
	return (await limiter?.limit({ key }))?.success === false;
}
