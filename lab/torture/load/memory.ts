/** Whether a Worker's memory grows while it repeats the same work. */
import type { Fleet } from "../../../tests/support/worker.ts";
import type { Finding } from "../table.ts";

/** The growth between the two halves, in MB, that isn't a leak: caches that fill up. */
const MAX_GROWTH = 4;

/**
 * The memory of the Worker's isolate, which Cloudflare limits. The whole process's says less: it
 * includes the local D1 and R2, which grow with what they store.
 */
export class Memory {
	readonly #megabytes: number[] = [];

	/** @param fleet opened with `isInspected` */
	constructor(private readonly fleet: Fleet) {}

	/** Records and returns what is in use after collecting garbage. */
	async note(): Promise<number> {
		const megabytes = await this.fleet.heap();
		this.#megabytes.push(megabytes);
		return megabytes;
	}

	/** How much the second half's memory exceeded the first's maximum, after warming up. */
	finding(tried: string, times: number): Finding[] {
		const warm = this.#megabytes.slice(Math.floor(this.#megabytes.length / 4));
		if (warm.length < 4) return [];
		const half = Math.floor(warm.length / 2);
		const growth = Math.max(...warm.slice(half)) - Math.max(...warm.slice(0, half));
		return [
			{
				tried,
				times,
				what: `MB more in the isolate in the second half, at most ${Math.max(...warm).toFixed(1)}`,
				figure: Math.round(growth * 10) / 10,
				must: `at most ${MAX_GROWTH}`,
				isMet: growth <= MAX_GROWTH,
			},
		];
	}
}
