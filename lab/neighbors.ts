/**
 * `npm run neighbors`: runs the previous release, by its commit in CHANGELOG.md, on this release's
 * schema, and then this release on the same database. `npm run neighbors -- migrations` times the
 * migrations between the two on a large fleet.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import { dateIn } from "../app/values/calendar-date.ts";
import { ZONE } from "../tests/support/cast.ts";
import { readArguments } from "../tools/arguments.ts";
import { bundle } from "../tools/bundle.ts";
import { runCheck } from "../tools/doctor-checks.ts";
import { freePort } from "../tools/free-port.ts";
import { openLocalDatabase } from "../tools/local-database.ts";
import { workerOptions } from "../tools/local-worker.ts";
import { migrate, migrationFiles } from "../tools/migrate.ts";
import { costMeter } from "./measure.ts";
import {
	type Day,
	importFees,
	payOut,
	playDay,
	readPages,
	undoUnderPayout,
} from "./neighbors/jobs.ts";
import {
	buildPreviousRelease,
	NeighborFault,
	type Release,
	seedWithRelease,
} from "./neighbors/previous-release.ts";
import type { Tally } from "./neighbors/visitor.ts";

const USAGE = `Usage: npm run neighbors -- [migrations] [--trips 200000] [--checkout <folder>]

Builds the release that CHANGELOG.md names last in a folder of its own (needs git with its history, and
npm), fills a database with that release's seed, applies the newer migrations, and plays a working day
and every page with that release, with this one, and with that one again, as after a rollback. Any
answer of 500 or more, and any job that isn't done, is a fault.

  migrations    Times every newer migration on a large fleet instead; more than 10 s of CPU is a fault.
  --trips       The trips of that fleet; 200000.
  --checkout    A folder that keeps the release between runs; without one it is built each time.`;

const OPTIONS = {
	trips: { type: "string", default: "200000" },
	checkout: { type: "string" },
	help: { type: "boolean", short: "h", default: false },
} as const;

function argumentsOf(args: string[]) {
	const fault = (reason: string) => new NeighborFault(`${reason}. See npm run neighbors -- --help`);
	const { values, positionals } = readArguments(
		{ args, options: OPTIONS, allowPositionals: true },
		fault,
	);
	const [mode, ...rest] = positionals;
	if (rest.length > 0 || (mode !== undefined && mode !== "migrations"))
		throw fault(`Unknown argument '${rest[0] ?? mode}'`);
	if (!/^[1-9]\d{3,7}$/.test(values.trips)) throw fault("--trips takes 1000 or more");
	return { ...values, isTiming: mode === "migrations" };
}

/** Runs a Worker on a state folder while something uses it. */
async function during(
	state: string,
	built: string,
	use: (origin: string) => Promise<void>,
): Promise<string[]> {
	const port = await freePort();
	const errors: string[] = [];
	const onLine = (line: string) => {
		if (line.includes('"level":"error"')) errors.push(line.slice(0, 300));
	};
	const worker = new Miniflare(workerOptions({ built, state, port, onLine }));
	try {
		await worker.ready;
		await use(`http://localhost:${port}`);
	} finally {
		await worker.dispose();
	}
	return errors;
}

/** Describes a release's day. True if nothing went wrong. */
async function play(
	words: string,
	state: string,
	built: string,
	round: number,
	afterwards: (day: Day) => Promise<void> = async () => {},
): Promise<boolean> {
	const tally: Tally = { answers: 0, faults: [] };
	let pages = 0;
	const errors = await during(state, built, async (origin) => {
		const day = { origin, today: dateIn(ZONE, Date.now()), round, tally };
		await playDay(day);
		pages = await readPages(origin, tally);
		await afterwards(day);
	});
	const faults = [...tally.faults, ...errors];
	console.log(
		`${words}: ${tally.answers} answers, ${pages} kinds of pages, ${tally.faults.length} faults, ${errors.length} error lines`,
	);
	for (const fault of faults.slice(0, 40)) console.log(`  ${fault}`);
	return faults.length === 0;
}

/** What the two releases have left in the database. */
async function checkDatabase(state: string): Promise<boolean> {
	const { db, close } = await openLocalDatabase(state);
	try {
		const fleet = {
			db,
			receipts: { get: async () => undefined },
			now: Date.now(),
			sendsMail: false,
			isDeployed: false,
			receiptsRead: 0,
		};
		let isSound = true;
		for (const name of ["schema", "references", "totals", "books", "audit"]) {
			const finding = await runCheck(name, fleet);
			isSound &&= finding.isSound;
			console.log(`${finding.isSound ? "ok    " : "WRONG "} ${name}: ${finding.words}.`);
		}
		return isSound;
	} finally {
		await close();
	}
}

async function withDatabase<T>(state: string, use: (db: D1Database) => Promise<T>): Promise<T> {
	const { db, close } = await openLocalDatabase(state);
	try {
		return await use(db);
	} finally {
		await close();
	}
}

async function playNeighbors(release: Release, state: string): Promise<boolean> {
	await bundle("local");
	const old = join(release.folder, "build");
	seedWithRelease(release, state, { logs: 2000, drivers: 20 });
	const tally: Tally = { answers: 0, faults: [] };
	await during(state, "build", async (origin) => {
		await readPages(origin, tally);
	});
	console.log(
		`This release before its migrations, which isn't promised: ${tally.answers} answers, ${tally.faults.length} of them 5xx`,
	);
	for (const fault of tally.faults.slice(0, 5)) console.log(`  ${fault}`);
	const applied = await withDatabase(state, (db) => migrate(db));
	console.log(`Migrations applied: ${applied.join(", ")}`);
	const isFine = [await play(`${release.version} on the new schema`, state, old, 1)];
	let paid = "";
	isFine.push(
		await play("This release after it", state, "build", 2, async (day) => {
			await importFees(day);
			paid = await payOut(day);
		}),
		await play(`${release.version} again, rolled back`, state, old, 3),
	);
	const known = await during(state, old, async (origin) => {
		const day = { origin, today: dateIn(ZONE, Date.now()), round: 3, tally };
		console.log(
			`  known: it undoes no decision on a request in a payout (${await undoUnderPayout(day, paid)})`,
		);
	});
	isFine.push(known.length <= 1, await checkDatabase(state));
	return isFine.every(Boolean);
}

const MAX_SECONDS = 10;

/** Times each newer migration, with the audit entries of the fleet's people in place. */
async function timeMigrations(release: Release, state: string, trips: number): Promise<boolean> {
	seedWithRelease(release, state, { logs: trips, drivers: Math.ceil(trips / 100) });
	return withDatabase(state, async (db) => {
		await db
			.prepare(
				`insert into audit_events (at, actor_id, actor_role, action, entity, entity_id)
				select created_at, driver_id, 'driver', 'mileage.log', 'mileage', id from mileage_logs order by created_at`,
			)
			.run();
		const files = migrationFiles().filter(({ name }) => !release.migrations.includes(name));
		const cost = costMeter();
		const table = [];
		for (const { name, statements } of files) {
			const [began, spent] = [performance.now(), cost()?.seconds];
			await migrate(db, [name]);
			const seconds = (performance.now() - began) / 1000;
			// Other load on this machine shouldn't count, so the migration's own time is used if known.
			const own = spent === undefined ? seconds : (cost()?.seconds ?? 0) - spent;
			table.push({
				migration: name,
				statements: statements.length,
				"seconds of CPU": own.toFixed(2),
				"seconds on the clock": seconds.toFixed(2),
			});
		}
		console.log(`${trips.toLocaleString("en-US")} trips, with their audit entries:`);
		console.table(table);
		return table.every((line) => Number(line["seconds of CPU"]) <= MAX_SECONDS);
	});
}

const { isTiming, trips, checkout, help } = argumentsOf(process.argv.slice(2));
if (help) console.log(USAGE);
else {
	const scratch = mkdtempSync(join(tmpdir(), "milepost-neighbors-"));
	try {
		const release = await buildPreviousRelease(resolve(checkout ?? join(scratch, "release")));
		console.log(`Release ${release.version}, ${release.commit}: built.`);
		const state = join(scratch, "state");
		const isFine = isTiming
			? await timeMigrations(release, state, Number(trips))
			: await playNeighbors(release, state);
		console.log(
			isFine
				? "The two releases work together."
				: "The two releases don't work together: see above.",
		);
		if (!isFine) process.exitCode = 1;
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}
