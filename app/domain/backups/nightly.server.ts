/**
 * The nightly export to a second bucket: every row in parts, some each minute, then what changed
 * meanwhile, then the files of new receipts (docs/decisions/0055).
 */
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { systemEntry } from "../kernel/audit-entry.server.ts";
import type { SystemContext } from "../kernel/context.ts";
import { claimStep, continueStatement, finishStatement } from "../kernel/daily-task.server.ts";
import { finishRows } from "./closing.server.ts";
import { ARCHIVED_ENTRIES, ENTRIES } from "./left-out.ts";
import { folderOf, LATEST, manifestKey, NIGHTLY, type Nightly, POINTER } from "./manifest.ts";
import {
	copyMissed,
	copyReceipts,
	dropExport,
	dropOldExports,
	listParts,
	sha256Of,
	writePart,
} from "./objects.server.ts";
import {
	appliedMigrations,
	archivedTables,
	auditEnd,
	exportedTables,
	selectRange,
} from "./rows.server.ts";
import { sweepCopies } from "./unreferenced.server.ts";

const NAME = "export";
/** Rows per part; a page must stay below D1's limit for one response. */
export const PART_ROWS = 2000;
/** Parts written and receipts copied per run. */
const PARTS_PER_RUN = 25;
const RECEIPTS_PER_RUN = 150;
const EVERY_ROW = Number.MAX_SAFE_INTEGER;

/** The progress of tonight's export. */
const STATE = v.object({
	date: v.string(),
	startedAt: v.number(),
	/** The last migration at the start: a newer one changes tables or columns. */
	migration: v.string(),
	/** The audit's position before the first row was read. */
	since: v.number(),
	table: v.number(),
	after: v.number(),
	/** Set once the rows are complete: which receipts are still to be copied. */
	receipts: v.optional(v.object({ from: v.number(), after: v.string() })),
	/** Set once the export is complete: which copies are still to be checked. */
	sweep: v.optional(v.object({ after: v.string() })),
});
type State = v.InferOutput<typeof STATE>;

/** A night's results. */
export type ExportCounts = {
	readonly parts: number;
	readonly rows: number;
	readonly receipts: number;
	/** Removed copies of receipts that no export refers to. */
	readonly swept: number;
};
const NONE: ExportCounts = { parts: 0, rows: 0, receipts: 0, swept: 0 };

/** The buckets that an export reads and writes. */
export type Buckets = { readonly receipts: R2Bucket; readonly backups: R2Bucket };

/**
 * Takes the next step of tonight's export, unless it is finished.
 * @param options rows per part; whether unreferenced copies may be removed; where the entries of
 * closed years are
 * @returns the night's counts if this step was the last one
 */
export async function nightlyExport(
	system: SystemContext,
	buckets: Buckets,
	timeZone: string,
	{ partRows = PART_ROWS, sweeps = true, archive = new Database(undefined) } = {},
): Promise<ExportCounts | undefined> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const step = await claimStep(db, NAME, today, now);
	if (!step) return undefined;
	const known = v.safeParse(v.pipe(v.string(), v.parseJson(), STATE), step.cursor);
	const isTonights = known.success && known.output.date === today;
	const state = isTonights ? known.output : await begin(system, buckets.backups, today);
	const before: ExportCounts = isTonights ? { ...NONE, ...step.counts } : NONE;
	const taken = state.sweep
		? await takeSweep(system, buckets, state, before)
		: state.receipts
			? await takeReceipts(system, buckets, state, before, sweeps)
			: await takeRows(system, archive, buckets, state, before, partRows);
	if (taken.next) {
		const next = { cursor: JSON.stringify(taken.next), counts: taken.counts };
		await db.batch({ step: continueStatement(db.build, NAME, next, now) });
		return undefined;
	}
	await dropOldExports(buckets.backups);
	await db.batch({
		finish: finishStatement(db.build, NAME, today, now),
		audit: systemEntry(system, {
			action: "backup.export",
			entity: "backup",
			entityId: today,
			after: { ...taken.counts },
		}),
	});
	return taken.counts;
}

type Taken = { readonly next: State | undefined; readonly counts: ExportCounts };

/** After a restore the export is made again, with rows in other places: no old part may stay. */
async function begin({ db, now }: SystemContext, backups: R2Bucket, date: string): Promise<State> {
	await dropExport(backups, date);
	const { end, applied } = await db.batch({
		end: auditEnd(db.build),
		applied: appliedMigrations(db.build),
	});
	const migration = applied.at(-1)?.name ?? "";
	return { date, startedAt: now, migration, since: end[0]?.id ?? 0, table: 0, after: -1 };
}

/** Writes the next parts; after the last one, makes the rows consistent. */
async function takeRows(
	system: SystemContext,
	archive: Database,
	{ receipts, backups }: Buckets,
	state: State,
	counts: ExportCounts,
	partRows: number,
): Promise<Taken> {
	const { db, now } = system;
	const { applied } = await db.batch({ applied: appliedMigrations(db.build) });
	const startAgain = async (): Promise<Taken> => ({
		next: await begin(system, backups, state.date),
		counts: NONE,
	});
	if (applied.at(-1)?.name !== state.migration) return startAgain();
	const tables = await exportedTables(db);
	// Read last, so that an entry that is being moved is in at least one of the two.
	const all = [...tables, ...(await archivedTables(db, tables))];
	let { table: at, after } = state;
	let { parts, rows } = counts;
	for (let part = 0; part < PARTS_PER_RUN; ) {
		const table = all[at];
		if (!table) break;
		const [source, name] = table.name === ARCHIVED_ENTRIES ? [archive, ENTRIES] : [db, table.name];
		const rest = { after, last: EVERY_ROW };
		const { page } = await source.batch({
			page: selectRange(db.build, { ...table, name }, rest, sql`limit ${partRows}`),
		});
		const last = page.at(-1)?.row_of_backup;
		if (last === undefined) {
			at += 1;
			after = -1;
			continue;
		}
		await writePart(backups, state.date, table, { after, last }, page);
		after = last;
		part += 1;
		parts += 1;
		rows += page.length;
	}
	const counted = { ...counts, parts, rows };
	if (all[at]) return { next: { ...state, table: at, after }, counts: counted };
	const closed = await finishRows(db, backups, state.date, tables, state.since, partRows);
	if (closed === "start-again") return startAgain();
	// Too much has changed for one step, so the next one continues here.
	if (typeof closed === "number")
		return { next: { ...state, table: at, after, since: closed }, counts: counted };
	const { now: migrated } = await db.batch({ now: appliedMigrations(db.build) });
	if (migrated.at(-1)?.name !== state.migration) return startAgain();
	const latest = await latestOf(backups);
	const missed = latest ? await missingFrom(backups, latest.date) : undefined;
	const manifest: Nightly = {
		format: "nightly-1",
		startedAt: new Date(state.startedAt).toISOString(),
		endedAt: new Date(now).toISOString(),
		migrations: applied.map(({ name }) => name),
		...closed,
		tables: [
			...closed.tables,
			...(await Promise.all(
				all.slice(tables.length).map(async ({ name, columns, idColumns }) => ({
					name,
					columns: [...columns],
					parts: await listParts(backups, state.date, { name, columns, idColumns }),
				})),
			)),
		],
		// Files that were put back are copied now; if many are missing, some of them each night.
		missing: [
			...(missed?.slice(RECEIPTS_PER_RUN) ?? []),
			...(await copyMissed(db, receipts, backups, missed?.slice(0, RECEIPTS_PER_RUN) ?? [])),
		],
	};
	await backups.put(`${folderOf(state.date)}rows.json`, JSON.stringify(manifest));
	// Earlier receipts were copied by the previous export.
	const from = latest && missed ? Date.parse(latest.startedAt) - 3_600_000 : 0;
	return { next: { ...state, receipts: { from, after: "" } }, counts: counted };
}

async function latestOf(backups: R2Bucket) {
	const object = await backups.get(LATEST);
	const parsed =
		object && v.safeParse(v.pipe(v.string(), v.parseJson(), POINTER), await object.text());
	return parsed?.success ? parsed.output : undefined;
}

/** Keys of the receipts whose files an export didn't find; undefined if its manifest is gone. */
async function missingFrom(
	backups: R2Bucket,
	date: string,
): Promise<readonly string[] | undefined> {
	const object = await backups.get(manifestKey(date));
	const parsed =
		object && v.safeParse(v.pipe(v.string(), v.parseJson(), NIGHTLY), await object.text());
	return parsed?.success ? parsed.output.missing : undefined;
}

/**
 * Copies the next receipts; after the last one, writes the manifest, which completes the export.
 */
async function takeReceipts(
	{ db }: SystemContext,
	{ receipts: source, backups }: Buckets,
	state: State,
	counts: ExportCounts,
	sweeps: boolean,
): Promise<Taken> {
	const { from = 0, after = "" } = state.receipts ?? {};
	const folder = folderOf(state.date);
	const rows = await backups.get(`${folder}rows.json`);
	// The step that completed the export couldn't record that.
	if (!rows && (await backups.head(manifestKey(state.date))))
		return completed(state, counts, sweeps);
	if (!rows) throw new Error(`${folder}rows.json is gone`);
	const manifest = (await rows.json()) as Nightly;
	const copied = await copyReceipts(db, source, backups, { from, after }, RECEIPTS_PER_RUN);
	const told = { ...manifest, missing: [...new Set([...manifest.missing, ...copied.missing])] };
	const counted = { ...counts, receipts: counts.receipts + copied.copied };
	if (copied.next) {
		await backups.put(`${folder}rows.json`, JSON.stringify(told));
		return { next: { ...state, receipts: copied.next }, counts: counted };
	}
	const text = JSON.stringify(told);
	await backups.put(manifestKey(state.date), text);
	const { startedAt } = told;
	const pointer = { date: state.date, sha256: await sha256Of(text), startedAt };
	await backups.put(LATEST, JSON.stringify(pointer));
	await backups.delete(`${folder}rows.json`);
	return completed(state, counted, sweeps);
}

const completed = (state: State, counts: ExportCounts, sweeps: boolean): Taken => ({
	next: sweeps ? { ...state, sweep: { after: "" } } : undefined,
	counts,
});

/** Removes copies of receipts that no export refers to. */
async function takeSweep(
	{ db }: SystemContext,
	{ backups }: Buckets,
	state: State,
	counts: ExportCounts,
): Promise<Taken> {
	const { removed, next } = await sweepCopies(db, backups, state.date, state.sweep?.after ?? "");
	return {
		next: next === null ? undefined : { ...state, sweep: { after: next } },
		counts: { ...counts, swept: counts.swept + removed },
	};
}
