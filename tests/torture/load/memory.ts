/** Whether a Worker's memory grows while it does the same again and again. */
import { costMeter } from "../../../tools/measure.ts";
import type { Finding } from "../table.ts";

/** Growth from one half to the other that is no leak: V8 gives its heap back late. */
const MAX_GROWTH = 48;

export class Memory {
	readonly #cost = costMeter();
	readonly #megabytes: number[] = [];

	/** Looks at it, and says what it is. */
	note(): number | undefined {
		const cost = this.#cost();
		if (cost) this.#megabytes.push(cost.megabytes);
		return cost && Math.round(cost.megabytes);
	}

	/**
	 * How much more the process holds in the second half than at most in the first, once it is warm;
	 * nothing where the system doesn't tell.
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
