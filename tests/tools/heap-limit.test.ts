import type { Readable } from "node:stream";
import { Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { withHeapLimit } from "../../lab/heap-limit.ts";

/** Holds as many megabytes of numbers as the path names. */
const HOARDER = `export default {
	async fetch(request) {
		const held = [];
		while (held.length < Number(new URL(request.url).pathname.slice(1))) held.push(Array.from({ length: 131_072 }, (_, k) => k + 0.5));
		return new Response(String(held.length));
	},
};`;

it("ends a Worker that exceeds its heap, and none that doesn't", async () => {
	const said: string[] = [];
	const worker = await withHeapLimit(
		64,
		() =>
			new Miniflare({
				modules: true,
				script: HOARDER,
				handleRuntimeStdio: (out: Readable, err: Readable) =>
					void [out, err].map((stream) =>
						stream.on("data", (chunk: Buffer) => said.push(String(chunk))),
					),
			}),
	);
	const hold = async (megabytes: number) =>
		(await worker.dispatchFetch(`http://hoarder/${megabytes}`)).text();
	expect(await hold(32)).toBe("32");
	await expect(hold(96)).rejects.toThrow();
	await expect.poll(() => said.join("")).toContain("Reached heap limit");
	await worker.dispose();
});

it("passes on a configuration larger than a pipe's buffer, and restores the environment", async () => {
	const before = { ...process.env };
	const script = `// ${"x".repeat(1_000_000)}\nexport default { fetch: () => new Response("large") };`;
	const worker = await withHeapLimit(64, () => new Miniflare({ modules: true, script }));
	expect(await (await worker.dispatchFetch("http://large/")).text()).toBe("large");
	expect(process.env).toEqual(before);
	await worker.dispose();
});
