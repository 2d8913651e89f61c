/** Limits that Cloudflare counts, where one is configured. */

/** What a limit counts by, as its binding has it. */
type Limiter = { limit(by: { key: string }): Promise<{ success: boolean }> };

/** True when whoever the key names has asked more often than their limit allows; without a limit nobody has. */
export async function isOverLimit(limiter: Limiter | undefined, key: string): Promise<boolean> {
	return (await limiter?.limit({ key }))?.success === false;
}
