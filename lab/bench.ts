/**
 * `npm run bench`: what pages and API routes cost, compared with bare Workers and static files in
 * the same run, as one table with the budgets and as JSON in build/bench.json. Ratios carry over to
 * other machines, speeds don't; bytes, trips, statements and rows are exact. `npm run bench -- cpu
 * paint` runs only the named parts. The drill, which takes half an hour, and the comparison with
 * the previous release, which has to be built first, run only if they are named.
 */

import { bundle } from "../tools/bundle.ts";
import { benchCpu } from "./bench/cpu.ts";
import { benchDrill } from "./bench/drill.ts";
import { benchExports } from "./bench/exports.ts";
import { benchGrowth } from "./bench/growth.ts";
import { benchPages } from "./bench/pages.ts";
import { benchPaint } from "./bench/paint.ts";
import { benchRegions } from "./bench/regions.ts";
import { benchRelease } from "./bench/release.ts";
import { benchReports } from "./bench/reports.ts";
import { benchSubmits } from "./bench/submits.ts";
import { type Figure, formatFigures, isMet, keepFigures } from "./bench/table.ts";
import { benchThroughput } from "./bench/throughput.ts";
import { benchTokens } from "./bench/tokens.ts";

const KEPT_IN = "build/bench.json";

const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
	pages: benchPages,
	cpu: benchCpu,
	submits: benchSubmits,
	paint: benchPaint,
	regions: benchRegions,
	growth: benchGrowth,
	throughput: benchThroughput,
	tokens: benchTokens,
	exports: benchExports,
	reports: benchReports,
	release: benchRelease,
	drill: benchDrill,
};
const ONLY_NAMED = ["release", "drill"];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(`There is no ${unknown.join(", ")}: choose from ${Object.keys(PARTS).join(", ")}.`);
	process.exit(1);
}
await bundle("local");
const found = new Map<string, readonly Figure[]>();
const usual = Object.keys(PARTS).filter((name) => !ONLY_NAMED.includes(name));
for (const name of named.length > 0 ? named : usual) {
	console.log(`\n== ${name}`);
	found.set(name, (await PARTS[name]?.()) ?? []);
}
console.log(`\n${formatFigures(found)}`);
keepFigures(found, KEPT_IN);
const over = [...found.values()].flat().filter((figure) => !isMet(figure));
console.log(
	over.length === 0
		? `\nEvery budget is met. As JSON: ${KEPT_IN}`
		: `\n${over.length} over their budgets. As JSON: ${KEPT_IN}`,
);
process.exit(over.length === 0 ? 0 : 1);
