/**
 * Backing up a fleet in use, and restoring it, on real D1 with the code of `npm run backup` and
 * `npm run restore`.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { EXCLUDED_TABLES } from "../../app/domain/backups/left-out.ts";
import { exportedTables } from "../../app/domain/backups/rows.server.ts";
import { approveRequests } from "../../app/domain/fund-requests/commands/approve.server.ts";
import { submitRequest } from "../../app/domain/fund-requests/commands/submit.server.ts";
import { withdrawRequest } from "../../app/domain/fund-requests/commands/withdraw.server.ts";
import { logMileage } from "../../app/domain/mileage/commands/log.server.ts";
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { deriveKey } from "../../tools/backup-file.ts";
import type { Place } from "../../tools/backup-place.ts";
import { keyOf, restoreBackup, verifyBackup } from "../../tools/backup-read.ts";
import { backupTables } from "../../tools/backup-tables.ts";
import { writeBackup } from "../../tools/backup-write.ts";
import { takeLock } from "../../tools/deploy-lock.ts";
import { idOf } from "../support/cast.ts";
import { openDatabase, type TestDatabase } from "../support/database.ts";
import { insertMoneyRows } from "../support/settlements.ts";
import { prepareUnnamedChanges } from "../support/unnamed-changes.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const scratch = await mkdtemp(join(tmpdir(), "milepost-backup-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(scratch, String(++folders));

/** A fleet in memory. */
function placeOf({ d1 }: TestDatabase, files = new Map<string, Uint8Array>()): Place {
	return {
		name: "a test",
		db: d1,
		receipts: {
			get: async (key) => files.get(key),
			put: async (key, bytes) => {
				files.set(key, bytes);
			},
		},
		close: async () => undefined,
	};
}

/** Every row of every table that is backed up. */
async function contentOf({ d1, rows }: TestDatabase) {
	const tables = await backupTables(d1);
	const content: Record<string, unknown[]> = {};
	for (const { name, columns } of tables)
		content[name] = await rows(
			`select ${columns.join(", ")} from ${name} order by ${columns.includes("id") ? "id" : columns.join(", ")}`,
		);
	return content;
}
const totalsOf = ({ rows }: TestDatabase) =>
	rows(`select * from block_totals where miles + trips + gas_cents + maintenance_cents + other_cents
		+ pending_cents + commission_cents + service_fee_cents + booking_fee_cents + other_fee_cents > 0
		order by driver_id, days, first_day`);

const GAS = { type: "gas", amount: 100, description: "Fuel", confirm: undefined } as const;
const AWKWARD = [
	"line\nbreak and a literal \\n, \\r\\n and \\\\",
	"\u2028\u2029\u0085 are no ends of lines",
	"\"quotes\", 'more', `ticks` and ; -- drop table users",
	"=1+1, +1, @x, ﷽ 😀 e\u0301 ß Ł שלום",
	"x".repeat(1000),
	" leading, trailing and \ttab ",
];

/** The cast with awkward texts, a receipt and people who refer to each other. */
async function openAwkward(): Promise<{ bench: TestDatabase; files: Map<string, Uint8Array> }> {
	const bench = await openDatabase("everyone", NOON);
	for (const [index, notes] of AWKWARD.entries())
		await bench.rows(
			`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, notes, source, created_at, payload_hash)
			values (?, ?, ?, ?, ?, ?, 'seed', 1, 'x')`,
			`60000000-0000-4000-8000-00000000000${index}`,
			idOf("dana"),
			TODAY,
			500_000 + index * 10,
			500_005 + index * 10,
			notes,
		);
	await insertMoneyRows(bench.rows, "lena", "2026-11-09");
	// Approved by someone who joined later and was added by the one approved.
	await bench.rows("update users set decided_by = ? where id = ?", idOf("ben"), idOf("ada"));
	await bench.rows("update users set created_by = ? where id = ?", idOf("ada"), idOf("ben"));
	const bytes = new TextEncoder().encode("a receipt \0 with any bytes");
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	await bench.rows(
		`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		values ('r1', ?, 'r/r1', 'image/png', ?, ?, 'päper.png', 1), ('r2', ?, 'r/r2', 'image/png', 1, ?, 'lost.png', 1)`,
		idOf("dana"),
		bytes.length,
		sha256,
		idOf("dana"),
		sha256,
	);
	return { bench, files: new Map([["r/r1", bytes]]) };
}

describe("a backup", () => {
	it.each([
		["in plain files", undefined],
		["encrypted", "correct horse battery staple"],
	])("%s is restored as it was, with every receipt and total", async (_, passphrase) => {
		const { bench, files } = await openAwkward();
		const folder = newFolder();
		const key = passphrase ? deriveKey(passphrase) : undefined;
		const manifest = await writeBackup(placeOf(bench, files), folder, key, () => NOON);
		expect(manifest.missing).toEqual(["r/r2"]);
		expect(manifest.tables.map(({ name }) => name)).toContain("audit_events");
		if (passphrase) {
			for (const { file } of [...manifest.tables, ...manifest.receipts])
				expect(await readFile(join(folder, file.path), "latin1")).not.toMatch(
					/milepost|Dana|receipt/,
				);
			expect(() => keyOf(manifest, undefined)).toThrow("MILEPOST_BACKUP_PASSPHRASE");
		}
		const target = await openDatabase("nobody", NOON);
		const restored = new Map<string, Uint8Array>();
		const read = await verifyBackup(folder);
		await restoreBackup(placeOf(target, restored), folder, read, keyOf(read, passphrase));
		const [before, after] = [await contentOf(bench), await contentOf(target)];
		expect(after).toEqual(before);
		expect(await totalsOf(target)).toEqual(await totalsOf(bench));
		expect([...restored]).toEqual([...files]);
		// The database enforces its rules again.
		const triggers = "select name, sql from sqlite_master where type = 'trigger' order by name";
		expect(await target.rows(triggers)).toEqual(await bench.rows(triggers));
		await expect(
			target.rows("update mileage_logs set end_miles = end_miles + 1"),
		).rejects.toThrow();
		await expect(
			restoreBackup(placeOf(target), folder, read, keyOf(read, passphrase)),
		).rejects.toThrow("Restore into an empty one");
	});

	it("of a fleet in use is the fleet at one moment", async () => {
		const bench = await openDatabase("everyone", NOON);
		let reading = 700_000;
		let amount = 100;
		const pending: string[] = [];
		/** Something that happens between two reads. */
		const work = async (step: number) => {
			const now = NOON + step * 1000;
			const dana = await bench.driver("dana", now);
			if (step % 3 === 0) {
				reading += 10;
				await logMileage(
					dana,
					{
						date: addDays(TODAY, -(step % 50)),
						startOdometer: reading,
						endOdometer: reading + 5,
						notes: undefined,
						confirm: undefined,
					},
					"json",
				);
			} else if (step % 3 === 1) {
				amount += 1;
				const made = await submitRequest(
					dana,
					{ type: "gas", amount, description: `Fuel ${step}`, confirm: undefined },
					"json",
				);
				if (made.ok) pending.push(made.value.request.id);
			} else {
				const [id = ""] = pending.splice(step % pending.length, 1);
				if (step % 2) await withdrawRequest(dana, id);
				else await approveRequests(await bench.admin("ada", now), [id]);
			}
		};
		for (let step = 0; step < 30; step++) await work(step);
		let step = 30;
		let attempts = 0;
		let isRead = false;
		const busy = {
			prepare(sql: string) {
				const statement = bench.d1.prepare(sql);
				const worked = (of: D1PreparedStatement): D1PreparedStatement =>
					Object.assign(Object.create(of) as D1PreparedStatement, {
						bind: (...values: unknown[]) => worked(of.bind(...values)),
						all: async () => {
							const answer = await of.all();
							if (!isRead) await work(step++);
							return answer;
						},
					});
				return worked(statement);
			},
			async batch(list: D1PreparedStatement[]) {
				// Someone else writes before the first two attempts to read the changes.
				attempts += 1;
				if (attempts <= 2) await work(step++);
				else isRead = true;
				return bench.d1.batch(list);
			},
		} as unknown as D1Database;
		const folder = newFolder();
		await writeBackup({ ...placeOf(bench), db: busy }, folder, undefined, () => NOON);
		expect(attempts).toBeGreaterThan(2);
		const target = await openDatabase("nobody", NOON);
		await restoreBackup(placeOf(target), folder, await verifyBackup(folder), undefined);
		const [before, after] = [await contentOf(bench), await contentOf(target)];
		// Pending emails aren't sent twice.
		const settled = (mails: unknown[] = []) =>
			mails.map((mail) => ({
				...(mail as object),
				status: "",
				last_error: "",
				may_have_been_sent: 0,
			}));
		expect({ ...after, mails: settled(after.mails) }).toEqual({
			...before,
			mails: settled(before.mails),
		});
		expect(after.fund_requests?.length).toBeGreaterThan(10);
		expect(new Set(after.mails?.map((mail) => (mail as { status: string }).status))).not.toContain(
			"queued",
		);
		const restored = await target.rows<{ may_have_been_sent: number }>(
			"select distinct may_have_been_sent from mails where last_error like 'Restored from a backup%'",
		);
		expect(restored).toEqual([{ may_have_been_sent: 1 }]);
		expect(await totalsOf(target)).toEqual(await totalsOf(bench));
		const names = "select * from person_names order by user_id, name";
		expect(await target.rows(names)).toEqual(await bench.rows(names));
		expect((await target.rows(names)).length).toBeGreaterThan(20);
	});

	it("has what a canceled payout or a question does to requests that were already read", async () => {
		const bench = await openDatabase("everyone", NOON);
		let change: (() => Promise<void>) | undefined = await prepareUnnamedChanges(bench);
		const busy = {
			prepare: (sql: string) => bench.d1.prepare(sql),
			async batch(list: D1PreparedStatement[]) {
				await change?.();
				change = undefined;
				return bench.d1.batch(list);
			},
		} as unknown as D1Database;
		const folder = newFolder();
		await writeBackup({ ...placeOf(bench), db: busy }, folder, undefined, () => NOON);
		expect(change).toBeUndefined();
		const target = await openDatabase("nobody", NOON);
		await restoreBackup(placeOf(target), folder, await verifyBackup(folder), undefined);
		const [before, after] = [await contentOf(bench), await contentOf(target)];
		expect(after.fund_requests).toEqual(before.fund_requests);
	});

	it("ends at the moment it is the fleet of, not when it is written", async () => {
		const bench = await openDatabase("everyone", NOON);
		let time = NOON;
		let [asked, answered] = [0, 0];
		const slow = {
			prepare: (sql: string) => bench.d1.prepare(sql),
			async batch(list: D1PreparedStatement[]) {
				asked = time;
				// Another change makes the first answer useless.
				if (answered === 0) await submitRequest(await bench.driver("dana", time), GAS, "json");
				const answers = await bench.d1.batch(list);
				time += 60_000;
				answered = time;
				return answers;
			},
		} as unknown as D1Database;
		const place = { ...placeOf(bench), db: slow };
		const { startedAt, endedAt } = await writeBackup(place, newFolder(), undefined, () => time);
		// Two reads, of two batches each.
		expect([answered - NOON, startedAt]).toEqual([240_000, new Date(NOON).toISOString()]);
		expect(endedAt).toBe(new Date(asked).toISOString());
	});

	it("that is damaged, unfinished or has another passphrase isn't accepted", async () => {
		const { bench, files } = await openAwkward();
		const folder = newFolder();
		const manifest = await writeBackup(
			placeOf(bench, files),
			folder,
			deriveKey("right"),
			() => NOON,
		);
		const paths = [
			"manifest.json",
			...[...manifest.tables, ...manifest.receipts]
				.filter(({ file }) => file.bytes > 0)
				.map(({ file }) => file.path),
		];
		expect(paths.length).toBeGreaterThan(5);
		for (const path of paths) {
			const whole = await readFile(join(folder, path));
			const flipped = Buffer.from(whole);
			const at = Math.floor(whole.length / 2);
			flipped[at] = (flipped[at] ?? 0) ^ 1;
			await writeFile(join(folder, path), flipped);
			await expect(verifyBackup(folder)).rejects.toThrow(`${path} is damaged`);
			await writeFile(join(folder, path), whole.subarray(0, whole.length - 1));
			await expect(verifyBackup(folder)).rejects.toThrow(`${path} is damaged`);
			await rm(join(folder, path));
			await expect(verifyBackup(folder)).rejects.toThrow(
				path === "manifest.json" ? "isn't a complete backup" : `${path} is missing`,
			);
			await writeFile(join(folder, path), whole);
		}
		const whole = await verifyBackup(folder);
		expect(() => keyOf(whole, "wrong")).toThrow("isn't the passphrase");
	});

	it("of a later release is refused", async () => {
		const bench = await openDatabase("nobody", NOON);
		await bench.rows("insert into d1_migrations (name) values ('9999_next_year.sql')");
		const folder = newFolder();
		await writeBackup(placeOf(bench), folder, undefined, () => NOON);
		const target = await openDatabase("nobody", NOON);
		await expect(
			restoreBackup(placeOf(target), folder, await verifyBackup(folder), undefined),
		).rejects.toThrow("from a later release");
	});

	it("of an earlier release isn't put under migrations that would have changed its rows", async () => {
		const bench = await openDatabase("everyone", NOON);
		await bench.rows("delete from d1_migrations where name like '0031%'");
		const folder = newFolder();
		await writeBackup(placeOf(bench), folder, undefined, () => NOON);
		const target = await openDatabase("nobody", NOON);
		const began: string[] = [];
		await expect(
			restoreBackup(placeOf(target), folder, await verifyBackup(folder), undefined, () =>
				began.push("began"),
			),
		).rejects.toThrow(
			"The database has 0031_paid_days.sql already, which has to run on the backup's rows. Delete the database, create it again and restore into the new one.",
		);
		expect(began).toEqual([]);
	});

	it("contains every table except those left out on purpose", async () => {
		const bench = await openDatabase("nobody", NOON);
		await takeLock(bench.d1, "a deployment that was stopped", NOON);
		const all = await bench.rows<{ name: string; wr: number }>(
			`select name, wr from pragma_table_list where type = 'table'
			and name not like 'sqlite%' and name not like '_cf%' and name not like 'd1%' order by name`,
		);
		const held = (await backupTables(bench.d1)).map(({ name }) => name);
		expect([...held, ...Object.keys(EXCLUDED_TABLES)].sort()).toEqual(all.map(({ name }) => name));
		const exported = (await exportedTables(new Database(bench.d1))).map(({ name }) => name);
		expect(exported.sort()).toEqual([...held].sort());
		// A page begins after the last row's number.
		for (const { name, wr } of all) if (held.includes(name)) expect([name, wr]).toEqual([name, 0]);
		await writeBackup(placeOf(bench), join(scratch, "once"), undefined, () => NOON);
		expect(await readdir(join(scratch, "once"))).not.toContain("partial");
		await expect(
			writeBackup(placeOf(bench), join(scratch, "once"), undefined, () => NOON),
		).rejects.toThrow("isn't empty");
	});
});
