/**
 * `npm run deploy`: the production bundle, the remote migrations, then the Worker. Stops at the
 * first step that fails.
 */
import { spawnSync } from "node:child_process";
import { bundle } from "./bundle.ts";
import { findForbiddenStrings } from "./verify-bundle.ts";

function wrangler(...args: string[]): void {
	console.log(`wrangler ${args.join(" ")}`);
	const { status } = spawnSync(
		process.execPath,
		["node_modules/wrangler/bin/wrangler.js", ...args],
		{ stdio: "inherit" },
	);
	if (status !== 0)
		throw new Error(`wrangler ${args[0]} failed; the remaining steps were skipped.`);
}

await bundle("production");
const strangers = findForbiddenStrings("build/production");
if (strangers.length > 0)
	throw new Error(`The production bundle contains forbidden code:\n${strangers.join("\n")}`);
// The schema first: every release works on the schema before and after its own migrations.
wrangler("d1", "migrations", "apply", "milepost", "--remote");
wrangler("deploy");
