/** `npm run torture -- offline`: scripted drivers on a line that breaks; `--submissions 500 --seed 1 --phones 3` say how many, which and how many at once. */
import { parseArgs } from "node:util";
import { torture } from "../tests/offline/torture.ts";
import { findBrowser } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { freePort } from "./free-port.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		submissions: { type: "string", default: "500" },
		seed: { type: "string", default: "1" },
		phones: { type: "string", default: "3" },
	},
});
if (positionals[0] !== "offline") throw new Error("What is to be tortured? npm run torture -- offline");

await bundle("local");
const started = performance.now();
const { met, ...figures } = await torture({
	submissions: Number(values.submissions),
	seed: Number(values.seed),
	atOnce: Number(values.phones),
	chromiumPath: findBrowser(),
	ports: [await freePort(), await freePort()],
	say: (words) => console.log(words),
});
console.log(
	`\nSeed ${values.seed}, ${Math.round((performance.now() - started) / 1000)} s. Met: ${Object.entries(met)
		.map(([what, times]) => `${what} ${times}`)
		.join(", ")}`,
);
console.log(
	`submissions ${figures.submissions} (${figures.withPhotos} with photos), Worker killed ${figures.kills} times: lost ${figures.lost}, doubled ${figures.doubled}, photos lost ${figures.photosLost}, typed text lost ${figures.typedTextLost}`,
);
if (figures.lost + figures.doubled + figures.photosLost + figures.typedTextLost > 0) process.exitCode = 1;
