/** The parts of `npm run torture`: each by its name, and how much of it fills a minute. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { torture } from "../tests/offline/torture.ts";
import { raceStarts } from "../tests/startup/race.ts";
import { type Finding, none } from "../tests/torture/table.ts";
import { findBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";

/** What was asked for: `seed`, `minutes` and the switches below. */
export type Asked = Readonly<Partial<Record<string, number>>>;
export type Part = {
	readonly name: string;
	readonly run: (asked: Asked) => Promise<readonly Finding[]>;
};

const number = { type: "string" } as const;
/** Switches of single parts: how much of something, however long it takes. */
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

/** A switch, or what fits into the minutes, or what is done without either. */
const amount = (asked: Asked, name: keyof typeof SWITCHES, perMinute: number, usual: number) =>
	asked[name] ??
	(asked.minutes === undefined ? usual : Math.max(1, Math.round(asked.minutes * perMinute)));

/**
 * Tests in their long form, and what they report.
 * @throws when it failed and reported nothing that says so
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
			return [...rows, none("the test of it", 1, "failed", 1)];
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

/** Minutes that a part takes of which nothing was said. */
const USUAL_MINUTES = 5;

/** A part that goes on for as many rounds as its switch says, or until its time is over. */
const timed = (name: string, paths: readonly string[], rounds?: keyof typeof SWITCHES): Part => ({
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

async function offline(asked: Asked): Promise<readonly Finding[]> {
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
		none("submissions from phones", submissions, "lost", figures.lost),
		none("submissions from phones", submissions, "doubled", figures.doubled),
		none("submissions with a photo", withPhotos, "photos lost", figures.photosLost),
		none("submissions from phones", submissions, "typed text lost", figures.typedTextLost),
	];
}

async function starts(asked: Asked): Promise<readonly Finding[]> {
	const count = amount(asked, "starts", 6, 50);
	const figures = await raceStarts(count, (words) => console.log(words));
	console.log(
		`${figures.signIns} sign-ins accepted during startup, other responses ${JSON.stringify(figures.otherAnswers)}`,
	);
	const without = (what: string, found: number) => none("starts", count, what, count - found);
	return [
		without("without an administrator", figures.withAdministrator),
		without("without the demo fleet", figures.withDemoFleet),
	];
}

/** In the order in which all are run. */
export const PARTS: readonly Part[] = [
	timed("fuzz", ["tests/http/fuzz.test.ts"], "requests"),
	timed("model", ["tests/http/model.test.ts"], "sequences"),
	timed("races", ["tests/http/pairs.test.ts"], "rounds"),
	timed("output", ["tests/http/output.test.ts"]),
	timed("faults", ["tests/http/fault-points.test.ts", "tests/http/fault-mail.test.ts"], "points"),
	timed("files", ["tests/http/files.test.ts"], "files"),
	timed("load", ["tests/http/load.test.ts", "tests/http/load-beyond.test.ts"]),
	timed("imports", ["tests/http/imports.test.ts"], "statements"),
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
