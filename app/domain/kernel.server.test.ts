/** What the kernel does for every command. */
import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { idOf } from "../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../tests/support/database.ts";
import { insertRequest } from "../../tests/support/requests.ts";
import { fundRequests, mileageLogs } from "../db/schema.ts";
import type { AdminContext, DriverContext } from "./context.ts";
import { createOnce } from "./create-once.server.ts";
import { throwAccessLost, transition } from "./transition.server.ts";

const bench = await openDatabase();
const count = async (table: string) =>
	(await bench.rows<{ rows: number }>(`select count(*) as rows from ${table}`))[0]?.rows;

/** Writes a note on pending requests and changes nothing else. */
const note = (admin: AdminContext, id: string, text: string) =>
	transition(admin, {
		table: fundRequests,
		rows: eq(fundRequests.id, id),
		when: sql`status = 'pending' and admin_notes is null`,
		set: { adminNotes: text },
		audit: { action: "fund-request.note", entity: "fund-request", after: sql`json_object()` },
		read: (build) =>
			build
				.select({ notes: fundRequests.adminNotes })
				.from(fundRequests)
				.where(eq(fundRequests.id, id)),
	});

it("changes rows that still meet the condition, once, with an audit entry", async () => {
	const admin = await bench.admin("ada");
	const id = await insertRequest(bench.rows, 1, "dana");
	const before = Number(await count("audit_events"));
	expect(await note(admin, id, "first")).toMatchObject({
		changed: new Set([id]),
		rows: [{ notes: "first" }],
	});
	expect(await note(admin, id, "second")).toMatchObject({
		changed: new Set(),
		rows: [{ notes: "first" }],
	});
	expect(await count("audit_events")).toBe(before + 1);
});

it("changes nothing for someone who is no longer allowed to, and ends their request", async () => {
	const admin = await bench.admin("ben");
	const id = await insertRequest(bench.rows, 2, "dana");
	const before = await count("audit_events");
	await bench.rows("update users set is_active = 0 where id = ?", idOf("ben"));
	await expect(note(admin, id, "too late")).rejects.toThrow(AccessLost);
	await bench.rows("update users set is_active = 1 where id = ?", idOf("ben"));
	expect(await count("audit_events")).toBe(before);
	expect(await bench.rows("select admin_notes from fund_requests where id = ?", id)).toEqual([
		{ admin_notes: null },
	]);
});

it("ends only people's access: the same failure in a scheduled task is a fault", async () => {
	const { db } = await bench.admin("ada");
	await expect(throwAccessLost({ role: "system", db, now: 0 })).rejects.toThrow("only a person");
});

const create = (driver: DriverContext, key: string | undefined, miles: number, more: object = {}) =>
	createOnce(driver, {
		table: mileageLogs,
		id: crypto.randomUUID(),
		creator: mileageLogs.driverId,
		key,
		payload: [miles],
		facts: {},
		accepts: sql`1`,
		values: {
			driverId: driver.user.id,
			drivenOn: driver.today,
			startMiles: 0,
			endMiles: miles,
			source: "json",
			createdAt: driver.now,
			...more,
		},
		audit: { action: "mileage.log", entity: "mileage-log", after: sql`json_object()` },
		read: (build, rows) => build.select().from(mileageLogs).where(rows),
	});

it("creates one row per submission, tells a replay from another payload, and refuses unknown columns", async () => {
	const driver = await bench.driver("dana");
	const key = crypto.randomUUID();
	const kinds = [];
	for (const miles of [10, 10, 20]) kinds.push((await create(driver, key, miles)).kind);
	// Without a key each one is a separate submission.
	for (const miles of [30, 40]) kinds.push((await create(driver, undefined, miles)).kind);
	expect(kinds).toEqual(["created", "replayed", "key-reused", "created", "created"]);
	// The database refuses a second trip with the same readings.
	expect((await create(driver, undefined, 40)).kind).toBe("refused");
	const rows = await count("mileage_logs");
	await expect(create(driver, undefined, 50, { mils: 50 })).rejects.toThrow("mils is no column");
	expect(await count("mileage_logs")).toBe(rows);
});
