/**
 * `npm run seed -- --logs 1000000 --drivers 2000`: years of a large fleet in the local database, to
 * see how Milepost copes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { addDays, dateIn, startOfDay } from "../app/values/calendar-date.ts";
import { readArguments } from "./arguments.ts";
import { openLocalDatabase } from "./local-database.ts";
import { migrate } from "./migrate.ts";
import { seedIfNoAdministrator } from "./prepare-database.ts";
import { seededDriver, seedFleet } from "./seed-fleet.ts";
import { stateFolder } from "./state-folder.ts";
import { describeHolder, takeState } from "./state-lock.ts";
import { fleetTimeZone } from "./wrangler-config.ts";

const USAGE = `Usage: npm run seed -- [--logs 10000] [--drivers 200] [--days n]

  --logs      Total trips. Adds one fund request per ten trips and one Uber fee per twenty.
  --drivers   Approved drivers, with an equal share of the trips each.
  --days      Days to spread the trips over, ending yesterday. Default: one trip per driver per day.

Fills the database that "npm start" serves, in .milepost or MILEPOST_STATE, and creates it if there is none. Stop the server first.`;

/** Exits with a one-line error. */
class Fault extends Error {}

function count(text: string | undefined, name: string, most: number): number | undefined {
	if (text === undefined) return undefined;
	const number = /^\d+$/.test(text) ? Number(text) : 0;
	if (number < 1 || number > most)
		throw new Fault(`--${name} must be a whole number from 1 to ${most}.`);
	return number;
}

const TEXT = { type: "string" } as const;
const OPTIONS = {
	logs: TEXT,
	drivers: TEXT,
	days: TEXT,
	help: { type: "boolean", short: "h" },
} as const;

function sizeFrom(args: string[]) {
	const { values } = readArguments(
		{ args, options: OPTIONS },
		(reason) => new Fault(`${reason}. See npm run seed -- --help`),
	);
	if (values.help) return undefined;
	const logs = count(values.logs, "logs", 10_000_000) ?? 10_000;
	const drivers = count(values.drivers, "drivers", 100_000) ?? Math.min(200, logs);
	if (drivers > logs) throw new Fault("There must be at least one trip for each driver.");
	if (logs / drivers > 400_000)
		throw new Fault("Too many trips per driver for one odometer: add more drivers.");
	return {
		logs,
		drivers,
		days: count(values.days, "days", 9000) ?? Math.min(9000, Math.ceil(logs / drivers)),
	};
}

async function fill({
	logs,
	drivers,
	days,
}: {
	logs: number;
	drivers: number;
	days: number;
}): Promise<void> {
	const state = stateFolder();
	const zone = fleetTimeZone(false);
	const other = await takeState(state, 0);
	if (other)
		throw new Fault(
			`${state} is ${describeHolder(other)}, or choose another folder: MILEPOST_STATE='${state}-2' npm run seed`,
		);
	if (!existsSync(join(state, "d1"))) console.log(`Creating a database in ${state}`);
	const { db, receipts, close } = await openLocalDatabase(state);
	try {
		const now = Date.now();
		await migrate(db);
		await seedIfNoAdministrator(db, now, zone, receipts);
		const one = async (query: string) =>
			(await db.prepare(query).all<{ id: string }>()).results[0]?.id;
		if (await one(`SELECT id FROM users WHERE id = '${seededDriver(1)}'`))
			throw new Fault(
				`${state} has already been seeded, completely or in part. Choose another folder: MILEPOST_STATE='${state}-2' npm run seed`,
			);
		const adminId = await one(
			"SELECT id FROM users WHERE role = 'admin' ORDER BY created_at, id LIMIT 1",
		);
		if (adminId === undefined)
			throw new Fault("There is no administrator yet. Run npm start once.");
		const until = addDays(dateIn(zone, now), -1);
		await seedFleet(
			db,
			{ logs, drivers, days, until, untilStarts: startOfDay(zone, until), adminId },
			(text) => console.log(`  ${text}`),
		).catch((error: unknown) => {
			throw new Fault(
				`The fleet was seeded only in part (${error instanceof Error ? error.message : error}), and its totals aren't counted: npm run admin -- recount counts them.`,
			);
		});
		console.log(`Done in ${Math.round((Date.now() - now) / 1000)} s: ${state}`);
	} finally {
		await close();
	}
}

try {
	const size = sizeFrom(process.argv.slice(2));
	if (size) await fill(size);
	else console.log(USAGE);
} catch (error) {
	console.error(
		error instanceof Fault
			? error.message
			: `The fleet couldn't be seeded: ${error instanceof Error ? error.message : error}`,
	);
	process.exit(1);
}
