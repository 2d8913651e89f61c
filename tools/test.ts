/**
 * `npm test`: finds or installs a browser, builds both bundles, runs every test project, and ends
 * with one line of totals. `npm run test:full` also does what CONTRIBUTING.md, 'Tests', lists.
 */
import { parseArgs } from "node:util";
import { findBrowser } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { checkCode, runVitest, type Tally } from "./checks.ts";

const { values, positionals: filters } = parseArgs({
	allowPositionals: true,
	options: { full: { type: "boolean", default: false } },
});
if (values.full || filters.length === 0)
	process.env.MILEPOST_TESTS = values.full ? "full" : "usual";
process.env.MILEPOST_CHROMIUM = findBrowser();
console.log(`Browser: ${process.env.MILEPOST_CHROMIUM}`);
console.log("Building the local and production bundles ...");
await Promise.all([bundle("local"), bundle("production")]);

const [code, tests] = await Promise.all([
	filters.length === 0 ? checkCode() : undefined,
	// Each test stands alone, so each night's order is different.
	runVitest([], filters, { isShuffled: values.full }),
]);
const tallies = [tests, ...(code ? [code] : [])];
const sum = (what: keyof Tally) => tallies.reduce((total, tally) => total + tally[what], 0);
const [passed, failed, skippedTests] = [sum("passed"), sum("failed"), sum("skipped")];
if (passed + failed === 0) console.error("No tests match.");
const skipped = skippedTests > 0 ? `, ${skippedTests} skipped` : "";
console.log(`\n${passed} passed, ${failed} failed${skipped}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
