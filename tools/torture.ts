/**
 * `npm run torture -- offline`: scripted drivers on a line that breaks; `--submissions 500 --seed 1
 * --phones 3` say how many, which and how many at once. `npm run torture -- starts`: `npm start` on
 * empty folders while people sign in; `--starts 50` says how many. `npm run torture -- money`: ten
 * thousand random steps of requests and payouts on real D1, then races; `--steps 10000 --rounds 200`.
 * `npm run torture -- email`: a hundred rounds of twenty emails while isolates are killed; `--mails 100`.
 * `npm run torture -- replicas`: ten thousand random sequences of changes and pages around the world,
 * on replicas that lag; `--sequences 10000`.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { torture } from "../tests/offline/torture.ts";
import { raceStarts } from "../tests/startup/race.ts";
import { findBrowser } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { freePort } from "./free-port.ts";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		submissions: { type: "string", default: "500" },
		seed: { type: "string", default: "1" },
		phones: { type: "string", default: "3" },
		starts: { type: "string", default: "50" },
		steps: { type: "string", default: "10000" },
		rounds: { type: "string", default: "200" },
		mails: { type: "string", default: "100" },
		sequences: { type: "string", default: "10000" },
	},
});

async function tortureOffline(): Promise<boolean> {
	const started = performance.now();
	const { met, ...figures } = await torture({
		submissions: Number(values.submissions),
		seed: Number(values.seed),
		atOnce: Number(values.phones),
		chromiumPath: findBrowser(),
		ports: [await freePort(), await freePort()],
		say: (words) => console.log(words),
	});
	console.log(
		`\nSeed ${values.seed}, ${Math.round((performance.now() - started) / 1000)} s. Met: ${Object.entries(
			met,
		)
			.map(([what, times]) => `${what} ${times}`)
			.join(", ")}`,
	);
	console.log(
		`submissions ${figures.submissions} (${figures.withPhotos} with photos), Worker killed ${figures.kills} times: lost ${figures.lost}, doubled ${figures.doubled}, photos lost ${figures.photosLost}, typed text lost ${figures.typedTextLost}`,
	);
	return figures.lost + figures.doubled + figures.photosLost + figures.typedTextLost === 0;
}

async function tortureStarts(): Promise<boolean> {
	const starts = Number(values.starts);
	const figures = await raceStarts(starts, (words) => console.log(words));
	const { withAdministrator, withDemoFleet, signIns, otherAnswers } = figures;
	console.log(
		`\n${figures.starts} starts, ${signIns} sign-ins accepted during startup, other responses ${JSON.stringify(otherAnswers)}:`,
		`an administrator in ${withAdministrator}, the demo fleet in ${withDemoFleet}`,
	);
	return withAdministrator === starts && withDemoFleet === starts;
}

/** Tests in their long form. */
function tortureTests(project: string, path: string, long: Record<string, string>): boolean {
	const { status } = spawnSync("npx", ["vitest", "run", "--project", project, path], {
		stdio: "inherit",
		env: { ...process.env, ...long },
	});
	return status === 0;
}

const tortureMoney = async () =>
	tortureTests("domain", "app/domain/payouts/books.server.test.ts", {
		MONEY_STEPS: values.steps,
		MONEY_ROUNDS: values.rounds,
	});

const tortureMail = async () =>
	tortureTests("domain", "app/domain/mail/broken-off.server.test.ts", {
		MAIL_ROUNDS: values.mails,
	});

const tortureReplicas = async () =>
	tortureTests("http", "tests/http/replicas.test.ts", { REPLICA_SEQUENCES: values.sequences });

const subjects = new Map<string | undefined, () => Promise<boolean>>([
	["offline", tortureOffline],
	["starts", tortureStarts],
	["money", tortureMoney],
	["email", tortureMail],
	["replicas", tortureReplicas],
]);
const subject = subjects.get(positionals[0]);
if (!subject)
	throw new Error(
		"Specify what to torture: npm run torture -- offline, starts, money, email or replicas",
	);
await bundle("local");
if (!(await subject())) process.exitCode = 1;
