/**
 * `npm test`: finds or installs a browser, builds both bundles, runs every test project, and ends
 * with one line of totals.
 */
import { findBrowser } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { checkLint, checkTypes, runVitest } from "./checks.ts";

const filters = process.argv.slice(2);
process.env.MILEPOST_CHROMIUM = findBrowser();
console.log(`Browser: ${process.env.MILEPOST_CHROMIUM}`);
console.log("Building the local and production bundles ...");
await bundle("local");
await bundle("production");

const checks = filters.length === 0 ? [checkTypes(), checkLint()] : [];
const tally = await runVitest([], filters);
const passed = tally.passed + checks.filter(Boolean).length;
const failed = tally.failed + checks.filter((isFine) => !isFine).length;
if (passed + failed === 0) console.error("No tests match.");
const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : "";
console.log(`\n${passed} passed, ${failed} failed${skipped}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
