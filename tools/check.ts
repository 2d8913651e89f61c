/** `npm run check`: types, lint, the architecture laws and the pure tests, in seconds. */
import { bundle } from "./bundle.ts";
import { checkLint, checkTypes, runVitest } from "./checks.ts";

// Built here, since test files that run side by side would build into the same folder.
await bundle("local");
await bundle("production");
const isSound = [
	checkTypes(),
	checkLint(),
	(await runVitest(["law", "pure"], [])).failed === 0,
].every(Boolean);
if (!isSound) process.exitCode = 1;
