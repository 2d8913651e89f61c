/** A built Worker with the cast in it, for the benches, and people who have signed in. */
import { Miniflare } from "miniflare";
import { addDays, dateIn, startOfDay } from "../app/values/calendar-date.ts";
import { CAST, type CastName, idOf, seedOf, ZONE } from "../tests/support/cast.ts";
import { freePort } from "./free-port.ts";
import { workerOptions } from "./local-worker.ts";
import { migrate } from "./migrate.ts";
import { insertSeed } from "./seed-database.ts";
import { seedFleet } from "./seed-fleet.ts";

/** A fleet large enough to fill every list. */
const FLEET = { logs: 5000, drivers: 60, days: 100 };

export type Site = {
	readonly worker: Miniflare;
	readonly origin: string;
	readonly db: D1Database;
	/** The cookie of somebody who has just signed in. */
	readonly signIn: (name: CastName) => Promise<string>;
};

/** The cast, and for a bench of screens a fleet beside it. */
export async function fill(worker: Miniflare, hasFleet: boolean): Promise<D1Database> {
	const db = await worker.getD1Database("DB");
	await migrate(db);
	const now = Date.now();
	await insertSeed(db, seedOf(now, "everyone"));
	const until = addDays(dateIn(ZONE, now), -1);
	if (hasFleet)
		await seedFleet(db, {
			...FLEET,
			until,
			untilStarts: startOfDay(ZONE, until),
			adminId: idOf("ada"),
		});
	return db;
}

/** Starts the Worker of `build/local`; its scheduled task has run once, as on every minute. */
export async function openSite({
	hasFleet,
	onLine = () => undefined,
}: {
	hasFleet: boolean;
	onLine?: (line: string) => void;
}): Promise<Site> {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const worker = new Miniflare(workerOptions({ port, onLine }));
	await worker.ready;
	const db = await fill(worker, hasFleet);
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
