/** `npm run doctor` finds each thing that is broken, one at a time. */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLocalPlace } from "../../tools/backup-place.ts";
import { judgeSize } from "../../tools/database-size.ts";
import { CHECKS, type CheckedFleet, runCheck } from "../../tools/doctor-checks.ts";
import { migrate } from "../../tools/migrate.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { buildTool } from "../support/admin-tool.ts";
import { idOf, seedOf } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { openDatabase } from "../support/database.ts";

const bench = await openDatabase();
const databaseTime = currentTime();
const today = new Date(databaseTime).toISOString().slice(0, 10);
const bytes = new TextEncoder().encode("a receipt");
const hash = createHash("sha256").update(bytes).digest("hex");
const files = new Map<string, Uint8Array>([["r/r1", bytes]]);
const fleet: CheckedFleet = {
	db: bench.d1,
	receipts: { get: async (key) => files.get(key) },
	now: databaseTime,
	sendsMail: true,
	isDeployed: true,
	receiptsRead: 50,
};
await bench.rows(
	`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
	values ('r1', ?, 'r/r1', 'image/png', 9, ?, 'a.png', ?)`,
	idOf("dana"),
	hash,
	databaseTime,
);
await bench.rows(
	`insert into fund_requests (id, number, driver_id, type, amount_cents, description, receipt_id, status, source, created_at, requested_on, payload_hash)
	values ('60000000-0000-4000-8000-000000000001', 7, ?, 'gas', 100, 'd', 'r1', 'pending', 'seed', ?, '2026-11-20', 'x')`,
	idOf("dana"),
	databaseTime - 1000,
);
for (const name of ["sweep", "books", "reminders", "seal"])
	await bench.rows("insert into daily_tasks (name, finished_on) values (?, ?)", name, today);
const examined = (name: string, more: Partial<CheckedFleet> = {}) =>
	runCheck(name, { ...fleet, ...more });

describe("a healthy fleet", () => {
	it.each(Object.keys(CHECKS))("%s", async (name) => {
		const finding = await examined(name);
		expect(finding.isSound, finding.words).toBe(true);
	});
});

const dana = idOf("dana");
const tomorrow = databaseTime + 86_400_000;
const idle = databaseTime - 90 * 86_400_000;
const mail = (status: string, id: string) =>
	`insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
	values ('${id}', 'invitation', 'x', 's', 'b', 'x', '${status}', 1, 1, '${id}')`;
const webhook = (id: string, failingSince: string, switchedOffAt: string) =>
	`insert into webhooks (id, added_by, url, events, secret, created_at, failing_since, switched_off_at, payload_hash)
	values ('${id}', '${idOf("ada")}', 'https://${id}.example.com/hook', '[]', '${"s".repeat(50)}', 1, ${failingSince}, ${switchedOffAt}, 'x')`;
const delivery = (id: string, webhookId: string, status: string, createdAt: number) =>
	`insert into webhook_deliveries (id, webhook_id, sequence, event, row_id, created_at, status, send_after)
	values ('${id}', '${webhookId}', 1, 'payout.paid', 'r', ${createdAt}, '${status}', 1)`;
const noWebhook = ["delete from webhook_deliveries", "delete from webhooks"];
const dayAgo = databaseTime - 86_400_000;
const dayAgoText = `${new Date(dayAgo).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const noMail = "delete from mails where kind = 'invitation' and about_id = 'x'";

it("reports how full the database is, and warns in time", () => {
	expect(judgeSize(642_800_000)).toEqual({
		isSound: true,
		words: "642.8 MB of the 10,000 MB that D1 holds",
	});
	expect(judgeSize(7_000_000_000)).toEqual({
		isSound: false,
		words:
			"7,000 MB of the 10,000 MB that D1 holds: docs/scale.md, 'Which limit comes first', says what to do",
	});
	expect(judgeSize(undefined).isSound).toBe(true);
});

describe("every fault is found, and its line says what to do", () => {
	const setPending = (cents: number) =>
		`update block_totals set pending_cents = pending_cents + ${cents} where driver_id = '${dana}' and days = 16`;
	const setApproved = (cents: number) =>
		`update block_totals set gas_cents = gas_cents + ${cents} where driver_id = '${dana}' and days = 256`;
	const index = "create index requests_extra on fund_requests (type)";
	it.each([
		[
			"totals",
			"a total",
			[setPending(1)],
			[setPending(-1)],
			`wrong for ${dana}, the fleet: npm run admin -- recount --remote`,
		],
		[
			"totals",
			"totals of somebody without any row",
			["insert into block_totals (driver_id, days, first_day, miles) values ('zz', 256, 0, 5)"],
			["delete from block_totals where driver_id = 'zz'"],
			"wrong for zz, the fleet",
		],
		["books", "books that don't balance", [setApproved(1)], [setApproved(-1)], dana],
		[
			"schema",
			"an index that is none of ours",
			[index],
			["drop index requests_extra"],
			"index requests_extra is none of ours",
		],
		[
			"schema",
			"a migration that is missing",
			["update d1_migrations set name = '9999_later.sql' where name like '0018%'"],
			["update d1_migrations set name = '0018_mail_delivery.sql' where name like '9999%'"],
			"this release doesn't know 9999_later.sql",
		],
		[
			"receipts",
			"a receipt whose file was changed",
			["update receipts set sha256 = replace(sha256, substr(sha256, 1, 1), 'g')"],
			[`update receipts set sha256 = '${hash}'`],
			"FR-000007's was changed: put the file back from a backup",
		],
		[
			"leftovers",
			"a receipt that should have been swept",
			[
				`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
				values ('r2', '${dana}', 'r/r2', 'image/png', 9, '${hash}', 'a.png', ${idle})`,
			],
			["delete from receipts where id = 'r2'"],
			"receipts that no request or charge has: 1. The sweep doesn't run",
		],
		[
			"email",
			"an email that doesn't leave",
			[mail("queued", "late")],
			[noMail],
			"1 email overdue for an hour, 0 broken off",
		],
		[
			"email",
			"an email that broke off",
			[mail("sending", "stuck")],
			[noMail],
			"0 emails overdue for an hour, 1 broken off",
		],
		[
			"schedule",
			"a schedule that stands still",
			["update daily_tasks set finished_on = '2020-01-01'"],
			[`update daily_tasks set finished_on = '${today}'`],
			"sweep, books, reminders, seal not finished for 2 days: look at the Worker's logs",
		],
		[
			"administrators",
			"nobody who can get in",
			["update users set is_active = 0 where role = 'admin'"],
			["update users set is_active = 1 where role = 'admin'"],
			"npm run admin -- create you@example.com --first-name You --last-name Yourself --remote",
		],
		[
			"tokens",
			"a token that nothing uses",
			[
				`insert into api_tokens (id, owner_id, name, scope, token_hash, created_at, expires_at, last_used_at, payload_hash)
				values ('unused', '${idOf("ada")}', 'Old payroll', 'read', '${"0".repeat(64)}', 1, ${tomorrow}, ${idle}, 'x'),
					('used', '${idOf("ada")}', 'Payroll', 'read', '${"1".repeat(64)}', 1, ${tomorrow}, ${databaseTime}, 'x')`,
			],
			["delete from api_tokens"],
			"not used for 90 days: Old payroll. Revoke them",
		],
		[
			"webhooks",
			"a receiver that has taken nothing for a day",
			[
				webhook("broken", `${dayAgo}`, "null"),
				webhook("fine", `${databaseTime}`, "null"),
				delivery("lost", "broken", "failed", databaseTime),
				delivery("old", "broken", "failed", databaseTime - 31 * 86_400_000),
				delivery("waiting", "broken", "queued", databaseTime),
			],
			noWebhook,
			`broken.example.com failing since ${dayAgoText}; 1 event given up in the last 30 days: fix the receiver`,
		],
		[
			"webhooks",
			"one that was switched off for it",
			[webhook("broken", `${dayAgo}`, `${databaseTime}`), webhook("unused", "null", "1")],
			noWebhook,
			`broken.example.com switched off, failing since ${dayAgoText}, 1 more switched off; 0 events given up`,
		],
		[
			"books",
			"the fleet's own totals",
			["update payout_totals set ready_cents = ready_cents + 100 where driver_id = ''"],
			["update payout_totals set ready_cents = ready_cents - 100 where driver_id = ''"],
			"the fleet's totals aren't the sums of everyone's: npm run admin -- recount",
		],
	] as const)("%s: %s", async (name, _, breaking, fixing, words) => {
		for (const sql of breaking) await bench.rows(sql);
		const finding = await examined(name);
		for (const sql of fixing) await bench.rows(sql);
		expect(finding).toEqual({ isSound: false, words: expect.stringContaining(words) });
		expect((await examined(name)).isSound).toBe(true);
	});

	it("schema: a missing trigger, and a changed one", async () => {
		const [found] = await bench.rows<{ name: string; sql: string }>(
			"select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'audit_events' order by name",
		);
		const { name, sql } = found ?? expect.unreachable();
		await bench.rows(`drop trigger ${name}`);
		expect((await examined("schema")).words).toContain(`trigger ${name} is gone`);
		await bench.rows(sql.replace("append-only", "nearly append-only"));
		expect((await examined("schema")).words).toContain(`trigger ${name} was changed`);
		await bench.rows(`drop trigger ${name}`);
		await bench.rows(sql);
		expect((await examined("schema")).isSound).toBe(true);
	});

	it("webhooks: one that an administrator switched off is none, nor one that failed just now", async () => {
		await bench.rows(webhook("unused", "null", "1"));
		await bench.rows(webhook("fine", `${databaseTime}`, "null"));
		await bench.rows(delivery("lost", "fine", "failed", databaseTime));
		const finding = await examined("webhooks");
		for (const sql of noWebhook) await bench.rows(sql);
		expect(finding).toEqual({
			isSound: true,
			words:
				"2 webhooks, 1 switched off, none failing for a day; 1 event given up in the last 30 days",
		});
	});

	it("leftovers: sessions that SESSION_RETENTION_DAYS keeps are none", async () => {
		await bench.rows(
			`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at)
			values ('${"a".repeat(64)}', ?, 1, 1, 1, ?)`,
			dana,
			idle,
		);
		const [found, kept] = [
			await examined("leftovers"),
			await examined("leftovers", { sessionDays: 365 }),
		];
		await bench.rows("delete from sessions where ends_at = ?", idle);
		expect(found.words).toContain("sessions that ended long ago: 1");
		expect(kept).toMatchObject({ isSound: true });
	});

	describe("schedule", () => {
		const settled = { now: databaseTime + 4 * 86_400_000 };
		const finished = (...names: string[]) =>
			Promise.all(
				names.map((name) =>
					bench.rows(
						"insert into daily_tasks (name, finished_on) values (?1, ?2) on conflict do update set finished_on = ?2",
						name,
						new Date(settled.now).toISOString().slice(0, 10),
					),
				),
			);
		const restore = async () => {
			await bench.rows("delete from daily_tasks");
			for (const name of ["sweep", "books", "reminders", "seal"])
				await bench.rows("insert into daily_tasks (name, finished_on) values (?, ?)", name, today);
		};

		it("a task that has never run, unless a migration may just have brought it", async () => {
			await bench.rows("delete from daily_tasks where name in ('seal', 'books')");
			await finished("sweep", "reminders");
			const [fresh, later] = [await examined("schedule"), await examined("schedule", settled)];
			await restore();
			expect(fresh).toMatchObject({ isSound: true });
			expect(later).toMatchObject({
				isSound: false,
				words: expect.stringMatching(/^books, seal not finished for 2 days/),
			});
		});

		it("a first run that doesn't end", async () => {
			await finished("sweep", "books", "seal");
			await bench.rows("update daily_tasks set finished_on = null where name = 'reminders'");
			const [fresh, later] = [await examined("schedule"), await examined("schedule", settled)];
			await restore();
			expect(fresh).toMatchObject({ isSound: true });
			expect(later.words).toMatch(/^reminders not finished for 2 days/);
		});

		it("the nightly export, only where a bucket is bound to BACKUPS", async () => {
			await finished("sweep", "books", "reminders", "seal");
			const unbound = await examined("schedule", settled);
			const bound = await examined("schedule", { ...settled, hasBackups: true });
			await restore();
			expect(unbound).toMatchObject({ isSound: true });
			expect(bound.words).toMatch(/^export not finished for 2 days/);
		});

		it("no sweep while SWEEPER is off", async () => {
			await finished("books", "reminders", "seal");
			await bench.rows("delete from daily_tasks where name = 'sweep'");
			const on = await examined("schedule", settled);
			const off = await examined("schedule", { ...settled, sweeps: false });
			await restore();
			expect(on.words).toMatch(/^sweep not finished for 2 days/);
			expect(off).toMatchObject({ isSound: true });
		});

		it("nothing has ever run", async () => {
			await bench.rows("delete from daily_tasks");
			const found = await examined("schedule");
			await restore();
			expect(found.words).toMatch(/^no daily task has ever run: look at the Worker's logs/);
		});
	});

	it("clock: the machine's is wrong", async () => {
		expect(await examined("clock", { now: tomorrow })).toMatchObject({
			isSound: false,
			words: expect.stringMatching(/8\d,\d{3} seconds apart: set this machine's clock/),
		});
	});

	it("receipts: a file is gone", async () => {
		expect(
			(await examined("receipts", { receipts: { get: async () => undefined } })).words,
		).toMatch(/^FR-000007's is gone/);
	});

	it("references: rows that refer to missing rows", async () => {
		const broken = { results: [{ table: "payouts" }, { table: "payouts" }] };
		const statement = { bind: () => statement, all: async () => broken };
		const db = { prepare: () => statement } as unknown as D1Database;
		expect((await examined("references", { db })).words).toMatch(
			/^2 rows of payouts refer to rows that are gone: restore a backup/,
		);
	});

	it("a database that can't answer", async () => {
		const refusing = () => {
			throw new Error("D1_ERROR: down");
		};
		const db = { prepare: refusing, batch: refusing } as unknown as D1Database;
		const address = "http://127.0.0.1:1";
		for (const name of Object.keys(CHECKS))
			expect(await examined(name, { db, address }), name).toMatchObject({ isSound: false });
	});
});

it("the command exits with 0 for a healthy fleet, and with 1 otherwise", async () => {
	const scratch = await mkdtemp(join(tmpdir(), "milepost-doctor-"));
	const doctor = await buildTool("doctor");
	try {
		const env = { MILEPOST_STATE: join(scratch, "state") };
		const within = async (work: (db: D1Database) => Promise<unknown>) => {
			const place = await openLocalPlace(env.MILEPOST_STATE);
			await work(place.db);
			await place.close();
		};
		await within(async (db) => {
			await migrate(db);
			await insertSeed(db, seedOf(databaseTime, "admin"));
		});
		const well = await doctor.run([], env);
		expect(well, well.out).toMatchObject({ code: 0, err: "" });
		expect(well.out).toMatch(/^ok {4} schema: \d+ migrations, as they were written\.$/m);
		expect(well.out.match(/^ok/gm)).toHaveLength(Object.keys(CHECKS).length);
		await within((db) => db.prepare("update users set is_active = 0").run());
		const ill = await doctor.run([], env);
		expect(ill.code).toBe(1);
		expect(ill.out).toMatch(
			/^WRONG {2}administrators: none can sign in: npm run admin -- create /m,
		);
		expect(ill.err).toMatch(/^1 of \d+ checks found something wrong/);
		expect((await doctor.run(["--receipts", "many"], env)).err).toMatch(
			/^--receipts takes a whole/,
		);
		expect((await doctor.run([], { MILEPOST_STATE: join(scratch, "none") })).err).toMatch(
			/^There is no database/,
		);
		expect((await doctor.run(["--help"], env)).out).toMatch(/^Usage: npm run doctor/);
	} finally {
		await doctor.remove();
		await rm(scratch, { recursive: true, force: true });
	}
});
