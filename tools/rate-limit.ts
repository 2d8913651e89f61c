/**
 * Cloudflare's limit of API requests: 1,200 in five minutes, after which everything is refused for
 * the rest of them. A restore and a drill of a few hundred receipts need more.
 */

/** How long one request may have to wait, in milliseconds: longer than the limit lasts. */
const MOST_MS = 330_000;
/** Until when waiting has been announced. */
let announced = 0;

/** Waits whenever a request is refused for the limit, as long as the response says. */
export class LimitWait {
	#waited = 0;

	/** @returns false if the response doesn't say how long, or it would be too long in all */
	async passes(status: number, headers: Headers): Promise<boolean> {
		const pause = Number(headers.get("Retry-After")) * 1000;
		if (status !== 429 || !(pause > 0) || this.#waited + pause > MOST_MS) return false;
		this.#waited += pause;
		if (performance.now() > announced) {
			announced = performance.now() + pause;
			if (pause > 5000)
				console.error(
					`Cloudflare takes no more requests for now. Continuing in ${pause / 1000} seconds.`,
				);
		}
		await new Promise((resolve) => setTimeout(resolve, pause));
		return true;
	}
}
