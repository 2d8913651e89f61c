/** What a local fleet is seeded with, depending on who is in it already. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { COLUMNS, prepareStore } from "../../app/domain/archive/store.server.ts";
import { openLocalDatabase } from "../../tools/local-database.ts";
import { migrate } from "../../tools/migrate.ts";
import { prepareDatabase, seedIfNoAdministrator } from "../../tools/prepare-database.ts";
import { ZONE } from "../support/cast.ts";
import { openDatabase } from "../support/database.ts";
import { insertRow } from "../support/rows.ts";

const NOW = Date.parse("2026-11-22T03:00:00Z");

const NO_STORE = { put: async () => null } as unknown as R2Bucket;

/** A database with these people in it, given as columns of `users`. */
async function fleetOf(...people: Record<string, string | number>[]) {
	const bench = await openDatabase("nobody", NOW);
	for (const [position, person] of people.entries()) {
		const row = {
			id: `70000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
			role: "driver",
			approval_status: "pending",
			created_at: NOW,
			...person,
		};
		await insertRow(bench.rows, "users", row);
	}
	const administrators = () =>
		bench.rows(
			"select email, is_active from users where role = 'admin' and is_active = 1 and deleted_at is null",
		);
	return {
		...bench,
		administrators,
		seed: () => seedIfNoAdministrator(bench.d1, NOW, ZONE, NO_STORE),
	};
}

it("gives an empty database the demo fleet, once", async () => {
	const { seed, rows } = await fleetOf();
	expect(await seed()).toBe("Demo fleet seeded.");
	expect(await seed()).toBeUndefined();
	expect(await rows("select count(*) as people from users")).toEqual([{ people: 15 }]);
});

it("gives a fleet of drivers an administrator, and no demo people", async () => {
	const { seed, administrators, rows } = await fleetOf({ email: "early@milepost.test" });
	expect(await seed()).toBe("There was no administrator, so admin@milepost.test is one now.");
	expect(await administrators()).toEqual([{ email: "admin@milepost.test", is_active: 1 }]);
	expect(await rows("select count(*) as people from users")).toEqual([{ people: 2 }]);
	expect(await seed()).toBeUndefined();
});

it("makes the person who signed in as admin@milepost.test the administrator", async () => {
	const { seed, administrators, rows } = await fleetOf({ email: "admin@milepost.test" });
	expect(await seed()).toBe("There was no administrator, so admin@milepost.test is one now.");
	expect(await administrators()).toEqual([{ email: "admin@milepost.test", is_active: 1 }]);
	expect(await rows("select action from audit_events")).toEqual([{ action: "user.change-role" }]);
});

it("says how to make an administrator when admin@milepost.test cannot be one", async () => {
	const { seed, administrators } = await fleetOf({
		email: "admin@milepost.test",
		approval_status: "approved",
		driver_number: 1,
	});
	expect(await seed()).toMatch(/^There is no administrator\. Create one: npm run admin -- create /);
	expect(await administrators()).toEqual([]);
});

it("leaves a fleet with an administrator as it is", async () => {
	const { seed, rows } = await fleetOf({
		role: "admin",
		email: "you@example.com",
		approval_status: "approved",
	});
	expect(await seed()).toBeUndefined();
	expect(await rows("select count(*) as people from users")).toEqual([{ people: 1 }]);
});

it("completes an archive whose database another command has migrated", async () => {
	const state = await mkdtemp(join(tmpdir(), "milepost-prepare-"));
	const columnsOf = async (before: (place: D1Database) => Promise<unknown>) => {
		const { db, archive, close } = await openLocalDatabase(state);
		await migrate(db);
		await before(archive);
		const { results } = await archive
			.prepare("select name from pragma_table_xinfo('mileage_logs')")
			.all<{ name: string }>();
		await close();
		return results.map(({ name }) => name);
	};
	const old = await columnsOf(async (archive) => {
		await prepareStore(new Database(archive));
		await archive.prepare("alter table mileage_logs drop column purpose").run();
	});
	expect(old).not.toContain("purpose");
	await prepareDatabase(state, ZONE, false, () => undefined);
	expect(await columnsOf(async () => undefined)).toEqual(expect.arrayContaining([...COLUMNS]));
	await rm(state, { recursive: true });
});
