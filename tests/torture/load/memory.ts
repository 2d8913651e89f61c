/** Whether a Worker's memory grows while it repeats the same work. */
import { costMeter } from "../../../tools/measure.ts";
import type { Finding } from "../table.ts";

/** The growth between the two halves, in MB, that isn't a leak: V8 returns memory late. */
const MAX_GROWTH = 48;

export class Memory {
	readonly #cost = costMeter();
	readonly #megabytes: number[] = [];

	/** Records and returns the current memory. */
	note(): number | undefined {
		const cost = this.#cost();
		if (cost) this.#megabytes.push(cost.megabytes);
		return cost && Math.round(cost.megabytes);
	}

	/**
	 * How much more memory the process has in the second half than at most in the first, after
	 * warming up; nothing if the system doesn't say.
	 */
	finding(tried: string, times: number): Finding[] {
		const warm = this.#megabytes.slice(Math.floor(this.#megabytes.length / 4));
		if (warm.length < 4) return [];
		const half = Math.floor(warm.length / 2);
		const growth = Math.max(...warm.slice(half)) - Math.max(...warm.slice(0, half));
		return [
			{
				tried,
				times,
				what: "MB more in the second half",
				figure: Math.round(growth),
				must: `at most ${MAX_GROWTH}`,
				isMet: growth <= MAX_GROWTH,
			},
		];
	}
}
