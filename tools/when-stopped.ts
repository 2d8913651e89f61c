/** Removes what a tool has written when it is stopped, as by Ctrl-C, so that no copy of a fleet's data is left behind. */
import { existsSync, rmSync } from "node:fs";
import { constants } from "node:os";

/**
 * Removes these files and folders once the process is told to end, and ends it.
 * @returns a function that cancels this: the files stay
 */
export function removeWhenStopped(paths: readonly string[]): () => void {
	const stops = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
		const stop = () => {
			removeInUse(paths);
			process.exit(128 + constants.signals[signal]);
		};
		// Miniflare's own listener ends the process.
		process.prependOnceListener(signal, stop);
		return () => process.off(signal, stop);
	});
	return () => {
		for (const keep of stops) keep();
	};
}

/** How long removing may take while something is still writing, in milliseconds. */
const REMOVAL_MS = 5000;
/** How long a file being written when the process was stopped may take. */
const PAUSE_MS = 200;

/**
 * Removes what something, such as a scratch database, is still writing to: a file that appears while
 * its folder is being emptied makes the removal fail, and one that appears afterwards brings it back.
 */
function removeInUse(paths: readonly string[]): void {
	const pause = new Int32Array(new SharedArrayBuffer(4));
	for (const end = performance.now() + REMOVAL_MS; ; ) {
		try {
			for (const path of paths) rmSync(path, { recursive: true, force: true });
		} catch (error) {
			if (performance.now() > end) throw error;
		}
		Atomics.wait(pause, 0, 0, PAUSE_MS);
		if (!paths.some((path) => existsSync(path)) || performance.now() > end) return;
	}
}
