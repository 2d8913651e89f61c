/**
 * The nightly export on real D1 and R2: made in steps while people write, downloaded, restored and
 * compared. More of them: exports-meanwhile.test.ts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { keptDates, LATEST } from "../../app/domain/backups/manifest.ts";
import { nightlyExport } from "../../app/domain/backups/nightly.server.ts";
import { logMileage } from "../../app/domain/mileage/commands/log.server.ts";
import { addDays } from "../../app/values/calendar-date.ts";
import { BackupError } from "../../tools/backup-file.ts";
import type { ReceiptStore } from "../../tools/backup-place.ts";
import { restoreBackup, verifyBackup } from "../../tools/backup-read.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { buildTool, expectFault } from "../support/admin-tool.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { openDatabase } from "../support/database.ts";
import { contentOf, NOON, openExports, TODAY } from "../support/nightly-exports.ts";

const { bench, receipts, backups, scratch, store, exportOn, restored } = await openExports();

/** Rows in a part, so that each table is one. */
const WHOLE = 2000;

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
		await exportOn(0);
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
		await exportOn(0, undefined, WHOLE);
		const again = await nightlyExport(
			{ role: "system", db: new Database(bench.d1), now: NOON + 3_600_000 },
			{ receipts, backups },
			ZONE,
		);
		expect(again).toBeUndefined();
		expect(await exportOn(1, undefined, WHOLE)).toMatchObject({ receipts: 0 });
		expect((await restored()).kept.size).toBe(1);
	});

	it.each(["tables", "receipts", "manifest"])("finds a flipped byte: %s", async (what) => {
		await exportOn(0, undefined, WHOLE);
		const { objects } = await backups.list();
		const key =
			objects.filter(({ key: each, size }) => each.includes(what) && size > 2).at(-1)?.key ?? "";
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
		await exportOn(0, undefined, WHOLE);
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
			await exportOn(0, undefined, WHOLE);
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
		await exportOn(1);
		await bench.rows("delete from daily_tasks where name = 'export'");
		await exportOn(1, undefined, WHOLE);
		const { target } = await restored();
		expect(await contentOf(target)).toEqual(await contentOf(bench));
	});

	it("removes expired exports, and nothing else", async () => {
		await backups.put("nightly/2024-01-10/manifest.json", "{}");
		await backups.put("nightly/2024-01-10/tables/users/1.ndjson", "x");
		for (let month = 1; month <= 12; month++)
			await backups.put(`nightly/2025-${String(month).padStart(2, "0")}-28/manifest.json`, "{}");
		// Newer than November's export, but never completed.
		await backups.put("nightly/2025-11-30/rows.json", "{}");
		await exportOn(2, undefined, WHOLE);
		const { delimitedPrefixes } = await backups.list({ prefix: "nightly/", delimiter: "/" });
		expect(delimitedPrefixes).not.toContain("nightly/2024-01-10/");
		expect(delimitedPrefixes).toContain("nightly/2026-11-23/");
		expect(delimitedPrefixes).toContain("nightly/2025-11-28/");
		expect(delimitedPrefixes).not.toContain("nightly/2025-11-30/");
		expect((await restored()).kept.size).toBe(1);
	});
});

it("npm run drill restores a folder into a scratch database, and reports faults in one line", async () => {
	const drill = await buildTool("drill");
	try {
		await exportOn(2, undefined, WHOLE);
		const folder = join(scratch, "for-the-drill");
		await fetchNightly(store, folder);
		const ran = await drill.run(["--from", folder], {});
		expect(ran).toMatchObject({ code: 0, err: "" });
		expect(ran.out).toMatch(
			/^Restored \d+ rows and 1 receipt, [\d.]+ MB, as of 2026-11-23T\S+, in [\d.]+ s: every count, hash and total agrees\.$/m,
		);
		await appendFile(join(folder, "tables/users.ndjson"), " ");
		expectFault(await drill.run(["--from", folder], {}), /^tables\/users\.ndjson is damaged/);
		for (const args of [[], ["--from", folder, "--remote"]])
			expectFault(await drill.run(args, {}), /^Specify a backup: --remote /);
		for (const more of [
			["--date", "2026-11-22"],
			["--keep", join(scratch, "kept")],
		])
			expectFault(
				await drill.run(["--from", folder, ...more], {}),
				/^--date and --keep go with --remote, not with --from\. See /,
			);
		for (const date of ["22.11.2026", "2026-99-99"])
			expectFault(
				await drill.run(["--remote", "--date", date], {}),
				/^--date takes a date such as 2026-11-22\. See npm run drill -- --help$/m,
			);
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
		await exportOn(0, undefined, WHOLE);
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
