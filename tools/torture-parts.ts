/** The parts of `npm run torture` by name, and how much of each fits into a minute. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { torture } from "../tests/offline/torture.ts";
import { raceStarts } from "../tests/startup/race.ts";
import { type Finding, mustBeZero } from "../tests/torture/table.ts";
import { findBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";

/** The request: `seed`, `minutes` and the switches below. */
export type TortureOptions = Readonly<Partial<Record<string, number>>>;
export type Part = {
	readonly name: string;
	readonly run: (asked: TortureOptions) => Promise<readonly Finding[]>;
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
 * Runs tests in their long form and returns what they report.
 * @throws when they failed without reporting why
 */
function runTest(
	project: string,
	paths: readonly string[],
	long: Readonly<Record<string, number | undefined>>,
): readonly Finding[] {
	const folder = mkdtempSync(join(tmpdir(), "milepost-torture-"));
	const table = join(folder, "rows.jsonl");
	const given = Object.entries(long).filter(([, value]) => value !== undefined);
	try {
		const { status } = spawnSync(
			"npx",
			["vitest", "run", "--no-file-parallelism", "--project", project, ...paths],
			{
				stdio: "inherit",
				env: {
					...process.env,
					...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
					TORTURE_TABLE: table,
				},
			},
		);
		const rows = readRows(table);
		if (status !== 0 && rows.every(({ isMet }) => isMet))
			return [...rows, mustBeZero("the test of it", 1, "failed", 1)];
		return rows;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readRows(table: string): Finding[] {
	try {
		const lines = readFileSync(table, "utf8").trim().split("\n");
		return lines.map((line) => JSON.parse(line) as Finding);
	} catch {
		return [];
	}
}

/** Default minutes of a part. */
const USUAL_MINUTES = 5;

/** A part that runs for as many rounds as its switch says, or until its time is up. */
const timedPart = (
	name: string,
	paths: readonly string[],
	rounds?: keyof typeof SWITCHES,
): Part => ({
	name,
	run: async (asked) => {
		const played = rounds && asked[rounds];
		return runTest("http", paths, {
			TORTURE_SEED: asked.seed ?? 1,
			TORTURE_ROUNDS: played,
			TORTURE_MINUTES: asked.minutes ?? (played === undefined ? USUAL_MINUTES : undefined),
		});
	},
});

async function offline(asked: TortureOptions): Promise<readonly Finding[]> {
	const figures = await torture({
		submissions: amount(asked, "submissions", 12, 500),
		seed: asked.seed ?? 1,
		atOnce: asked.phones ?? 3,
		chromiumPath: findBrowser(),
		ports: [await freePort(), await freePort()],
		say: (words) => console.log(words),
	});
	console.log(`Met: ${JSON.stringify(figures.met)}, Worker killed ${figures.kills} times`);
	const { submissions, withPhotos } = figures;
	return [
		mustBeZero("submissions from phones", submissions, "lost", figures.lost),
		mustBeZero("submissions from phones", submissions, "doubled", figures.doubled),
		mustBeZero("submissions with a photo", withPhotos, "photos lost", figures.photosLost),
		mustBeZero("submissions from phones", submissions, "typed text lost", figures.typedTextLost),
	];
}

async function starts(asked: TortureOptions): Promise<readonly Finding[]> {
	const count = amount(asked, "starts", 6, 50);
	const figures = await raceStarts(count, (words) => console.log(words));
	console.log(
		`${figures.signIns} sign-ins accepted during startup, other responses ${JSON.stringify(figures.otherAnswers)}`,
	);
	const without = (what: string, found: number) => mustBeZero("starts", count, what, count - found);
	return [
		without("without an administrator", figures.withAdministrator),
		without("without the demo fleet", figures.withDemoFleet),
	];
}

/** The order in which all are run. */
export const PARTS: readonly Part[] = [
	timedPart("fuzz", ["tests/http/fuzz.test.ts"], "requests"),
	timedPart("model", ["tests/http/model.test.ts"], "sequences"),
	timedPart("forgery", ["tests/http/foreign-ids.test.ts", "tests/http/matrix.test.ts"], "requests"),
	{
		name: "identity",
		run: async () =>
			runTest(
				"http",
				["tests/http/openid-forgeries.test.ts", "tests/http/openid-sessions.test.ts"],
				{},
			),
	},
	timedPart("races", ["tests/http/pairs.test.ts"], "rounds"),
	timedPart("output", ["tests/http/output.test.ts"]),
	timedPart(
		"faults",
		["tests/http/fault-points.test.ts", "tests/http/fault-mail.test.ts"],
		"points",
	),
	timedPart("files", ["tests/http/files.test.ts"], "files"),
	timedPart("load", ["tests/http/load.test.ts", "tests/http/load-beyond.test.ts"]),
	timedPart("imports", ["tests/http/imports.test.ts"], "statements"),
	{
		name: "money",
		run: async (asked) =>
			runTest("domain", ["app/domain/payouts/books.server.test.ts"], {
				MONEY_STEPS: amount(asked, "steps", 1000, 10_000),
				MONEY_ROUNDS: amount(asked, "rounds", 10, 200),
				TORTURE_SEED: asked.seed,
			}),
	},
	{
		name: "email",
		run: async (asked) =>
			runTest("domain", ["app/domain/mail/broken-off.server.test.ts"], {
				MAIL_ROUNDS: amount(asked, "mails", 20, 100),
				TORTURE_SEED: asked.seed,
			}),
	},
	{
		name: "access",
		run: async (asked) =>
			runTest("domain", ["app/domain/access-lost.server.test.ts"], {
				ACCESS_ROUNDS: amount(asked, "rounds", 20, 100),
			}),
	},
	{
		name: "replicas",
		run: async (asked) =>
			runTest("http", ["tests/http/replicas.test.ts"], {
				REPLICA_SEQUENCES: amount(asked, "sequences", 400, 10_000),
				TORTURE_SEED: asked.seed,
			}),
	},
	{ name: "starts", run: starts },
	{ name: "offline", run: offline },
];
