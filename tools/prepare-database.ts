/**
 * Prepares the local database before anyone can reach it: migrates it, and makes sure there is an
 * administrator.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "../app/db/client.server.ts";
import { completeStore } from "../app/domain/archive/store.server.ts";
import { changeRole } from "../app/domain/people/commands/change-role.server.ts";
import { dateIn } from "../app/values/calendar-date.ts";
import { CAST, idOf, seedOf } from "../tests/support/cast.ts";
import { weekAgo } from "./demo-cast.ts";
import { demoStatement } from "./demo-statement.ts";
import { openLocalDatabase } from "./local-database.ts";
import { migrate } from "./migrate.ts";
import { insertSeed, seedDemo } from "./seed-database.ts";

/** The folder's database can't be used. The message is SQLite's or workerd's. */
export class UnusableDatabase extends Error {}

async function findUser(db: D1Database, condition: string): Promise<string | undefined> {
	const { results } = await db
		.prepare(`SELECT id FROM users WHERE ${condition} LIMIT 1`)
		.all<{ id: string }>();
	return results[0]?.id;
}

const isAdministrator = "role = 'admin' AND is_active = 1 AND deleted_at IS NULL";

/** Adds the cast's administrator to a fleet that has people but no administrator. */
async function addAdministrator(db: D1Database, now: number, zone: string): Promise<string> {
	const { email } = CAST.ada;
	// Someone may have signed in with that email while there was no administrator.
	const isTaken = await findUser(db, `id = '${idOf("ada")}' OR email = '${email}'`);
	if (isTaken) await changeRole({ role: "operator", db: new Database(db), now }, email, "admin");
	else await insertSeed(db, seedOf(now, "admin", zone));
	if (await findUser(db, isAdministrator))
		return `There was no administrator, so ${email} is one now.`;
	return `There is no administrator. Create one: npm run admin -- create you@example.com --first-name You --last-name Yourself`;
}

const DEMO_SEEDED = "Demo fleet seeded.";

/** Puts the demo's statement of last week beside the database; returns where. */
function writeStatement(state: string, now: number, zone: string): string {
	const { name, text } = demoStatement(weekAgo({ today: dateIn(zone, now) }, 1));
	const file = join(state, name);
	writeFileSync(file, text);
	return file;
}

/**
 * Seeds a fleet without an administrator: an empty one completely, one with people only with the
 * administrator.
 * @param zone the fleet's time zone
 * @returns a description of what was done; undefined if nothing was
 */
export async function seedIfNoAdministrator(
	db: D1Database,
	now: number,
	zone: string,
	/** Where the demo fleet's receipts are stored; undefined for a fleet of one administrator. */
	receipts: Pick<R2Bucket, "put"> | undefined,
): Promise<string | undefined> {
	if (await findUser(db, isAdministrator)) return undefined;
	if (await findUser(db, "1 = 1")) return addAdministrator(db, now, zone);
	if (!receipts) {
		await insertSeed(db, seedOf(now, "admin", zone));
		return "Empty fleet: one administrator.";
	}
	await seedDemo(db, receipts, now, zone);
	return DEMO_SEEDED;
}

/**
 * Migrates and seeds a state folder's database, in a workerd that serves nothing.
 * @param zone the fleet's time zone
 * @param say called with a description of what was done
 * @throws UnusableDatabase
 */
export async function prepareDatabase(
	state: string,
	zone: string,
	isDemo: boolean,
	say: (words: string) => void,
): Promise<void> {
	// For a broken file workerd prints a stack, so the reason is extracted from it.
	const told: string[] = [];
	const { db, archive, receipts, close } = await openLocalDatabase(state, (line) =>
		told.push(line),
	);
	try {
		const applied = await migrate(db);
		// Another command may have migrated the database.
		await completeStore(new Database(archive));
		if (applied.length > 0) say(`Migrations applied: ${applied.join(", ")}`);
		const now = Date.now();
		const seeded = await seedIfNoAdministrator(db, now, zone, isDemo ? receipts : undefined);
		if (seeded) say(seeded);
		if (seeded === DEMO_SEEDED)
			say(`A statement of last week to import: ${writeStatement(state, now, zone)}`);
	} catch (error) {
		const fault = /dbErrorMessage\([^)]*\) = ([^;\n]+)|(SQLITE_\w+)/.exec(told.join("\n"));
		const reason = error instanceof Error ? error.message : String(error);
		throw new UnusableDatabase(fault?.[1] ?? fault?.[2] ?? reason);
	} finally {
		await close();
	}
}
