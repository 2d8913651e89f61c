/** `npm run check`: types, lint, the architecture's law and the pure tests, in seconds. */
import { bundle } from "./bundle.ts";
import { lint, runVitest, types } from "./checks.ts";

await bundle("production");
const isSound = [types(), lint(), (await runVitest(["law", "pure"], [])).failed === 0].every(
	Boolean,
);
if (!isSound) process.exitCode = 1;
