/** What the kernel does for every command. */
import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { AccessLost, openDatabase, TooMany } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { Database } from "../../db/client.server.ts";
import { fundRequests, mileageLogs, users } from "../../db/schema.ts";
import type { Actor, DriverContext, SelfContext } from "./context.ts";
import { type Creation, createOnce } from "./create-once.server.ts";
import { CHANGES_PER_HOUR } from "./limits.ts";
import { throwAccessLost, throwTooMany, transition } from "./transition.server.ts";

const bench = await openDatabase();
const count = async (table: string) =>
	(await bench.rows<{ rows: number }>(`select count(*) as rows from ${table}`))[0]?.rows;

/** Writes a note on pending requests and changes nothing else. */
const note = (actor: Actor, id: string, text: string) =>
	transition(actor, {
		table: fundRequests,
		rows: eq(fundRequests.id, id),
		when: sql`status = 'pending' and admin_notes is null`,
		set: { adminNotes: text },
		audit: { action: "request.reopen", entity: "fund-request", after: sql`json_object()` },
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

it("records an operator as the command line and a scheduled task as the system, who always have access", async () => {
	const { db } = await bench.admin("ada");
	for (const [number, role, recorded] of [
		[3, "operator", "command line"],
		[4, "system", "system"],
	] as const) {
		const id = await insertRequest(bench.rows, number, "dana");
		expect((await note({ role, db, now: 5 }, id, role)).changed).toEqual(new Set([id]));
		expect(
			await bench.rows(
				"select at, actor_id, actor_role, session_ref, request_id from audit_events where entity_id = ?",
				id,
			),
		).toEqual([
			{ at: 5, actor_id: null, actor_role: recorded, session_ref: null, request_id: null },
		]);
	}
});

/** Changes a person's own row. */
const rename = (person: SelfContext, firstName: string, more: { isUnlimited?: true } = {}) =>
	transition(person, {
		...more,
		table: users,
		rows: eq(users.id, person.user.id),
		when: sql`1`,
		set: { firstName },
		audit: { action: "profile.complete", entity: "user", after: sql`json_object()` },
		read: (build) => build.select().from(users).where(eq(users.id, person.user.id)),
	});

it("lets someone under review change what is theirs, but not after their role has changed", async () => {
	const nora = await bench.self("nora");
	expect((await rename(nora, "Norah")).rows).toMatchObject([{ firstName: "Norah" }]);
	await bench.rows("update users set role = 'admin' where id = ?", idOf("nora"));
	await expect(rename(nora, "Too late")).rejects.toThrow(AccessLost);
	await bench.rows("update users set role = 'driver' where id = ?", idOf("nora"));
	// An approved driver's rights aren't theirs.
	await expect(create(await bench.driver("nora"), undefined, 60)).rejects.toThrow(AccessLost);
});

it("reports a change that ends its actor's own access as done", async () => {
	const ben = await bench.admin("ben");
	const { changed } = await transition(ben, {
		table: users,
		rows: eq(users.id, ben.user.id),
		when: sql`is_active = 1`,
		set: { isActive: false },
		audit: { action: "user.deactivate", entity: "user", after: sql`json_object()` },
		read: (build) => build.select().from(users).where(eq(users.id, ben.user.id)),
	});
	await bench.rows("update users set is_active = 1 where id = ?", idOf("ben"));
	expect(changed).toEqual(new Set([ben.user.id]));
});

it("ends only people's access: the same failure in a scheduled task is a fault", async () => {
	const { db } = await bench.admin("ada");
	await expect(throwAccessLost({ role: "system", db, now: 0 })).rejects.toThrow("only a person");
	expect(() => throwTooMany({ role: "system", db, now: 0 })).toThrow("only a person");
});

type LogCreation = Creation<typeof mileageLogs, Record<never, never>, never, Record<never, never>>;
const create = (
	driver: DriverContext,
	key: string | undefined,
	miles: number,
	values: object = {},
	more: Partial<Pick<LogCreation, "accepts" | "replaces">> = {},
) =>
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
			...values,
		},
		audit: { action: "mileage.log", entity: "mileage-log", after: sql`json_object()` },
		read: (build, rows) => build.select().from(mileageLogs).where(rows),
		...more,
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

it("looks for the reason only when nothing was made, and tries again if it is gone", async () => {
	const driver = await bench.driver("dana");
	const made = { ...driver, db: new Database(bench.batches) };
	expect((await create(made, undefined, 60)).kind).toBe("created");
	expect(made.db.cost.trips).toBe(1);
	const accepts = sql`(select chosen from settings where id = 'fleet') is not '{}'`;
	await bench.rows("insert or replace into settings (id, chosen) values ('fleet', '{}')");
	const refused = { ...driver, db: new Database(bench.batches) };
	expect((await create(refused, undefined, 70, {}, { accepts })).kind).toBe("refused");
	expect(refused.db.cost.trips).toBe(2);
	let trips = 0;
	const batch = async (list: D1PreparedStatement[]) => {
		trips += 1;
		if (trips === 2) await bench.rows("delete from settings");
		return bench.batches.batch(list);
	};
	const changing = { prepare: bench.batches.prepare, batch } as unknown as D1Database;
	const late = { ...driver, db: new Database(changing) };
	expect((await create(late, undefined, 70, {}, { accepts })).kind).toBe("created");
	expect(trips).toBe(3);
});

/** Writes entries of the audit that someone has made. */
const insertEntries = (id: string, entries: number, at: number) =>
	bench.rows(
		`with recursive each (n) as (select 1 union all select n + 1 from each where n < ?)
		insert into audit_events (at, actor_id, actor_role, request_id, action, entity, entity_id)
		select ?, ?, 'driver', 'earlier', 'mileage.void', 'mileage-log', 'x' from each`,
		entries,
		at,
		id,
	);

it("changes and creates nothing for someone who has reached their limit of the last hour", async () => {
	const HOUR = 3_600_000;
	const driver = await bench.driver("dana", currentTime() + 36_000_000);
	const { now, user } = driver;
	await insertEntries(user.id, 5, now - HOUR);
	await insertEntries(user.id, CHANGES_PER_HOUR.driver - 1, now - HOUR + 1);
	expect((await create(driver, undefined, 140)).kind).toBe("created");
	const next = { ...driver, requestId: "next" };
	const before = [await count("mileage_logs"), await count("audit_events")];
	await expect(create(next, undefined, 150)).rejects.toThrow(TooMany);
	const replaces = {
		id: user.id,
		when: sql`1`,
		set: { voidedAt: now, voidedBy: user.id },
		audit: { action: "mileage.void", entity: "mileage-log" } as const,
	};
	await expect(create(next, undefined, 150, {}, { replaces })).rejects.toThrow(TooMany);
	expect([await count("mileage_logs"), await count("audit_events")]).toEqual(before);
	expect((await create({ ...next, now: now + HOUR }, undefined, 160)).kind).toBe("created");

	const nora = await bench.self("nora");
	await insertEntries(nora.user.id, CHANGES_PER_HOUR.gated, nora.now - 1);
	const entries = await count("audit_events");
	await expect(rename(nora, "Once more")).rejects.toThrow(TooMany);
	expect(await count("audit_events")).toBe(entries);
	expect((await rename(nora, "Unlimited", { isUnlimited: true })).changed.size).toBe(1);
	expect((await rename({ ...nora, now: nora.now + HOUR }, "Later")).changed.size).toBe(1);
});

it("makes the last change before the limit once, with its replaced row", async () => {
	const driver = await bench.driver("omar", currentTime() + 36_000_000);
	const made = await create(driver, undefined, 170);
	const old = made.kind === "created" ? made.row.id : "";
	await insertEntries(driver.user.id, CHANGES_PER_HOUR.driver - 2, driver.now - 1);
	const replaces = {
		id: old,
		when: sql`voided_at is null`,
		set: { voidedAt: driver.now, voidedBy: driver.user.id },
		audit: { action: "mileage.void", entity: "mileage-log" } as const,
	};
	const next = { ...driver, requestId: "next" };
	expect((await create(next, undefined, 180, {}, { replaces })).kind).toBe("created");
	await expect(create({ ...driver, requestId: "last" }, undefined, 190)).rejects.toThrow(TooMany);
});

it("creates nothing for someone who lost access", async () => {
	const omar = await bench.driver("omar");
	const before = await count("mileage_logs");
	await bench.rows("update users set is_active = 0 where id = ?", idOf("omar"));
	await expect(create(omar, undefined, 70)).rejects.toThrow(AccessLost);
	await bench.rows("update users set is_active = 1 where id = ?", idOf("omar"));
	expect(await count("mileage_logs")).toBe(before);
});

it("replaces a row in the same step, while it may be replaced and the new one is accepted", async () => {
	const lena = await bench.driver("lena");
	const made = await create(lena, undefined, 80);
	const old = made.kind === "created" ? made.row.id : "";
	const replace = async (miles: number, accepts = sql`1`) => {
		const set = { voidedAt: lena.now, voidedBy: lena.user.id };
		const audit = {
			action: "mileage.void" as const,
			entity: "mileage-log",
			after: sql`json_object()`,
		};
		const replaces = { id: old, when: sql`voided_at is null`, set, audit };
		const { kind } = await create(lena, undefined, miles, {}, { accepts, replaces });
		const rows = await bench.rows(
			`select end_miles as miles, voided_at is null as isLive from mileage_logs
			where driver_id = ? and end_miles between 80 and 99 order by end_miles`,
			lena.user.id,
		);
		const [voids] = await bench.rows<{ n: number }>(
			"select count(*) as n from audit_events where action = 'mileage.void' and entity_id = ?",
			old,
		);
		return { kind, rows, voids: voids?.n };
	};
	expect(await replace(90, sql`0`)).toEqual({
		kind: "refused",
		rows: [{ miles: 80, isLive: 1 }],
		voids: 0,
	});
	const after = {
		rows: [
			{ miles: 80, isLive: 0 },
			{ miles: 91, isLive: 1 },
		],
		voids: 1,
	};
	expect(await replace(91)).toEqual({ kind: "created", ...after });
	expect(await replace(92)).toEqual({ kind: "refused", ...after });
});
