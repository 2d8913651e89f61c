/**
 * `npm run torture -- fuzz`, another part (tools/torture-parts.ts) or all of them: heavy use on
 * loopback, ending with one table of what was tried, how often, and what broke. `--minutes 10` sets
 * the length of each part and `--seed 1` its random choices; a part's own switches set how much it
 * does.
 */
import { parseArgs } from "node:util";
import { formatTable, type Row } from "../tests/torture/table.ts";
import { bundle } from "./bundle.ts";
import { PARTS, SWITCHES } from "./torture-parts.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		seed: { type: "string" },
		minutes: { type: "string" },
		...SWITCHES,
	},
});
const numbers = Object.fromEntries(
	Object.entries(values).map(([name, text]) => {
		const number = Number(text);
		if (!(number > 0)) throw new Error(`--${name} must be a number greater than 0`);
		return [name, number];
	}),
);
const known = new Map(PARTS.map((part) => [part.name, part]));
const chosen =
	positionals.length === 0
		? PARTS
		: positionals.map((name) => {
				const part = known.get(name);
				if (part) return part;
				throw new Error(`There is no ${name}: choose from ${[...known.keys()].join(", ")}`);
			});
await bundle("local");
const rows: Row[] = [];
/** Minutes per part. */
const lasted: string[] = [];
const started = performance.now();
const minutesSince = (moment: number) => ((performance.now() - moment) / 60_000).toFixed(1);
for (const { name, run } of chosen) {
	console.log(`\n== ${name}`);
	const began = performance.now();
	try {
		const findings = await run(numbers);
		rows.push(...findings.map((finding) => ({ part: name, ...finding })));
	} catch (error) {
		console.error(error);
		const failed = { tried: "the part itself", times: 1, what: "broken off", figure: 1 };
		rows.push({ part: name, ...failed, must: "0", isMet: false });
	}
	lasted.push(`${name} ${minutesSince(began)}`);
}
console.log(
	`\n${formatTable(rows)}\n\nSeed ${numbers.seed ?? 1}, ${minutesSince(started)} minutes: ${lasted.join(", ")}`,
);
if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
