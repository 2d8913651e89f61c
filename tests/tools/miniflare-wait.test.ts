import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import "../../tools/miniflare-wait.ts";

it("keeps waiting when it is woken too early", async () => {
	const flag = new Int32Array(new SharedArrayBuffer(8));
	const worker = new Worker(
		`const { workerData: flag } = require("node:worker_threads");
		// Wakes the sleeper for nothing, three times, then for something.
		for (let woken = 0; woken < 3; ) woken += Atomics.notify(flag, 0);
		Atomics.store(flag, 1, 1);
		Atomics.store(flag, 0, 1);
		while (Atomics.notify(flag, 0) === 0 && Atomics.load(flag, 1) === 1);`,
		{ eval: true, workerData: flag },
	);
	expect(Atomics.wait(flag, 0, 0)).toMatch(/ok|not-equal/);
	expect([...flag]).toEqual([1, 1]);
	Atomics.store(flag, 1, 2);
	await worker.terminate();
});

it("leaves a wait with a timeout as it is", () => {
	const flag = new Int32Array(new SharedArrayBuffer(4));
	expect(Atomics.wait(flag, 0, 0, 1)).toBe("timed-out");
	expect(Atomics.wait(flag, 0, 1, 1)).toBe("not-equal");
});
