/** The operator's command line, actually run, on the state folder that `npm start` serves. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Database, PATIENT_ATTEMPTS } from "../../app/db/client.server.ts";
import { storageOptions } from "../../tools/local-worker.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { buildAdmin, expectFault } from "../support/admin-tool.ts";
import { CAST, type CastName, idOf, seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { goBackTo, type Snapshot, takeSnapshot } from "../support/snapshot.ts";
import { storedBlocks } from "../support/totals.ts";

const HOUR = 3_600_000;
const state = await mkdtemp(join(tmpdir(), "milepost-admin-"));
const empty = await mkdtemp(join(tmpdir(), "milepost-admin-empty-"));
/** Stands for `npm start`: a second process that keeps the same databases open. */
const server = new Miniflare(storageOptions(state));

let tool: Awaited<ReturnType<typeof buildAdmin>>;
let first: Snapshot;

beforeAll(async () => {
	tool = await buildAdmin();
	const db = await server.getD1Database("DB");
	await migrate(db);
	await insertSeed(db, seedOf(currentTime(), "everyone"));
	first = await takeSnapshot(db);
});
beforeEach(async () => goBackTo(await server.getD1Database("DB"), first));
afterAll(async () => {
	await server.dispose();
	await tool.remove();
	await Promise.all([state, empty].map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Runs the tool as `npm run admin --` does, without blocking the server beside it. */
const admin = (args: readonly string[], folder = state) =>
	tool.run(args, { MILEPOST_STATE: folder });

async function sql<Row = Record<string, unknown>>(
	query: string,
	...values: unknown[]
): Promise<Row[]> {
	const db = await server.getD1Database("DB");
	return (
		await db
			.prepare(query)
			.bind(...values)
			.all<Row>()
	).results;
}

const open = (
	name: CastName,
	hash: string,
	more: { startedAgo?: number; leftFor?: number } = {},
) => {
	const now = currentTime();
	const { startedAgo = HOUR, leftFor = HOUR } = more;
	return sql(
		"insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at) values (?, ?, ?, ?, ?, ?)",
		...[
			hash.repeat(64),
			idOf(name),
			now - startedAgo,
			now - startedAgo,
			now + leftFor,
			now + 20 * HOUR,
		],
	);
};
const ends = (name: CastName) =>
	sql(
		"select ended_reason as reason from sessions where user_id = ? order by token_hash",
		idOf(name),
	);
const audited = (id: string | undefined) =>
	sql(
		"select actor_id, actor_role, action, before, after from audit_events where entity_id = ? order by id",
		id,
	);

describe("the command line", () => {
	it("has help", async () => {
		const { code, out, err } = await admin(["--help"]);
		expect([code, err]).toEqual([0, ""]);
		for (const word of [
			"create <email>",
			"sessions [email]",
			"end-sessions <email>",
			"role <email> admin|viewer|driver|none",
			"--remote",
		])
			expect(out).toContain(word);
	});

	const wrong: [string[], RegExp][] = [
		[[], /^Specify a command/],
		[["destroy"], /^Unknown command "destroy"/],
		[["role", "a@example.com"], /^"role" takes an email and a role/],
		[
			["role", "dana@milepost.test", "owner"],
			/^The role must be admin, viewer, driver or none, not "owner"/,
		],
		[["end-sessions"], /^"end-sessions" takes one email/],
		[["recount", "a@example.com"], /^"recount" takes no arguments/],
		[["sessions", "--first-name", "X"], /^"sessions" doesn't take a name/],
		[["sessions", "--frob"], /^Unknown option '--frob'/],
		[["create", "a@example.com"], /^First name is required/],
		[["create", "a@example.com", "--first-name", "A"], /^Last name is required/],
		[
			["create", "not an address", "--first-name", "A", "--last-name", "B"],
			/^Enter an email address/,
		],
		[
			["create", "a@example.com", "--first-name", "A\u0007", "--last-name", "B"],
			/invisible characters/,
		],
		[["sessions", "nobody@example.com"], /^No account has the email nobody@example.com/],
		[["end-sessions", "nobody@example.com"], /^No account has the email nobody@example.com/],
		[["role", "nobody@example.com", "admin"], /^No account has the email nobody@example.com/],
	];
	it.each(wrong)("refuses %j in one line", async (args, words) =>
		expectFault(await admin(args), words),
	);

	it("says that there is no database yet", async () =>
		expectFault(await admin(["sessions"], empty), /^No database in .* yet\. Run npm start once/));
});

describe("recount", () => {
	it("explains a wrangler.toml that is broken", async () => {
		const folder = await mkdtemp(join(tmpdir(), "milepost-broken-"));
		await writeFile(join(folder, "wrangler.toml"), "[vars]\nFLEET_TIME_ZONE = New York\n");
		const ran = await tool.run(["recount", "--remote"], {}, folder);
		await rm(folder, { recursive: true });
		expectFault(ran, /^wrangler\.toml, line 2: Invalid TOML document: /);
	});

	it("counts in the time zone that npm start has, not in wrangler.toml's", async () => {
		const folder = await mkdtemp(join(tmpdir(), "milepost-zone-"));
		const ours = await readFile("wrangler.toml", "utf8");
		await writeFile(
			join(folder, "wrangler.toml"),
			ours.replaceAll("America/New_York", "Asia/Tokyo"),
		);
		const recount = async (more: Record<string, string>) =>
			(await tool.run(["recount"], { MILEPOST_STATE: state, ...more }, folder)).out;
		expect(await recount({ FLEET_TIME_ZONE: "America/Chicago" })).toContain("in America/Chicago;");
		expect(await recount({ FLEET_TIME_ZONE: "" })).toContain("in America/New_York;");
		await rm(folder, { recursive: true });
	});

	it("recalculates the totals, and says what it did", async () => {
		const kept = await storedBlocks(sql);
		await sql("update block_totals set miles = miles + 1 where days = 256");
		const ran = await admin(["recount"]);
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toContain(
			"0 requests have a new date in America/New_York; totals for 3 drivers were recalculated.",
		);
		expect(await storedBlocks(sql)).toEqual(kept);
	});
});

describe("create", () => {
	const args = [
		"create",
		" New.Boss@Example.com",
		"--first-name",
		"Bo",
		"--last-name",
		"O'Ss \u2019; drop",
	];
	type Row = { id: string; invite_expires_at: number };
	const boss = async () =>
		(await sql<Row>("select * from users where email = 'new.boss@example.com'"))[0];

	it("invites an administrator for 72 hours, audited, and tells the others", async () => {
		const ran = await admin(args);
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toMatch(
			/^Bo O'Ss ’; drop is invited as an administrator until \d{4}-\d\d-\d\d \d\d:\d\d UTC: sign in as new\.boss@example\.com\.\n$/,
		);
		const row = await boss();
		expect(row).toMatchObject({
			role: "admin",
			approval_status: "approved",
			is_active: 1,
			first_name: "Bo",
			last_name: "O'Ss ’; drop",
			claimed_at: null,
			driver_number: null,
			created_by: null,
		});
		expect(Math.abs((row?.invite_expires_at ?? 0) - currentTime() - 72 * HOUR)).toBeLessThan(
			60_000,
		);
		expect(await audited(row?.id)).toEqual([
			{
				actor_id: null,
				actor_role: "command line",
				action: "admin.create",
				before: null,
				after: JSON.stringify({
					role: "admin",
					email: "new.boss@example.com",
					firstName: "Bo",
					lastName: "O'Ss ’; drop",
				}),
			},
		]);
		const mails = await sql<{ address: string }>(
			"select address from mails where kind = 'new-admin' order by address",
		);
		expect(mails.map(({ address }) => address)).toEqual([CAST.ada.email, CAST.ben.email]);
	});

	it("renews an unclaimed invitation, even an expired one", async () => {
		await admin(args);
		await sql("update users set invite_expires_at = 1 where email = 'new.boss@example.com'");
		const ran = await admin([
			"create",
			"new.boss@example.com",
			"--first-name",
			"Bo",
			"--last-name",
			"Boss",
		]);
		expect(ran.out).toMatch(/^Bo Boss is invited again as an administrator until /);
		const row = await boss();
		expect(row?.invite_expires_at).toBeGreaterThan(currentTime() + 71 * HOUR);
		expect((await audited(row?.id)).map(({ action }) => action)).toEqual([
			"admin.create",
			"invitation.renew",
		]);
		expect(await sql("select count(*) as n from mails where kind = 'new-admin'")).toEqual([
			{ n: 2 },
		]);
	});

	it("leaves every other account with the email as it is", async () => {
		for (const name of ["dana", "ada", "ivan", "ines"] as const) {
			const before = await sql("select * from users where id = ?", idOf(name));
			expectFault(
				await admin(["create", CAST[name].email, "--first-name", "X", "--last-name", "Y"]),
				/already belongs to .* nothing was changed/,
			);
			expect(await sql("select * from users where id = ?", idOf(name))).toEqual(before);
		}
	});
});

describe("sessions and end-sessions", () => {
	it("lists open sessions, everyone's or one person's, and ends them", async () => {
		await open("dana", "a");
		await open("dana", "b", { startedAgo: 3 * HOUR });
		await open("dana", "c", { leftFor: -1 });
		await open("omar", "d", { startedAgo: 2 * HOUR });
		const all = await admin(["sessions"]);
		expect(all).toMatchObject({ code: 0, err: "" });
		const lines = all.out.trimEnd().split("\n");
		expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual([
			"Reference",
			"a".repeat(16),
			"d".repeat(16),
			"b".repeat(16),
		]);
		expect(lines[1]).toMatch(
			/^Dana Driver {2,}dana@milepost\.test {2,}driver {2,}(\d{4}-\d\d-\d\d \d\d:\d\d UTC {2,}){2}a{16}$/,
		);
		expect((await admin(["sessions", CAST.omar.email])).out.trimEnd().split("\n")).toHaveLength(2);
		const ended = await admin(["end-sessions", "DANA@milepost.test"]);
		expect(ended.out).toBe("dana@milepost.test is signed out: 2 sessions ended.\n");
		expect(await ends("dana")).toEqual(Array(3).fill({ reason: "ended-by-admin" }));
		expect(await ends("omar")).toEqual([{ reason: null }]);
		expect(await audited(idOf("dana"))).toMatchObject([
			{ actor_id: null, actor_role: "command line", action: "session.end-all" },
		]);
		expect((await admin(["end-sessions", CAST.dana.email])).out).toBe(
			"dana@milepost.test wasn't signed in.\n",
		);
		expect(await audited(idOf("dana"))).toHaveLength(1);
		expect((await admin(["sessions", CAST.dana.email])).out).toBe("No one is signed in.\n");
	});
});

describe("role", () => {
	const roleOf = async (name: CastName) =>
		(
			await sql("select role, approval_status, driver_number from users where id = ?", idOf(name))
		)[0];

	it("changes it and ends the sessions in the same batch", async () => {
		await open("ben", "e");
		const ran = await admin(["role", CAST.ben.email, "driver"]);
		expect(ran).toMatchObject({
			code: 0,
			out: "Ben Backup is now a driver and is signed out everywhere.\n",
		});
		expect(await roleOf("ben")).toEqual({
			role: "driver",
			approval_status: "approved",
			driver_number: 6,
		});
		expect(await ends("ben")).toEqual([{ reason: "role-changed" }]);
		expect(await audited(idOf("ben"))).toEqual([
			{
				actor_id: null,
				actor_role: "command line",
				action: "user.change-role",
				before: '{"role":"admin"}',
				after: '{"role":"driver"}',
			},
		]);
		expect((await admin(["role", CAST.ben.email, "driver"])).out).toBe(
			"Ben Backup is already a driver. Nothing was changed.\n",
		);
		expect(await audited(idOf("ben"))).toHaveLength(1);
	});

	it("tells the other administrators who has become one, or an accountant", async () => {
		const told = () =>
			sql(
				"select address, subject from mails where kind = 'new-admin' order by created_at, address",
			);
		await admin(["role", CAST.nora.email, "viewer"]);
		const accountant = { address: CAST.ben.email, subject: "New accountant: Nora Newcomer" };
		expect(await told()).toEqual([{ ...accountant, address: CAST.ada.email }, accountant]);
		await sql("delete from mails");
		await admin(["role", CAST.nora.email, "admin"]);
		expect(await told()).toEqual(
			[CAST.ada.email, CAST.ben.email].map((address) => ({
				address,
				subject: "New administrator: Nora Newcomer",
			})),
		);
		await sql("delete from mails");
		await admin(["role", CAST.nora.email, "none"]);
		expect(await told()).toEqual([]);
	});

	it("never takes the last administrator who can sign in, whatever invitations are open", async () => {
		await sql("update users set is_active = 0 where id = ?", idOf("ben"));
		await open("ada", "f");
		for (const role of ["driver", "none"])
			expectFault(
				await admin(["role", CAST.ada.email, role]),
				/^Ada Admin is the last administrator who can sign in/,
			);
		expect(await roleOf("ada")).toMatchObject({ role: "admin" });
		expect(await ends("ada")).toEqual([{ reason: null }]);
		expect(await audited(idOf("ada"))).toEqual([]);
	});

	it("takes at most one of two at once", async () => {
		await sql("update users set is_active = 0 where id = ?", idOf("ben"));
		await admin(["role", CAST.nora.email, "admin"]);
		expect(await roleOf("nora")).toEqual({
			role: "admin",
			approval_status: "approved",
			driver_number: null,
		});
		const both = await Promise.all([
			admin(["role", CAST.ada.email, "none"]),
			admin(["role", CAST.nora.email, "none"]),
		]);
		expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
		expect(
			await sql(
				"select count(*) as n from users where role = 'admin' and is_active = 1 and claimed_at is null and invited_at is null",
			),
		).toEqual([{ n: 1 }]);
	});

	it("makes nobody with a driver code an administrator, and keeps the code through 'none'", async () => {
		expectFault(await admin(["role", CAST.dana.email, "admin"]), /^Dana Driver has a driver ID/);
		expect((await admin(["role", CAST.dana.email, "none"])).out).toBe(
			"Dana Driver is now without a role and is signed out everywhere.\n",
		);
		expect(await roleOf("dana")).toMatchObject({ role: "none", driver_number: 1 });
		await admin(["role", CAST.dana.email, "driver"]);
		expect(await roleOf("dana")).toEqual({
			role: "driver",
			approval_status: "approved",
			driver_number: 1,
		});
	});

	it("gives no code to anyone who isn't approved", async () => {
		await admin(["role", CAST.rex.email, "none"]);
		await admin(["role", CAST.rex.email, "driver"]);
		expect(await roleOf("rex")).toEqual({
			role: "driver",
			approval_status: "rejected",
			driver_number: null,
		});
	});

	it("works while another process keeps writing to the same database, and loses nothing of either", async () => {
		let isWriting = true;
		let written = 0;
		const busy = (async () => {
			const binding = (await server.getD1Database("DB")) as unknown as D1Database;
			const db = new Database(binding, undefined, PATIENT_ATTEMPTS);
			while (isWriting) {
				await db.batch({
					touch: db.build.run(
						"update users set created_at = created_at + 1 where id = (select id from users limit 1)",
					),
				});
				written += 1;
				await new Promise((pause) => setTimeout(pause, 5));
			}
		})();
		const [{ created_at: before } = { created_at: 0 }] = await sql<{ created_at: number }>(
			"select created_at from users limit 1",
		);
		try {
			for (const role of ["none", "driver", "none", "driver"])
				expect(await admin(["role", CAST.lena.email, role])).toMatchObject({ code: 0, err: "" });
		} finally {
			isWriting = false;
			await busy;
		}
		const [{ created_at: after } = { created_at: 0 }] = await sql<{ created_at: number }>(
			"select created_at from users limit 1",
		);
		expect(await audited(idOf("lena"))).toHaveLength(4);
		expect(written).toBeGreaterThan(50);
		expect(Math.abs(after - before - written)).toBeLessThanOrEqual(1);
	});

	it("says in one line that the database is busy when another process keeps it locked", async () => {
		const other = new Miniflare(storageOptions(state));
		const db = await other.getD1Database("DB");
		/** Its transaction holds the lock until the counting ends, which it does with its process. */
		const held = db
			.batch([
				db.prepare("update users set created_at = created_at"),
				db.prepare(
					"with recursive c (n) as (select 1 union all select n + 1 from c where n < 1e12) select count(*) from c",
				),
			])
			.catch(() => "ended");
		const isLocked = () =>
			sql("update users set created_at = created_at").then(
				() => false,
				() => true,
			);
		await expect.poll(isLocked).toBe(true);
		const ran = await admin(["role", CAST.lena.email, "none"]);
		await other.dispose();
		expect(await held).toBe("ended");
		expectFault(
			ran,
			/^Another program is writing to the database right now\. Nothing was changed; please try again\.$/m,
		);
	});
});

describe("role by a session's reference", () => {
	it("makes someone an administrator whose email no provider verifies", async () => {
		await sql(
			"update users set email = null, unverified_email = 'boss@example.com' where id = ?",
			idOf("rex"),
		);
		await open("rex", "5");
		const listed = (await admin(["sessions"])).out;
		const reference = /boss@example\.com .* ([0-9a-f]{16})$/m.exec(listed)?.[1] ?? "";
		expect(reference).toBe("5".repeat(16));
		expectFault(
			await admin(["role", "boss@example.com", "admin"]),
			/^No account has the email boss/,
		);
		expectFault(
			await admin(["role", "6".repeat(16), "admin"]),
			/^No session has the reference 6+: /,
		);
		const ran = await admin(["role", reference, "admin"]);
		expect([ran.code, ran.err]).toEqual([0, ""]);
		expect(ran.out).toMatch(/ is now an administrator and is signed out everywhere\./);
		expect(await sql("select role, approval_status from users where id = ?", idOf("rex"))).toEqual([
			{ role: "admin", approval_status: "approved" },
		]);
		expect(await ends("rex")).toEqual([{ reason: "role-changed" }]);
	});
});
