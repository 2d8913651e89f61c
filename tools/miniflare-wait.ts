/**
 * Miniflare's calls that look synchronous (`db.prepare`) wait for another thread and take any
 * wake-up for their own. One meant for the previous call that came late on a busy machine left them
 * without an answer: "AssertionError: false == true". Fixed upstream by
 * https://github.com/cloudflare/workers-sdk/pull/15552, which isn't in a release that we use yet;
 * until then, each wait lasts until its own answer is there. Imported only for this side effect.
 */
const wait: typeof Atomics.wait = Atomics.wait.bind(Atomics);

function waitUntilSet(array: Int32Array, index: number, value: number, milliseconds?: number) {
	// With a timeout, the caller has to check after waking anyway.
	if (milliseconds !== undefined) return wait(array, index, value, milliseconds);
	let woken = wait(array, index, value);
	while (woken === "ok" && Atomics.load(array, index) === value) woken = wait(array, index, value);
	return woken;
}

// Vitest runs this again before each file.
if (Atomics.wait.name !== waitUntilSet.name) Atomics.wait = waitUntilSet as typeof Atomics.wait;
