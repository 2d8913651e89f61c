/**
 * `npm run test:browsers`: the journeys in browsers that npm can't install, and that `npm test`
 * therefore leaves out: w3m, a text browser, and Firefox. `npm run test:browsers -- w3m` runs one.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bundle } from "./bundle.ts";
import { runVitest } from "./checks.ts";

type Other = {
	readonly project: string;
	readonly files: readonly string[];
	/** What has to be installed: each program's names, and Debian's package. */
	readonly programs: readonly (readonly [names: readonly string[], package_: string])[];
	/** The variable that gives the tests the first one's path. */
	readonly variable: string;
};

const OTHERS: Readonly<Record<string, Other>> = {
	w3m: {
		project: "w3m",
		files: ["tests/w3m/"],
		programs: [
			[["w3m"], "w3m"],
			[["tmux"], "tmux"],
		],
		variable: "MILEPOST_W3M",
	},
	firefox: {
		project: "browser",
		files: ["keyboard", "journey", "review-desk", "forged-forms", "offline"].map(
			(name) => `tests/browser/${name}.test.ts`,
		),
		programs: [[["firefox-esr", "firefox"], "firefox-esr"]],
		variable: "MILEPOST_FIREFOX",
	},
};

/** A program's path, if it is installed. */
const findProgram = (names: readonly string[]) =>
	(process.env.PATH ?? "")
		.split(delimiter)
		.flatMap((folder) => names.map((name) => join(folder, name)))
		.find((path) => existsSync(path));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(OTHERS, name));
if (unknown.length > 0)
	throw new Error(`There is no ${unknown}: choose from ${Object.keys(OTHERS).join(", ")}.`);
const chosen = Object.entries(OTHERS).filter(
	([name]) => asked.length === 0 || asked.includes(name),
);

const missing = new Set<string>();
for (const [, { programs, variable }] of chosen)
	for (const [index, [names, package_]] of programs.entries()) {
		const path = (index === 0 && process.env[variable]) || findProgram(names);
		if (!path) missing.add(package_);
		else if (index === 0) process.env[variable] = path;
	}
if (missing.size > 0)
	throw new Error(
		`Not installed: ${[...missing].join(", ")}. On Debian and Ubuntu: apt-get install --no-install-recommends ${[...missing].join(" ")}`,
	);

await bundle("local");
let [passed, failed] = [0, 0];
for (const [name, { project, files }] of chosen) {
	console.log(`\n== ${name}`);
	const tally = await runVitest([project], [...files]);
	passed += tally.passed;
	failed += tally.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
