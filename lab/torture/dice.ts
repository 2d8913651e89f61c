/** Random choices, repeatable from a seed. */
import { random } from "../../tests/money/model.ts";

export class Dice {
	readonly below: (most: number) => number;
	constructor(seed: number) {
		this.below = random(seed);
	}
	/** True once in this many throws on average. */
	once(sides: number): boolean {
		return this.below(sides) === 0;
	}
	shuffle<T>(list: readonly T[]): T[] {
		const left = [...list];
		return list.flatMap(() => left.splice(this.below(left.length), 1));
	}
	/** @throws if there is nothing to choose from */
	pick<T>(list: readonly T[]): T {
		const found = list[this.below(list.length)];
		if (found === undefined) throw new Error("nothing to choose from");
		return found;
	}
}

/** The dice of one round, the same for a seed and round regardless of earlier throws. */
export const diceOf = (seed: number, round: number): Dice =>
	new Dice((Math.imul(seed, 0x9e3779b1) + Math.imul(round + 1, 0x85ebca6b)) >>> 0);
