/**
 * A heap for each isolate of a local workerd that is no larger than Cloudflare's. V8 is told by
 * workerd's configuration, and Miniflare has no option for it, so Miniflare is given a program to
 * run in workerd's place that adds the flag and then becomes workerd.
 */
import { join } from "node:path";
import process from "node:process";
import type { Miniflare } from "miniflare";

/** Megabytes that Cloudflare gives an isolate. */
export const ISOLATE_MEGABYTES = 128;

/** What Miniflare and the program read from the environment. */
const environmentFor = (megabytes: number): Readonly<Record<string, string>> => ({
	MINIFLARE_WORKERD_PATH: join(process.cwd(), "tools", "workerd-with-flags.sh"),
	V8_FLAGS: `--max-heap-size=${megabytes}`,
});

/**
 * Starts a Miniflare whose isolates have heaps of at most so many megabytes: past it V8 ends the
 * process, as Cloudflare would the isolate.
 * @param start makes the Miniflare
 */
export async function withHeapLimit(megabytes: number, start: () => Miniflare): Promise<Miniflare> {
	const before = { ...process.env };
	Object.assign(process.env, environmentFor(megabytes));
	try {
		const worker = start();
		await worker.ready;
		return worker;
	} finally {
		for (const name of Object.keys(environmentFor(megabytes))) {
			const value = before[name];
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	}
}
