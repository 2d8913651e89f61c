/** A built Worker with the cast, for the benches, and people who have signed in. */
import { Miniflare } from "miniflare";
import { addDays, dateIn, startOfDay } from "../../app/values/calendar-date.ts";
import { CAST, type CastName, idOf, seedOf, ZONE } from "../../tests/support/cast.ts";
import { insertRequest } from "../../tests/support/requests.ts";
import type { Sql } from "../../tests/support/rows.ts";
import { freePort } from "../../tools/free-port.ts";
import { storageOptions, workerOptions } from "../../tools/local-worker.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { seedFleet } from "../../tools/seed-fleet.ts";

/** A fleet large enough to fill every list. */
const FLEET = { logs: 5000, drivers: 60, days: 100 };
/** Enough to fill a page of a driver's own; a third of them are pending. */
const DANAS_REQUESTS = 50;
const DECIDED = {
	status: "approved",
	approved_amount_cents: 1250,
	decided_at: Date.now(),
	decided_by: idOf("ada"),
};

export type Site = {
	readonly worker: Miniflare;
	readonly origin: string;
	readonly db: D1Database;
	/** The cookie of someone who has just signed in. */
	readonly signIn: (name: CastName) => Promise<string>;
};

type Fleet = Omit<Parameters<typeof seedFleet>[1], "untilStarts" | "adminId">;

/** Creates the cast in an empty database, and a fleet as well if one is given. */
async function fill(db: D1Database, now: number, fleet: Fleet | undefined): Promise<void> {
	await migrate(db);
	await insertSeed(db, seedOf(now, "everyone"));
	if (fleet)
		await seedFleet(db, {
			...fleet,
			untilStarts: startOfDay(ZONE, fleet.until),
			adminId: idOf("ada"),
		});
}

async function fillWorker(worker: Miniflare, hasFleet: boolean): Promise<D1Database> {
	const db = await worker.getD1Database("DB");
	const now = Date.now();
	const until = addDays(dateIn(ZONE, now), -1);
	await fill(db, now, hasFleet ? { ...FLEET, until } : undefined);
	const sql: Sql = (query, ...values) =>
		db
			.prepare(query)
			.bind(...values)
			.run();
	if (hasFleet)
		for (let number = 1; number <= DANAS_REQUESTS; number++)
			await insertRequest(sql, FLEET.logs + number, "dana", number % 3 ? DECIDED : {});
	return db;
}

/**
 * Fills a state folder's database.
 * @param more adds what a bench needs beyond the fleet
 */
export async function fillFolder(
	state: string,
	now: number,
	fleet: Fleet,
	more: (db: D1Database) => Promise<unknown> = async () => undefined,
): Promise<void> {
	const storage = new Miniflare(storageOptions(state));
	const db = await storage.getD1Database("DB");
	await fill(db, now, fleet);
	await more(db);
	await storage.dispose();
}

/** A single-module Worker behind our static files, with the same rows as ours, for comparison. */
export async function openBareWorker(contents: string, hasFleet: boolean) {
	const port = await freePort();
	const worker = new Miniflare({
		...workerOptions({ port, onLine: () => undefined }),
		modulesRoot: "/",
		modules: [{ type: "ESModule", path: "/bare.mjs", contents }],
	} as ConstructorParameters<typeof Miniflare>[0]);
	await worker.ready;
	await fillWorker(worker, hasFleet);
	return { worker, origin: `http://localhost:${port}` };
}

/**
 * Starts the Worker of `build/local`. Its scheduled task has run once, as it does every minute.
 * @param built another release's build folder; it runs on this release's schema and rows
 */
export async function openSite({
	hasFleet,
	built = "build",
	onLine = () => undefined,
}: {
	hasFleet: boolean;
	built?: string;
	onLine?: (line: string) => void;
}): Promise<Site> {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const worker = new Miniflare(workerOptions({ built, port, onLine }));
	await worker.ready;
	const db = await fillWorker(worker, hasFleet);
	await (await worker.getWorker()).scheduled({ cron: "* * * * *", scheduledTime: new Date() });
	const signIn = async (name: CastName) => {
		const answer = await fetch(`${origin}/api/login`, {
			method: "POST",
			redirect: "manual",
			headers: { Origin: origin },
			body: new URLSearchParams({ email: CAST[name].email }),
		});
		return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
	};
	return { worker, origin, db, signIn };
}
