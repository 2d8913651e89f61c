/**
 * `npm run mutants [part ...]`: changes a part's code in every small way that Stryker knows and
 * runs its tests each time. A change that no test notices survives, and is printed. Stryker is
 * installed next to the build output, since nothing else needs its two hundred packages.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** The newest version that runs on Node 20. */
const STRYKER = "9.6.0";
const PLACE = "build/mutants";

type Part = {
	readonly mutate: readonly string[];
	readonly tests: readonly string[];
	/** Its tables are built on loading, so each change to them needs all tests. */
	readonly isTable?: boolean;
	/** Its tests use a real database. */
	readonly usesDatabase?: boolean;
};
const PARTS: Readonly<Record<string, Part>> = {
	money: { mutate: ["app/values/money.ts"], tests: ["app/values/money.test.ts"] },
	dates: {
		mutate: ["calendar-date", "date-input", "period", "miles"].map(
			(name) => `app/values/${name}.ts`,
		),
		tests: ["app/values/{calendar-date,date-input,period,miles}.test.ts"],
	},
	permissions: {
		mutate: ["app/routing/permissions.ts", "app/routing/routes.ts"],
		tests: ["app/routing/permissions.test.ts"],
		isTable: true,
	},
	rules: {
		mutate: ["app/domain/*/rules.ts"],
		tests: ["app/domain/*/{rules,thresholds,invitations}.test.ts"],
	},
	kernel: {
		mutate: ["transition", "create-once", "actor"].map((name) => `app/domain/${name}.server.ts`),
		tests: ["app/domain/kernel/kernel.server.test.ts"],
		usesDatabase: true,
	},
};

const { positionals } = parseArgs({ allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
	console.error(
		`There is no part ${unknown.join(", ")}: choose from ${Object.keys(PARTS).join(", ")}.`,
	);
	process.exit(1);
}

function run(command: string, args: readonly string[]): boolean {
	const options = { cwd: PLACE, stdio: "inherit", shell: process.platform === "win32" } as const;
	return spawnSync(command, args, options).status === 0;
}

/** Stryker, and the test libraries in the versions installed here. */
function install(): boolean {
	const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
	const packages = [
		`@stryker-mutator/core@${STRYKER}`,
		`@stryker-mutator/vitest-runner@${STRYKER}`,
		`vitest@${devDependencies.vitest}`,
	];
	mkdirSync(PLACE, { recursive: true });
	writeFileSync(join(PLACE, "package.json"), JSON.stringify({ private: true, type: "module" }));
	const isThere = existsSync(join(PLACE, "node_modules/@stryker-mutator/vitest-runner"));
	return (
		isThere ||
		run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...packages])
	);
}

function mutate(
	name: string,
	{ mutate, tests, isTable = false, usesDatabase = false }: Part,
): boolean {
	writeFileSync(
		join(PLACE, "vitest.config.mjs"),
		`export default ${JSON.stringify({
			define: { __LOCAL_SIGN_IN__: "true", __SERVICE_WORKER__: '""' },
			test: {
				include: tests,
				exclude: usesDatabase ? [] : ["**/*.server.test.ts"],
				setupFiles: usesDatabase ? ["tools/miniflare-wait.ts"] : [],
				testTimeout: 120_000,
				maxWorkers: 1,
			},
		})};\n`,
	);
	writeFileSync(
		join(PLACE, "stryker.config.json"),
		JSON.stringify({
			testRunner: "vitest",
			vitest: { configFile: "vitest.config.mjs", related: false },
			plugins: ["@stryker-mutator/vitest-runner"],
			mutate,
			reporters: ["clear-text", "json"],
			clearTextReporter: { logTests: false },
			jsonReporter: { fileName: `${name}.json` },
			concurrency: 2,
			// A change can make a loop endless; pure tests take a few seconds together.
			timeoutMS: usesDatabase ? 60_000 : 10_000,
			tempDirName: ".stryker",
			checkers: [],
			// Code that runs once, when a module is loaded, would need all tests for each change.
			...(isTable ? { coverageAnalysis: "off" } : { ignoreStatic: true }),
		}),
	);
	console.log(`\nMutants of ${name}`);
	return run("npx", ["stryker", "run"]);
}

if (!install()) process.exit(1);
for (const path of ["app", "tests", "tools", "lab", "migrations", "wrangler.toml"]) {
	rmSync(join(PLACE, path), { recursive: true, force: true });
	cpSync(path, join(PLACE, path), { recursive: true });
}
let isDone = true;
for (const name of names) {
	const part = PARTS[name];
	if (part) isDone = mutate(name, part) && isDone;
}
process.exit(isDone ? 0 : 1);
