/** The parts of `npm run torture` by name, and how much each does in a full run. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { torture } from "../../tests/offline/torture.ts";
import { raceStarts } from "../../tests/startup/race.ts";
import { findBrowser } from "../../tools/browser.ts";
import { freePort } from "../../tools/free-port.ts";
import { type Finding, mustBeZero } from "./table.ts";

/** The request: `seed`, `minutes` and the switches below. */
export type TortureOptions = Readonly<Partial<Record<string, number>>>;
/** Prints one line of a part's output. */
export type Say = (line: string) => void;
export type Part = {
	readonly name: string;
	/** Runs alone, because it compares throughputs. */
	readonly isAlone?: true;
	/** How much it does when all parts run: less than by itself. */
	readonly share?: TortureOptions;
	readonly run: (asked: TortureOptions, say: Say) => Promise<readonly Finding[]>;
};

const number = { type: "string" } as const;
/** Switches of single parts: how much to do, however long it takes. */
export const SWITCHES = {
	submissions: number,
	phones: number,
	starts: number,
	steps: number,
	rounds: number,
	mails: number,
	requests: number,
	sequences: number,
	points: number,
	files: number,
	statements: number,
} as const;

/** The switch's value, or what fits into the minutes, or the default. */
const amount = (
	asked: TortureOptions,
	name: keyof typeof SWITCHES,
	perMinute: number,
	usual: number,
) =>
	asked[name] ??
	(asked.minutes === undefined ? usual : Math.max(1, Math.round(asked.minutes * perMinute)));

/**
 * Runs tests in their long form.
 * @returns what they report, and one more row, not met, if they failed without reporting why
 */
async function runTest(
	project: string,
	paths: readonly string[],
	long: Readonly<Record<string, number | undefined>>,
	say: Say,
): Promise<readonly Finding[]> {
	const folder = mkdtempSync(join(tmpdir(), "milepost-torture-"));
	const table = join(folder, "rows.jsonl");
	const given = Object.entries(long).filter(([, value]) => value !== undefined);
	try {
		const status = await spawned(
			["vitest", "run", "--no-file-parallelism", "--project", project, ...paths],
			{
				...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
				TORTURE_TABLE: table,
			},
			say,
		);
		const rows = readRows(table);
		if (status !== 0 && rows.every(({ isMet }) => isMet))
			return [...rows, mustBeZero("the test of it", 1, "failed", 1)];
		return rows;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Runs a command of an installed package, passes on its lines and returns its exit code. */
async function spawned(
	command: readonly string[],
	variables: Readonly<Record<string, string>>,
	say: Say,
): Promise<number | null> {
	const child = spawn("npx", command, {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, ...variables },
		shell: process.platform === "win32",
	});
	for (const stream of [child.stdout, child.stderr])
		createInterface({ input: stream }).on("line", say);
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("close", resolve);
	});
}

function readRows(table: string): Finding[] {
	try {
		const lines = readFileSync(table, "utf8").trim().split("\n");
		return lines.map((line) => JSON.parse(line) as Finding);
	} catch {
		return [];
	}
}

/** A part that plays as many rounds as its switch says, or as a full run does, or for minutes. */
const timedPart = (
	name: string,
	paths: readonly string[],
	full: { readonly rounds: number } | { readonly minutes: number },
	rounds?: keyof typeof SWITCHES,
): Part => ({
	name,
	run: async (asked, say) => {
		const played = rounds && asked[rounds];
		const limits = { rounds: played, minutes: asked.minutes };
		const isLimited = played !== undefined || asked.minutes !== undefined;
		const { rounds: most, minutes } = { ...limits, ...(isLimited ? {} : full) };
		const long = { TORTURE_SEED: asked.seed ?? 1, TORTURE_ROUNDS: most, TORTURE_MINUTES: minutes };
		return runTest("http", paths, long, say);
	},
});

/**
 * A part that plays a number of rounds in each of several fleets, because everything slows down as
 * a fleet ages; or for minutes, in one.
 */
const partInFleets = (
	name: string,
	path: string,
	rounds: keyof typeof SWITCHES,
	full: { readonly rounds: number; readonly perFleet: number },
): Part => ({
	name,
	run: async (asked, say) => {
		const seed = asked.seed ?? 1;
		if (asked.minutes !== undefined)
			return runTest("http", [path], { TORTURE_SEED: seed, TORTURE_MINUTES: asked.minutes }, say);
		const fleets: (readonly Finding[])[] = [];
		for (let left = asked[rounds] ?? full.rounds; left > 0; left -= full.perFleet) {
			const long = {
				TORTURE_SEED: seed * 1000 + fleets.length,
				TORTURE_ROUNDS: Math.min(left, full.perFleet),
			};
			fleets.push(await runTest("http", [path], long, say));
		}
		return addUp(fleets.flat());
	},
});

/** One finding for all that count the same: their sum, or the maximum if there is a limit. */
function addUp(findings: readonly Finding[]): Finding[] {
	const sums = new Map<string, Finding>();
	for (const each of findings) {
		const name = `${each.tried}: ${each.what}`;
		const sum = sums.get(name);
		if (!sum) {
			sums.set(name, each);
			continue;
		}
		const [one, other] = [Number(sum.figure), Number(each.figure)];
		const isLimit = each.must.startsWith("at most");
		const highest = one > other ? sum.figure : each.figure;
		sums.set(name, {
			...sum,
			times: sum.times + each.times,
			figure: isLimit ? highest : one + other,
			isMet: sum.isMet && each.isMet,
		});
	}
	return [...sums.values()];
}

async function offline(asked: TortureOptions, say: Say): Promise<readonly Finding[]> {
	const figures = await torture({
		submissions: amount(asked, "submissions", 12, 500),
		seed: asked.seed ?? 1,
		atOnce: asked.phones ?? 3,
		chromiumPath: findBrowser(),
		ports: [await freePort(), await freePort()],
		say,
	});
	say(`Met: ${JSON.stringify(figures.met)}, Worker killed ${figures.kills} times`);
	const { submissions, withPhotos } = figures;
	return [
		mustBeZero("submissions from phones", submissions, "lost", figures.lost),
		mustBeZero("submissions from phones", submissions, "doubled", figures.doubled),
		mustBeZero("submissions with a photo", withPhotos, "photos lost", figures.photosLost),
		mustBeZero("submissions from phones", submissions, "typed text lost", figures.typedTextLost),
	];
}

async function starts(asked: TortureOptions, say: Say): Promise<readonly Finding[]> {
	const count = amount(asked, "starts", 6, 50);
	const figures = await raceStarts(count, say);
	say(
		`${figures.signIns} sign-ins accepted during startup, other responses ${JSON.stringify(figures.otherAnswers)}`,
	);
	const without = (what: string, found: number) => mustBeZero("starts", count, what, count - found);
	return [
		without("without an administrator", figures.withAdministrator),
		without("without the demo fleet", figures.withDemoFleet),
	];
}

/** More rounds than any part has: each ends after its last one. */
const ALL = 1_000_000;

/** All parts, the longest first, so that lanes end together. */
export const PARTS: readonly Part[] = [
	timedPart(
		"faults",
		["tests/http/fault-points.test.ts", "tests/http/fault-mail.test.ts"],
		{ rounds: ALL },
		"points",
	),
	partInFleets("fuzz", "tests/http/fuzz.test.ts", "requests", {
		rounds: 200_000,
		perFleet: 20_000,
	}),
	partInFleets("model", "tests/http/model.test.ts", "sequences", { rounds: 1000, perFleet: 40 }),
	partInFleets("races", "tests/http/pairs.test.ts", "rounds", { rounds: 50, perFleet: 10 }),
	timedPart("files", ["tests/http/files.test.ts"], { rounds: 100_000 }, "files"),
	timedPart("books", ["tests/http/import-books.test.ts"], { rounds: 100 }, "rounds"),
	partInFleets("weeks", "tests/http/settled-weeks.test.ts", "rounds", {
		rounds: 1000,
		// Nobody makes more than 20,000 changes in an hour.
		perFleet: 250,
	}),
	{
		...timedPart("imports", ["tests/http/imports.test.ts"], { rounds: 20 }, "statements"),
		share: { statements: 4 },
	},
	{
		...timedPart(
			"forgery",
			["tests/http/foreign-ids.test.ts", "tests/http/matrix.test.ts"],
			{ rounds: 10_000 },
			"requests",
		),
		share: { requests: 3000 },
	},
	timedPart("output", ["tests/http/output.test.ts"], { rounds: 1 }),
	{
		name: "identity",
		run: async (_, say) =>
			runTest(
				"http",
				["tests/http/openid-forgeries.test.ts", "tests/http/openid-sessions.test.ts"],
				{},
				say,
			),
	},
	{
		name: "money",
		share: { steps: 1000, rounds: 10 },
		run: async (asked, say) =>
			runTest(
				"domain",
				["app/domain/payouts/books.server.test.ts"],
				{
					MONEY_STEPS: amount(asked, "steps", 1000, 10_000),
					MONEY_ROUNDS: amount(asked, "rounds", 10, 200),
					TORTURE_SEED: asked.seed,
				},
				say,
			),
	},
	{
		name: "email",
		share: { mails: 20 },
		run: async (asked, say) =>
			runTest(
				"domain",
				["app/domain/mail/broken-off.server.test.ts"],
				{ MAIL_ROUNDS: amount(asked, "mails", 20, 100), TORTURE_SEED: asked.seed },
				say,
			),
	},
	{
		name: "access",
		share: { rounds: 10 },
		run: async (asked, say) =>
			runTest(
				"domain",
				["app/domain/kernel/access-lost.server.test.ts"],
				{ ACCESS_ROUNDS: amount(asked, "rounds", 20, 100) },
				say,
			),
	},
	{
		name: "lists",
		share: { rounds: 100 },
		run: async (asked, say) =>
			runTest(
				"domain",
				["app/domain/kernel/lists.server.test.ts"],
				{ LIST_ROUNDS: amount(asked, "rounds", 100, 1000), TORTURE_SEED: asked.seed },
				say,
			),
	},
	{
		name: "replicas",
		share: { sequences: 400 },
		run: async (asked, say) =>
			runTest(
				"http",
				["tests/http/replicas.test.ts"],
				{ REPLICA_SEQUENCES: amount(asked, "sequences", 400, 10_000), TORTURE_SEED: asked.seed },
				say,
			),
	},
	{ name: "starts", share: { starts: 6 }, run: starts },
	{ name: "offline", share: { submissions: 24 }, run: offline },
	{
		...timedPart("load", ["tests/http/load.test.ts", "tests/http/load-beyond.test.ts"], {
			minutes: 10,
		}),
		isAlone: true,
	},
];
