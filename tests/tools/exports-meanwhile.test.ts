/**
 * Nightly exports of fleets in use: what is changed, removed or released while they are written, and
 * how long the copy of a receipt stays.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { nightlyExport } from "../../app/domain/backups/nightly.server.ts";
import { exportedTables } from "../../app/domain/backups/rows.server.ts";
import { redateRequests } from "../../app/domain/fund-requests/commands/redate.server.ts";
import { logMileage } from "../../app/domain/mileage/commands/log.server.ts";
import { linesOfBackupFile, type StoredFile } from "../../tools/backup-file.ts";
import { verifyBackup } from "../../tools/backup-read.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { openFileStores } from "../support/file-store.ts";
import {
	contentOf,
	NOON,
	openExports,
	RECEIPT,
	storeOf,
	TODAY,
} from "../support/nightly-exports.ts";
import { insertRequest } from "../support/requests.ts";
import { insertTrips } from "../support/rows.ts";
import { prepareUnnamedChanges } from "../support/unnamed-changes.ts";

const { bench, receipts, backups, scratch, exportOn, restored } = await openExports();
const { released } = await openFileStores("released");

describe("an export", () => {
	it.each([
		["a canceled payout or a question", prepareUnnamedChanges],
		[
			"a new time zone",
			async () => {
				await insertRequest(bench.rows, 1, "dana", { created_at: NOON, requested_on: TODAY });
				return async () => {
					const operator = { role: "operator", db: new Database(bench.d1), now: NOON } as const;
					expect(await redateRequests(operator, "Asia/Tokyo")).toBeGreaterThan(0);
				};
			},
		],
	])("has what %s does to requests that were already written", async (_, prepare) => {
		let change: (() => Promise<void>) | undefined = await prepare(bench);
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
		await receipts.delete("r/lost");
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

describe("the copy of a receipt", () => {
	const copies = async (prefix: string) =>
		(await backups.list({ prefix })).objects.map(({ key }) => key);
	const row = (id: string) =>
		bench.rows(
			`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
			values (?, ?, ?, 'image/png', 9, ?, 'a.png', 5)`,
			...[id, idOf("dana"), `r/${id}`, createHash("sha256").update(RECEIPT).digest("hex")],
		);

	it("stays while a kept export may refer to it, comes back with its receipt, and then goes", async () => {
		for (const id of ["r2", "r3"]) {
			await backups.put(`receipts/r/${id}`, RECEIPT);
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
		await backups.put("receipts/r/r3", RECEIPT);
		await exportOn(150, undefined, 2000);
		expect(await copies("unreferenced/")).toEqual(["unreferenced/r/r3"]);
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
