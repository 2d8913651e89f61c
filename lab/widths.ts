/**
 * `npm run widths`: checks every screen at every width from 320 to 1,920 in steps of 40; `npm test`
 * checks eight of them.
 */
import { findBrowser } from "../tools/browser.ts";
import { bundle } from "../tools/bundle.ts";
import { runVitest } from "../tools/checks.ts";

process.env.MILEPOST_CHROMIUM = findBrowser();
process.env.MILEPOST_WIDTHS = "all";
await bundle("local");
const { passed, failed } = await runVitest(["browser"], ["tests/browser/widths.test.ts"]);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
