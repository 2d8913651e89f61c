/**
 * The nightly export on real D1 and R2: made in steps while people write, downloaded, restored and
 * compared.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { keptDates, LATEST } from "../../app/domain/backups/manifest.ts";
import { nightlyExport } from "../../app/domain/backups/nightly.server.ts";
import { exportedTables } from "../../app/domain/backups/rows.server.ts";
import { redateRequests } from "../../app/domain/fund-requests/commands/redate.server.ts";
import { logMileage } from "../../app/domain/mileage/commands/log.server.ts";
import { addDays, parseCalendarDate } from "../../app/values/calendar-date.ts";
import { BackupError, linesOfBackupFile, type StoredFile } from "../../tools/backup-file.ts";
import type { ReceiptStore } from "../../tools/backup-place.ts";
import { restoreBackup, verifyBackup } from "../../tools/backup-read.ts";
import { backupTables } from "../../tools/backup-tables.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { buildTool, expectFault } from "../support/admin-tool.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { openDatabase, type TestDatabase } from "../support/database.ts";
import { openFileStores } from "../support/file-store.ts";
import { insertTrips } from "../support/rows.ts";
import { insertMoneyRows } from "../support/settlements.ts";
import { prepareUnnamedChanges } from "../support/unnamed-changes.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const bench = await openDatabase("everyone", NOON, { isKept: true });
const { receipts, backups, released } = await openFileStores("receipts", "backups", "released");
const scratch = await mkdtemp(join(tmpdir(), "milepost-nightly-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const storeOf = (bucket: R2Bucket): ReceiptStore => ({
	get: async (key) => {
		const object = await bucket.get(key);
		return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
	},
	put: async () => undefined,
});
const store = storeOf(backups);

const bytes = new TextEncoder().encode("a receipt");
await receipts.put("r/r1", bytes);
await bench.rows(
	`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
	values ('r1', ?, 'r/r1', 'image/png', 9, ?, 'a.png', 5)`,
	idOf("dana"),
	createHash("sha256").update(bytes).digest("hex"),
);
await insertMoneyRows(bench.rows, "lena", "2026-11-09");

/** Minutes of a night until its export is complete; `between` runs before each except the first. */
async function exportOn(day: number, between = async () => {}, partRows = 4, target = backups) {
	const buckets = { receipts, backups: target };
	for (let minute = 0; minute < 60; minute++) {
		if (minute > 0) await between();
		const now = NOON + day * 86_400_000 + minute * 60_000;
		const system = { role: "system", db: new Database(bench.d1), now } as const;
		const done = await nightlyExport(system, buckets, ZONE, { partRows });
		if (done) return done;
	}
	throw new Error("the export doesn't end");
}
/** Every row of every table that is backed up, but for what a restore changes. */
async function contentOf({ d1, rows }: TestDatabase) {
	const content: Record<string, unknown[]> = {};
	for (const { name, columns } of await backupTables(d1))
		content[name] = (
			await rows(`select ${columns.map((each) => `"${each}"`).join(", ")} from ${name}`)
		)
			.map((row) => JSON.stringify(row))
			// The export writes its own audit entry when complete.
			.filter((row) => !row.includes("backup.export"))
			.sort();
	return content;
}

/** A database whose every answer is lost once, so that every batch is sent twice. */
const sentTwice = (db: D1Database) =>
	new Proxy(db, {
		get(target, name) {
			if (name !== "batch") return Reflect.get(target, name).bind(target);
			return async (statements: D1PreparedStatement[]) => {
				await target.batch(statements);
				return target.batch(statements);
			};
		},
	});

let folders = 0;
async function restored() {
	const folder = join(scratch, String(++folders));
	await fetchNightly(store, folder);
	const manifest = await verifyBackup(folder);
	const target = await openDatabase("nobody", NOON);
	const kept = new Map<string, Uint8Array>();
	const place = {
		name: "scratch",
		db: target.d1,
		receipts: {
			get: async (key: string) => kept.get(key),
			put: async (key: string, content: Uint8Array) => void kept.set(key, content),
		},
		close: async () => undefined,
	};
	await restoreBackup(place, folder, manifest, undefined);
	return { target, kept, manifest };
}

describe("the nightly export", () => {
	it("is the fleet at one moment, whatever was written, changed and removed meanwhile", async () => {
		const dana = await bench.driver("dana");
		// Each trip that is logged meanwhile doesn't fit before one of these, which is flagged then.
		await bench.rows(
			`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 40)
			select printf('91000000-0000-4000-8000-%012x', i), ?, date(?, -i || ' days'), 600000 - i * 10, 600010 - i * 10,
				'form', 1, 'x' from n`,
			idOf("dana"),
			TODAY,
		);
		// They are read more than a step after the trips.
		await bench.rows(`insert into notices (id, subject, body, created_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
			select 'notice-' || i, 'A notice', 'Its body', 1 from n`);
		let trips = 0;
		const counts = await exportOn(0, async () => {
			trips += 1;
			// Nobody writes after the last part was read, so that the states can be compared.
			const [task] = await bench.rows<{ cursor: string }>("select cursor from daily_tasks");
			if (task?.cursor.includes('"receipts"')) return;
			const logged = await logMileage(
				dana,
				{
					date: addDays(TODAY, -trips),
					startOdometer: 700_000 + trips * 100,
					endOdometer: 700_050 + trips * 100,
					notes: `line\nbreak, a literal \\n, \u2028 and \u{1f600} ${trips}`,
					confirm: undefined,
				},
				"json",
			);
			expect(logged.ok).toBe(true);
			await bench.rows("delete from mails where rowid = (select min(rowid) from mails)");
		});
		expect(trips).toBeGreaterThan(0);
		expect(counts).toMatchObject({ receipts: 1 });
		const { target, kept, manifest } = await restored();
		expect(await contentOf(target)).toEqual(await contentOf(bench));
		expect(new TextDecoder().decode(kept.get("r/r1"))).toBe("a receipt");
		expect(manifest.missing).toEqual([]);
		expect(await bench.rows("select action from audit_events where action like 'backup%'")).toEqual(
			[{ action: "backup.export" }],
		);
	});

	it("is restored once even if every batch is sent twice", async () => {
		const folder = join(scratch, "twice");
		await fetchNightly(store, folder);
		const target = await openDatabase("nobody", NOON);
		const kept = { get: async () => undefined, put: async () => undefined };
		const place = {
			name: "scratch",
			db: sentTwice(target.d1),
			receipts: kept,
			close: async () => undefined,
		};
		await restoreBackup(place, folder, await verifyBackup(folder), undefined);
		expect(await contentOf(target)).toEqual(await contentOf(bench));
	});

	it("runs once a day, and copies a receipt once", async () => {
		const again = await nightlyExport(
			{ role: "system", db: new Database(bench.d1), now: NOON + 3_600_000 },
			{ receipts, backups },
			ZONE,
		);
		expect(again).toBeUndefined();
		expect(await exportOn(1)).toMatchObject({ receipts: 0 });
		expect((await restored()).kept.size).toBe(1);
	});

	it.each(["tables", "receipts", "manifest"])("finds a flipped byte: %s", async (what) => {
		const { objects } = await backups.list();
		const key =
			objects
				.filter(
					({ key: each, size }) =>
						each.includes(what) && size > 2 && (what !== "tables" || each.includes("2026-11-22")),
				)
				.at(-1)?.key ?? "";
		const before = new Uint8Array((await (await backups.get(key))?.arrayBuffer()) ?? []);
		const flipped = before.slice();
		flipped[2] = (flipped[2] ?? 0) ^ 1;
		const told = (await backups.head(key))?.customMetadata ?? {};
		await backups.put(key, flipped, { customMetadata: told });
		await expect(fetchNightly(store, join(scratch, `flipped-${what}`))).rejects.toThrow(
			/is damaged/,
		);
		await backups.put(key, before, { customMetadata: told });
		await fetchNightly(store, join(scratch, `fixed-${what}`));
	});

	it("says so when a part is missing, or when there is no export at all", async () => {
		const empty: ReceiptStore = { get: async () => undefined, put: async () => undefined };
		await expect(fetchNightly(empty, join(scratch, "none"))).rejects.toThrow(
			"The bucket of backups has no complete export yet.",
		);
		const without: ReceiptStore = {
			...store,
			get: async (key) => (key.includes("/users/") ? undefined : store.get(key)),
		};
		await expect(fetchNightly(without, join(scratch, "gap"))).rejects.toThrow(/users.* is missing/);
	});

	it("passes on why the bucket can't be read, rather than denying that there is an export", async () => {
		const refusing: ReceiptStore = {
			...store,
			get: () =>
				Promise.reject(new BackupError("The bucket milepost-backups answered 403 to a read.")),
		};
		await expect(fetchNightly(refusing, join(scratch, "refused"))).rejects.toThrow(
			"The bucket milepost-backups answered 403 to a read.",
		);
	});

	it.each([
		["missing", undefined],
		["damaged", new TextEncoder().encode("{")],
	])(
		"fetches the export of a date even if the name of the newest is %s",
		async (words, pointer) => {
			const without: ReceiptStore = {
				...store,
				get: async (key) => (key === LATEST ? pointer : store.get(key)),
			};
			const folder = join(scratch, `dated-${words}`);
			expect(await fetchNightly(without, folder, "2026-11-21")).toMatchObject({
				date: "2026-11-21",
			});
			await verifyBackup(folder);
		},
	);

	it("leaves nothing of an earlier export of the same day, such as before a restore", async () => {
		// It was made in parts of 4 rows.
		await bench.rows("delete from daily_tasks where name = 'export'");
		await exportOn(1, undefined, 2000);
		const { target } = await restored();
		expect(await contentOf(target)).toEqual(await contentOf(bench));
	});

	it.each([
		["a canceled payout or a question", prepareUnnamedChanges],
		[
			"a new time zone",
			async () => async () => {
				const operator = { role: "operator", db: new Database(bench.d1), now: NOON } as const;
				expect(await redateRequests(operator, "Asia/Tokyo")).toBeGreaterThan(0);
			},
		],
	])("has what %s does to requests that were already written", async (_, prepare) => {
		let change: (() => Promise<void>) | undefined = await prepare(bench);
		await bench.rows("delete from daily_tasks where name = 'export'");
		const tables = await exportedTables(new Database(bench.d1));
		await exportOn(
			1,
			async () => {
				const [task] = await bench.rows<{ cursor: string }>(
					"select cursor from daily_tasks where name = 'export'",
				);
				const { table = 0, receipts: isOver } = JSON.parse(task?.cursor ?? "{}");
				if (isOver || (tables[table]?.name ?? "") <= "fund_requests") return;
				await change?.();
				change = undefined;
			},
			1,
		);
		expect(change).toBeUndefined();
		const { target } = await restored();
		const [{ fund_requests: after }, { fund_requests: before }] = [
			await contentOf(target),
			await contentOf(bench),
		];
		expect(after).toEqual(before);
	});

	it("ends even if rows are removed before it is completed, and others are added meanwhile", async () => {
		await bench.rows("delete from daily_tasks where name = 'export'");
		// More than one step writes, of someone who goes on driving meanwhile.
		await insertTrips(bench.rows, idOf("lena"), TODAY, 120);
		// Without an entry in the audit.
		await bench.rows("insert into bounces values ('gone@milepost.test', 'E_RECIPIENT', ?)", NOON);
		let trips = 0;
		const log = async (name: "dana" | "lena" | "omar") => {
			const driver = await bench.driver(name);
			const start = 800_000 + ++trips * 100;
			const readings = { startOdometer: start, endOdometer: start + 50 };
			const trip = { date: TODAY, notes: undefined, confirm: undefined, ...readings };
			expect((await logMileage(driver, trip, "json")).ok).toBe(true);
		};
		// Parts are listed only to complete the export.
		let isCompleting = false;
		let isBusy = true;
		const busy = new Proxy(backups, {
			get(bucket, name) {
				const method = Reflect.get(bucket, name).bind(bucket);
				return async (...given: unknown[]) => {
					if (name === "list") isCompleting = true;
					const isEntries = name === "put" && String(given[0]).includes("/audit_events/");
					if (isEntries && isCompleting && isBusy) {
						isBusy = false;
						await log("omar");
					}
					return method(...given);
				};
			},
		});
		await exportOn(
			1,
			async () => {
				isBusy = true;
				isCompleting = false;
				await log("dana");
				await log("lena");
				await bench.rows("delete from bounces");
			},
			4,
			busy,
		);
		expect(trips).toBeGreaterThan(1);
		await restored();
	});

	it("removes expired exports, and nothing else", async () => {
		await backups.put("nightly/2024-01-10/manifest.json", "{}");
		await backups.put("nightly/2024-01-10/tables/users/1.ndjson", "x");
		for (let month = 1; month <= 12; month++)
			await backups.put(`nightly/2025-${String(month).padStart(2, "0")}-28/manifest.json`, "{}");
		// Newer than November's export, but never completed.
		await backups.put("nightly/2025-11-30/rows.json", "{}");
		await exportOn(2, undefined, 2000);
		const { delimitedPrefixes } = await backups.list({ prefix: "nightly/", delimiter: "/" });
		expect(delimitedPrefixes).not.toContain("nightly/2024-01-10/");
		expect(delimitedPrefixes).toContain("nightly/2026-11-23/");
		expect(delimitedPrefixes).toContain("nightly/2025-11-28/");
		expect(delimitedPrefixes).not.toContain("nightly/2025-11-30/");
		expect((await restored()).kept.size).toBe(1);
	});

	it("names a receipt whose file is gone every night, and copies it once it is back", async () => {
		const found = new TextEncoder().encode("found again");
		await bench.rows(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			values ('lost', ?, 'r/lost', 'image/png', 11, ?, 'b.png', ?)`,
			idOf("dana"),
			createHash("sha256").update(found).digest("hex"),
			NOON + 2.5 * 86_400_000,
		);
		for (const day of [3, 4]) {
			await exportOn(day, undefined, 2000);
			const { manifest, kept } = await restored();
			expect([manifest.missing, kept.size], String(day)).toEqual([["r/lost"], 1]);
		}
		// A day that is exported again after its manifest is gone, as after a restore.
		await bench.rows("delete from daily_tasks where name = 'export'");
		await exportOn(4, undefined, 2000);
		expect((await restored()).manifest.missing).toEqual(["r/lost"]);
		await receipts.put("r/lost", found);
		await exportOn(5, undefined, 2000);
		const { manifest, kept } = await restored();
		expect([manifest.missing, kept.size]).toEqual([[], 2]);
		await bench.rows("delete from receipts where id = 'lost'");
		await exportOn(6, undefined, 2000);
		await backups.delete(["receipts/r/lost", "unreferenced/r/lost"]);
	});

	it("starts again when a release has added a column meanwhile", async () => {
		const names = (await exportedTables(new Database(bench.d1))).map(({ name }) => name);
		let isAdded = false;
		const addColumn = async () => {
			const [task] = await bench.rows<{ cursor: string }>("select cursor from daily_tasks");
			const { table } = JSON.parse(task?.cursor ?? "{}") as { table: number };
			if (isAdded || table < names.indexOf("bounces")) return;
			isAdded = true;
			await bench.rows("alter table bounces add column added text");
			await bench.rows("insert into d1_migrations (name) values ('9999_added.sql')");
		};
		// More than one step reads them.
		await bench.rows(`insert into bounces
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 80)
			select i || '@milepost.test', 'E_RECIPIENT', 5 from n`);
		await bench.rows("delete from daily_tasks where name = 'export'");
		await exportOn(3, addColumn, 2, released);
		const folder = join(scratch, "added");
		await fetchNightly(storeOf(released), folder);
		const { tables } = await verifyBackup(folder);
		const bounces = tables.find(({ name }) => name === "bounces");
		expect(bounces?.columns).toContain("added");
		let lines = 0;
		for await (const line of linesOfBackupFile(folder, bounces?.file as StoredFile, undefined)) {
			expect((JSON.parse(line) as unknown[]).length).toBe(bounces?.columns.length);
			lines += 1;
		}
		expect(lines).toBeGreaterThanOrEqual(80);
		await bench.rows("alter table bounces drop column added");
		await bench.rows("delete from d1_migrations where name like '9999%'");
	});
});

it("npm run drill restores a folder into a scratch database, and reports faults in one line", async () => {
	const drill = await buildTool("drill");
	try {
		const folder = join(scratch, "for-the-drill");
		await fetchNightly(store, folder);
		const ran = await drill.run(["--from", folder], {});
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toMatch(
			/^Restored \d+ rows and 1 receipt, [\d.]+ MB, as of 2026-11-27T\S+, in [\d.]+ s: every count, hash and total agrees\.$/m,
		);
		await appendFile(join(folder, "tables/users.ndjson"), " ");
		expectFault(await drill.run(["--from", folder], {}), /^tables\/users\.ndjson is damaged/);
		for (const args of [[], ["--from", folder, "--date", "x"], ["--from", folder, "--remote"]])
			expectFault(await drill.run(args, {}), /^Specify a backup: --remote /);
		expect((await drill.run(["--help"], {})).out).toMatch(/^Usage: npm run drill/);
	} finally {
		await drill.remove();
	}
});

it.each(["SIGINT", "SIGTERM"] as const)(
	"npm run drill leaves nothing behind on %s",
	async (signal) => {
		const drill = await buildTool("drill");
		const folder = join(scratch, `for-${signal}`);
		const temporary = join(scratch, `temporary-${signal}`);
		await mkdir(temporary);
		await fetchNightly(store, folder);
		try {
			const child = spawn(process.execPath, [drill.outfile, "--from", folder], {
				env: { ...process.env, TMPDIR: temporary },
				stdio: "ignore",
			});
			const ended = once(child, "close");
			const hasCopy = () =>
				readdirSync(temporary).some((name) => existsSync(join(temporary, name, "state")));
			await expect.poll(hasCopy, { interval: 1 }).toBe(true);
			child.kill(signal);
			const [code] = await ended;
			expect(code).toBe({ SIGINT: 130, SIGTERM: 143 }[signal]);
			expect(readdirSync(temporary).filter((name) => name.startsWith("milepost-"))).toEqual([]);
		} finally {
			await drill.remove();
		}
	},
);

it("7 days, 5 weeks and 12 months are kept", () => {
	const dates = Array.from({ length: 800 }, (_, back) => addDays(TODAY, -back));
	const kept = [...keptDates(dates)].sort().reverse();
	expect(kept.slice(0, 7)).toEqual(dates.slice(0, 7));
	// The 15th was a Sunday; the newest of a week is its Saturday.
	expect(kept).toEqual(
		expect.arrayContaining(["2026-11-14", "2026-11-07", "2026-10-31", "2026-10-24"]),
	);
	expect(kept).toContain("2025-12-31");
	expect(kept).not.toContain("2025-11-30");
	expect(kept.length).toBeLessThanOrEqual(7 + 5 + 12);
	// Kept exports are kept until they expire.
	expect([...keptDates(kept)].sort().reverse()).toEqual(kept);
});

describe("the copy of a receipt", () => {
	const copies = async (prefix: string) =>
		(await backups.list({ prefix })).objects.map(({ key }) => key);
	const row = (id: string) =>
		bench.rows(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			values (?, ?, ?, 'image/png', 9, ?, 'a.png', 5)`,
			...[id, idOf("dana"), `r/${id}`, createHash("sha256").update(bytes).digest("hex")],
		);

	it("stays while a kept export may refer to it, comes back with its receipt, and then goes", async () => {
		for (const id of ["r2", "r3"]) {
			await backups.put(`receipts/r/${id}`, bytes);
			await row(id);
		}
		await exportOn(10, undefined, 2000);
		expect(await copies("unreferenced/")).toEqual([]);
		await bench.rows("delete from receipts where id in ('r2', 'r3')");
		expect(await exportOn(11, undefined, 2000)).toMatchObject({ swept: 0 });
		expect(await copies("unreferenced/")).toEqual(["unreferenced/r/r2", "unreferenced/r/r3"]);
		await row("r3");
		await exportOn(12, undefined, 2000);
		expect(await copies("unreferenced/")).toEqual(["unreferenced/r/r2"]);
		await bench.rows("delete from receipts where id = 'r3'");
		// Older than 35 days, but the export of day 10 is still kept.
		expect(await exportOn(60, undefined, 2000)).toMatchObject({ swept: 0 });
		for (const key of await copies("nightly/"))
			if (key < "nightly/2026-12-20" && key !== "nightly/latest.json") await backups.delete(key);
		expect(await exportOn(61, undefined, 2000)).toMatchObject({ swept: 1 });
		expect(await copies("receipts/")).toEqual(["receipts/r/r1", "receipts/r/r3"]);
		expect(await copies("unreferenced/")).toEqual(["unreferenced/r/r3"]);
	});

	it("stays while deletion is turned off", async () => {
		for (const key of await copies("nightly/")) await backups.delete(key);
		const nightOf = async (day: number, sweeps: boolean) => {
			for (let minute = 0; minute < 30; minute++) {
				const now = NOON + day * 86_400_000 + minute * 60_000;
				const system = { role: "system", db: new Database(bench.d1), now } as const;
				const done = await nightlyExport(system, { receipts, backups }, ZONE, { sweeps });
				if (done) return done;
			}
			throw new Error("the export doesn't end");
		};
		expect(await nightOf(200, false)).toMatchObject({ swept: 0 });
		expect(await copies("receipts/")).toEqual(["receipts/r/r1", "receipts/r/r3"]);
		expect(await nightOf(201, true)).toMatchObject({ swept: 1 });
	});
});
