/**
 * `npm run torture -- fuzz`, another part (lab/torture/parts.ts) or all of them: heavy use on
 * loopback, ending with one table of what was tried, how often, and what broke. `--minutes 10` sets
 * the length of each part and `--seed 1` its random choices, a part's own switches how much it
 * does, and `--lanes 1` runs one part at a time.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { bundle } from "../tools/bundle.ts";
import { PARTS, type Part, SWITCHES } from "./torture/parts.ts";
import { formatTable, type Row } from "./torture/table.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		seed: { type: "string" },
		minutes: { type: "string" },
		lanes: { type: "string" },
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
		: [...new Set(positionals)].map((name) => {
				const part = known.get(name);
				if (part) return part;
				throw new Error(`There is no ${name}: choose from ${[...known.keys()].join(", ")}`);
			});

/** A part keeps about one core busy, and some mostly wait. */
const lanes = numbers.lanes ?? Math.min(2, availableParallelism()) + 2;
const rows = new Map<Part, readonly Row[]>();
/** Minutes per part. */
const lasted = new Map<Part, string>();
const started = performance.now();
const minutesSince = (moment: number) => ((performance.now() - moment) / 60_000).toFixed(1);

async function play(part: Part): Promise<void> {
	const { name, run, share } = part;
	const isWhole = positionals.length === 0 && numbers.minutes === undefined;
	const say = (line: string) => console.log(`${name.padEnd(8)} | ${line}`);
	const began = performance.now();
	say("begins");
	try {
		const findings = await run({ ...(isWhole ? share : {}), ...numbers }, say);
		rows.set(
			part,
			findings.map((finding) => ({ part: name, ...finding })),
		);
	} catch (error) {
		say(String(error instanceof Error ? error.stack : error));
		const failed = { tried: "the part itself", times: 1, what: "broken off", figure: 1 };
		rows.set(part, [{ part: name, ...failed, must: "0", isMet: false }]);
	}
	lasted.set(part, minutesSince(began));
	say(`ends after ${lasted.get(part)} minutes`);
}

/** Runs the parts in this order, as many at once as there are lanes. */
async function playAll(parts: readonly Part[], lanes: number): Promise<void> {
	const left = parts.values();
	const lane = async () => {
		for (const part of left) await play(part);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}

// The hostile sign-in provider meets the production bundle, which has no local sign-in.
for (const kind of ["local", "production"] as const) await bundle(kind);
await playAll(
	chosen.filter(({ isAlone }) => !isAlone),
	lanes,
);
await playAll(
	chosen.filter(({ isAlone }) => isAlone),
	1,
);
const table = chosen.flatMap((part) => rows.get(part) ?? []);
const times = chosen.map((part) => `${part.name} ${lasted.get(part)}`).join(", ");
console.log(
	`\n${formatTable(table)}\n\nSeed ${numbers.seed ?? 1}, ${minutesSince(started)} minutes: ${times}`,
);
if (table.some(({ isMet }) => !isMet)) process.exitCode = 1;
