/**
 * Limits the heap of each isolate in a local workerd to Cloudflare's limit. V8 takes it from
 * workerd's configuration and Miniflare has no option for it, so Miniflare is given a program to
 * run instead, which adds the flag and then becomes workerd.
 */
import { join } from "node:path";
import process from "node:process";
import type { Miniflare } from "miniflare";

/** Cloudflare's limit for an isolate, in megabytes. */
export const ISOLATE_MEGABYTES = 128;

/** What Miniflare and the program read from the environment. */
const environmentFor = (megabytes: number): Readonly<Record<string, string>> => ({
	MINIFLARE_WORKERD_PATH: join(process.cwd(), "lab", "workerd-with-flags.sh"),
	V8_FLAGS: `--max-heap-size=${megabytes}`,
});

/**
 * Starts a Miniflare whose isolates have at most this many megabytes of heap. Beyond that V8 ends
 * the process, as Cloudflare would end the isolate.
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
