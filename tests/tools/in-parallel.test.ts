import { expect, it } from "vitest";
import { inParallel } from "../../tools/in-parallel.ts";

it("begins nothing after a failure, and ends what is under way before it says so", async () => {
	const events: string[] = [];
	let letGo = () => {};
	const gate = new Promise<void>((pass) => {
		letGo = pass;
	});
	const all = inParallel(2, ["left", "slow", "bad"], async (item) => {
		events.push(`${item} begins`);
		if (item === "bad") throw new Error("bad");
		await gate;
		events.push(`${item} ends`);
	}).catch((error: Error) => events.push(error.message));
	await new Promise((pass) => setTimeout(pass, 20));
	letGo();
	await all;
	expect(events).toEqual(["bad begins", "slow begins", "slow ends", "bad"]);
});

it("does the work for each item", async () => {
	const done: number[] = [];
	await inParallel(3, [1, 2, 3, 4, 5], async (item) => {
		done.push(item);
	});
	expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
});
