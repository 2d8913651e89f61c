/** Makes an export consistent by rereading parts that were changed, finally in one transaction. */
import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.server.ts";
import { STARTS_AGAIN } from "./left-out.ts";
import type { Nightly, Part } from "./manifest.ts";
import { listParts, sha256Of, writePart } from "./objects.server.ts";
import {
	type Audited,
	allTimeTotals,
	auditEnd,
	type ChangedAlong,
	countRows,
	type Range,
	selectAudited,
	selectChangedAlong,
	selectRange,
	selectTouched,
	type Table,
} from "./rows.server.ts";

/** Audit entries read, and parts reread, in one transaction, whose answer has to fit into memory. */
const MAX_ENTRIES = 5000;
const MAX_PARTS = 8;
const TRIES = 5;
/** Parts that a step rereads one by one before it leaves the rest to the next step. */
const MAX_REREAD = 100;
const EVERY_ROW = Number.MAX_SAFE_INTEGER;

type Closed = Pick<Nightly, "tables" | "totals">;
/** Nothing that was written can be used. */
type StartAgain = "start-again";
type Dirty = { readonly table: Table; readonly range: Range };

/**
 * Rereads what was changed since a position in the audit.
 * @returns the parts and totals of one moment; or the position from which the next step has to
 * continue; or that the export has to start again
 */
export async function finishRows(
	db: Database,
	bucket: R2Bucket,
	date: string,
	tables: readonly Table[],
	since: number,
	partRows: number,
): Promise<Closed | number | StartAgain> {
	let position = since;
	const dirty = new Map<string, Dirty>();
	const note = (each: Dirty) => dirty.set(keyOf(each), each);
	let reread = 0;
	for (let tries = 0; tries < TRIES; tries++) {
		const parts = new Map<string, Part[]>();
		for (const table of tables) parts.set(table.name, await listParts(bucket, date, table));
		const { entries } = await db.batch({
			entries: selectAudited(db.build, position, MAX_ENTRIES),
		});
		if (entries.some(({ action }) => STARTS_AGAIN.has(action))) return "start-again";
		position = entries.at(-1)?.id ?? position;
		for (const each of await touchedBy(db, tables, parts, entries)) note(each);
		// What was added since the last part, and what a step that broke off has left out.
		for (const table of tables) {
			let after = -1;
			for (const part of parts.get(table.name) ?? []) {
				if (part.after > after) note({ table, range: { after, last: part.after } });
				after = part.last;
			}
			note({ table, range: { after, last: EVERY_ROW } });
		}
		if (dirty.size > tables.length + MAX_PARTS) {
			reread += dirty.size;
			if (reread > MAX_REREAD) break;
			await rewrite(db, bucket, date, [...dirty.values()], partRows);
			dirty.clear();
			continue;
		}
		const all = [...dirty.values()];
		const answers: Record<string, unknown> = await db.batch({
			...nameStatements("rows", all, ({ table, range }) =>
				selectRange(db.build, table, range, sql`limit ${partRows * 2}`),
			),
			...nameStatements("count", tables, (table) => countRows(db.build, table)),
			totals: allTimeTotals(db.build),
			end: auditEnd(db.build),
		});
		const rowsOf = (at: number) => answers[`rows${at}`] as Parameters<typeof writePart>[4];
		if ((answers.end as { id: number }[])[0]?.id !== position) continue;
		if (all.some((_, at) => rowsOf(at).length === partRows * 2)) {
			await rewrite(db, bucket, date, all, partRows);
			return position;
		}
		for (const [at, { table, range }] of all.entries()) {
			const rows = rowsOf(at);
			const last =
				range.last === EVERY_ROW ? (rows.at(-1)?.row_of_backup ?? range.after) : range.last;
			if (rows.length > 0 || range.last !== EVERY_ROW)
				await writePart(bucket, date, table, { after: range.after, last }, rows);
		}
		const written: Nightly["tables"] = [];
		const short: Dirty[] = [];
		for (const [at, table] of tables.entries()) {
			const own = await listParts(bucket, date, table);
			const rows = own.reduce((sum, part) => sum + part.rows, 0);
			// Rows were removed without an entry in the audit.
			if (rows !== (answers[`count${at}`] as { n: number }[])[0]?.n)
				short.push(...own.map((part) => ({ table, range: part })));
			written.push({ name: table.name, columns: [...table.columns], parts: own });
		}
		if (short.length === 0)
			return { tables: written, totals: await hashed(answers.totals as Record<string, unknown>[]) };
		// The others were just written, up to this position.
		dirty.clear();
		for (const each of short) note(each);
	}
	// The next step continues after these changes.
	await rewrite(db, bucket, date, [...dirty.values()], partRows);
	return position;
}

const keyOf = ({ table, range }: Dirty) => `${table.name} ${range.after}`;
const nameStatements = <T>(prefix: string, list: readonly T[], make: (each: T) => Statement) =>
	Object.fromEntries(list.map((each, at) => [`${prefix}${at}`, make(each)]));

/** The parts with rows that the audit's entries name, or that refer to such rows. */
export async function touchedBy(
	db: Database,
	tables: readonly Table[],
	parts: ReadonlyMap<string, readonly Part[]>,
	entries: readonly Audited[],
): Promise<Dirty[]> {
	if (entries.length === 0) return [];
	const [things, drivers] = [new Set<string>(), new Set<string>()];
	for (const { entityId, actorId, isDriver } of entries) {
		if (actorId) (isDriver ? drivers : things).add(actorId);
		if (!isDriver || entityId !== actorId) things.add(entityId);
	}
	const along: Record<string, unknown> = await db.batch(
		nameStatements(
			"along",
			selectChangedAlong(db.build, JSON.stringify([...things])),
			(statement) => statement,
		),
	);
	for (const { id, isDriver } of (Object.values(along) as ChangedAlong[][]).flat())
		(isDriver ? drivers : things).add(id);
	const touched = { things: [...things], drivers: [...drivers] };
	const lastOf = (table: Table) => parts.get(table.name)?.at(-1)?.last ?? -1;
	const found: Record<string, unknown> = await db.batch(
		nameStatements("of", tables, (table) => selectTouched(db.build, table, touched, lastOf(table))),
	);
	return tables.flatMap((table, at) => {
		const numbers = (found[`of${at}`] as { number: number }[]).map(({ number }) => number);
		return (parts.get(table.name) ?? [])
			.filter(({ after, last }) => numbers.some((number) => number > after && number <= last))
			.map((range) => ({ table, range }));
	});
}

/** Rereads parts one by one; a later pass covers what changes meanwhile. */
async function rewrite(
	db: Database,
	bucket: R2Bucket,
	date: string,
	dirty: readonly Dirty[],
	partRows: number,
): Promise<void> {
	for (const { table, range } of dirty)
		for (let after = range.after; after < range.last; ) {
			const { rows } = await db.batch({
				rows: selectRange(db.build, table, { after, last: range.last }, sql`limit ${partRows}`),
			});
			const isLast = rows.length < partRows;
			const end = rows.at(-1)?.row_of_backup ?? after;
			const last = isLast && range.last !== EVERY_ROW ? range.last : end;
			if (rows.length > 0 || range.last !== EVERY_ROW)
				await writePart(bucket, date, table, { after, last }, rows);
			if (isLast) break;
			after = end;
		}
}

/** The totals that a restore is checked against; drivers without any are left out. */
async function hashed(totals: readonly Record<string, unknown>[]): Promise<Nightly["totals"]> {
	const columns = Object.keys(totals[0] ?? {});
	const rows = totals
		.map((row) => columns.map((name) => row[name] ?? null))
		.filter((row) => row.some((value, at) => columns[at] !== "driver_id" && value !== 0));
	return { columns, sha256: await sha256Of(JSON.stringify(rows)) };
}
