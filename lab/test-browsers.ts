/**
 * `npm run test:browsers`: journeys in browsers that `npm test` leaves out: w3m, a text browser;
 * Firefox; WebKit, the engine of Safari; and the Chromiums of earlier years that are promised
 * (docs/product.md, 'Browsers'). `npm run test:browsers -- w3m` runs one. Unavailable ones are
 * named at the end, and count as failed. `npm run widths` and `npm run check:office` are the last
 * two, which run only if named.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findBrowser } from "../tools/browser.ts";
import { bundle } from "../tools/bundle.ts";
import { runVitest } from "../tools/checks.ts";
import { type ChromiumVersion, findChromium } from "./other-chromiums.ts";

type Other = {
	readonly project: string;
	readonly files: readonly string[];
	/** Finds it, and returns the variables that tell the tests where it is. */
	readonly find: () => Readonly<Record<string, string>>;
};

/** A program's path, if it is installed. */
const findProgram = (names: readonly string[]) =>
	(process.env.PATH ?? "")
		.split(delimiter)
		.flatMap((folder) => names.map((name) => join(folder, name)))
		.find((path) => existsSync(path));

/**
 * Finds programs of the system.
 * @param variable gets the first one's path
 * @param programs each one's names, and Debian's package
 * @throws Error that says what to install
 */
function installed(
	variable: string,
	...programs: readonly (readonly [names: readonly string[], package_: string])[]
): Readonly<Record<string, string>> {
	const paths = programs.map(
		([names], index) => (index === 0 && process.env[variable]) || findProgram(names),
	);
	const missing = programs.filter((_, index) => !paths[index]).map(([, package_]) => package_);
	if (missing.length > 0)
		throw new Error(
			`not installed. On Debian and Ubuntu: apt-get install --no-install-recommends ${missing.join(" ")}`,
		);
	return { [variable]: paths[0] ?? "" };
}

const browserFiles = (...names: string[]) => names.map((name) => `tests/browser/${name}.test.ts`);

const chromium = (version: ChromiumVersion): Other => ({
	project: "browser",
	files: browserFiles("promise"),
	find: () => ({ MILEPOST_CHROMIUM: findChromium(version) }),
});

const OTHERS: Readonly<Record<string, Other>> = {
	w3m: {
		project: "w3m",
		files: ["lab/w3m/"],
		find: () => installed("MILEPOST_W3M", [["w3m"], "w3m"], [["tmux"], "tmux"]),
	},
	firefox: {
		project: "browser",
		files: browserFiles("promise", "keyboard", "journey", "review-desk", "forged-forms", "offline"),
		find: () => installed("MILEPOST_FIREFOX", [["firefox-esr", "firefox"], "firefox-esr"]),
	},
	webkit: {
		project: "browser",
		files: browserFiles("promise"),
		find: () =>
			installed("MILEPOST_WEBKIT", [["WebKitWebDriver"], "webkit2gtk-driver"], [["Xvfb"], "xvfb"]),
	},
	"chromium-103": chromium("103"),
	"chromium-119": chromium("119"),
	"chromium-138": chromium("138"),
	widths: {
		project: "browser",
		files: browserFiles("widths"),
		find: () => ({ MILEPOST_CHROMIUM: findBrowser(), MILEPOST_WIDTHS: "all" }),
	},
	office: {
		project: "office",
		files: [],
		find: () => installed("MILEPOST_OFFICE", [["soffice"], "libreoffice-calc"], [["qpdf"], "qpdf"]),
	},
};

const ONLY_NAMED = ["widths", "office"];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(OTHERS, name));
if (unknown.length > 0)
	throw new Error(`There is no ${unknown}: choose from ${Object.keys(OTHERS).join(", ")}.`);
const chosen = Object.entries(OTHERS).filter(([name]) =>
	asked.length === 0 ? !ONLY_NAMED.includes(name) : asked.includes(name),
);

await bundle("local");
let [passed, failed] = [0, 0];
const rows: string[] = [];
for (const [name, { project, files, find }] of chosen) {
	console.log(`\n== ${name}`);
	let variables: Readonly<Record<string, string>>;
	try {
		variables = find();
	} catch (problem) {
		failed += 1;
		rows.push(`${name}: NOT TRIED, ${problem instanceof Error ? problem.message : problem}`);
		continue;
	}
	// For this browser's run only.
	const before = { ...process.env };
	Object.assign(process.env, variables);
	const tally = await runVitest([project], [...files]);
	for (const variable of Object.keys(variables))
		if (before[variable] === undefined) delete process.env[variable];
		else process.env[variable] = before[variable];
	passed += tally.passed;
	failed += tally.failed;
	rows.push(`${name}: ${tally.passed} passed, ${tally.failed} failed`);
}
console.log(`\n${rows.join("\n")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
