/** `npm run check`: types, lint, the architecture laws and the pure tests. */
import { bundle } from "./bundle.ts";
import { checkCode, runVitest } from "./checks.ts";

// Built here, since test files that run side by side would build into the same folder.
await Promise.all([bundle("local"), bundle("production")]);
const tallies = await Promise.all([checkCode(), runVitest(["law", "pure"], [])]);
if (tallies.some(({ failed }) => failed > 0)) process.exitCode = 1;
