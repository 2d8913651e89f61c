import { expect, it } from "vitest";
import { oneAtATime } from "../../tools/one-at-a-time.ts";

/** Lets everything that is ready run. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

it("runs once more for what was asked during a run, and never two at once", async () => {
	const ends: (() => void)[] = [];
	const ask = oneAtATime(() => new Promise((resolve) => ends.push(resolve)));
	const all = ask();
	void ask();
	void ask();
	await settle();
	expect(ends).toHaveLength(1);
	ends[0]?.();
	await settle();
	expect(ends).toHaveLength(2);
	ends[1]?.();
	await all;
	expect(ends).toHaveLength(2);
	const later = ask();
	await settle();
	expect(ends).toHaveLength(3);
	ends[2]?.();
	await later;
});
