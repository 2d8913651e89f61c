/**
 * `npm run dev`: `npm start` that rebuilds when a source changes, in the same runtime. A failed
 * build keeps the last good one running.
 */
import { watch } from "node:fs";
import { bundle } from "./bundle.ts";
import { workerOptions } from "./local-worker.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { start } from "./serve.ts";

await start((worker, options) => {
	let timer: NodeJS.Timeout | undefined;
	const rebuild = oneAtATime(async () => {
		const started = Date.now();
		try {
			await bundle("local");
			await worker.setOptions(workerOptions(options));
			console.log(`Rebuilt in ${Date.now() - started} ms.`);
		} catch (error) {
			console.error(error instanceof Error ? error.message : error);
		}
	});
	for (const folder of ["app", "public"]) {
		watch(folder, { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => void rebuild(), 150);
		});
	}
	console.log("Watching app and public ...");
});
