/** Recorded rows that a later download of the same period no longer has. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { AdminContext } from "../kernel/context.ts";
import { answeredPeriod } from "./answers.ts";
import type { LiveLine } from "./comparison.server.ts";
import type { ChangedLine } from "./corrections.server.ts";
import type { LeftOut } from "./plan.ts";
import type { StatementPeriod } from "./statement.ts";
import { withoutCopy } from "./unknown-drivers.ts";
import type { WaitingStatement } from "./waiting.server.ts";

/** A file in which such a row was left out may have the line that seems to be missing. */
const UNREAD: ReadonlySet<LeftOut["reason"]> = new Set([
	"unreadable-amount",
	"unreadable-date",
	"unreadable",
	"no-category",
	"no-driver",
	"too-old",
	"after-today",
]);

/** Lines read per trip. */
const CHUNK = 5000;

type Whose = Omit<ChangedLine, "key" | "cents" | "recordedCents" | "root" | "isMissing">;
const UNKNOWN: Whose = {
	...{ platformId: "", name: "", identity: "", driver: undefined, date: null, category: "other" },
};

/** What is recorded of a file. */
export class Recorded {
	readonly #keys = new Set<string>();
	readonly #imports = new Set<string>();
	/** A line of each fee in the file. */
	readonly #lines = new Map<string, Whose>();

	add({ key, importId, feeId }: LiveLine, line: Whose): void {
		this.#keys.add(key);
		this.#imports.add(importId);
		if (feeId !== null && !this.#lines.has(feeId)) this.#lines.set(feeId, line);
	}

	/** The lines of earlier downloads of the same file that it doesn't have. */
	async missing(
		admin: AdminContext,
		statement: WaitingStatement,
		leftOut: readonly LeftOut[],
	): Promise<ChangedLine[]> {
		const ids = await findDownloads(admin, statement, leftOut, "statement_lines", this.#imports);
		const missing: ChangedLine[] = [];
		for (const id of ids)
			for (let [after, isEnd] = ["", false]; !isEnd; ) {
				const { db } = admin;
				const { lines } = await db.batch({ lines: selectLines(db.build, id, after) });
				for (const { key, cents, root } of lines)
					if (!this.#keys.has(key))
						missing.push({
							...(this.#lines.get(root) ?? UNKNOWN),
							...{ key, cents: 0, recordedCents: cents, root, isMissing: true },
						});
				after = lines.at(-1)?.key ?? "";
				isEnd = lines.length < CHUNK;
			}
		return missing;
	}
}

/**
 * Earlier downloads of a file: those with its name or shared rows, and those that corrected them or
 * that they corrected. Another organization's file of the same period isn't one; nothing if rows
 * couldn't be read, which may be those that seem to be missing.
 * @param table where its rows are recorded
 * @param shared the imports that have rows of it
 */
export async function findDownloads(
	{ db }: AdminContext,
	{ facts, answers, fileName }: WaitingStatement,
	leftOut: readonly LeftOut[],
	table: "statement_lines" | "statement_money",
	shared: ReadonlySet<string>,
): Promise<readonly string[]> {
	const period = facts.period ?? answeredPeriod(answers);
	if (!period || leftOut.some(({ reason }) => UNREAD.has(reason))) return [];
	const { same } = await db.batch({ same: selectSamePeriod(db.build, facts, period) });
	const earlier = same.filter(
		({ id, fileName: name }) => shared.has(id) || withoutCopy(name) === withoutCopy(fileName),
	);
	if (earlier.length === 0) return [];
	const ids = earlier.map(({ id }) => id);
	const { linked } = await db.batch({ linked: selectLinked(db.build, ids, table) });
	return linked.map(({ id }) => id).filter((id) => same.some((other) => other.id === id));
}

/** Live imports of the same kind of file for the same period. */
function selectSamePeriod(
	build: Builder,
	{ platform, format }: WaitingStatement["facts"],
	{ from, to }: StatementPeriod,
) {
	return build.all<{ id: string; fileName: string }>(sql`
		select id, file_name as fileName from fee_imports
		where platform = ${platform} and period_to = ${to} and undone_at is null
			and period_from = ${from} and format = ${format}`);
}

/** These imports, those that corrected them, and those that they corrected. */
function selectLinked(
	build: Builder,
	ids: readonly string[],
	table: "statement_lines" | "statement_money",
) {
	const rows = sql.raw(table);
	return build.all<{ id: string }>(sql`
		with recursive linked(id) as (
			select each.value from json_each(${JSON.stringify(ids)}) as each
			union
			select row.import_id from linked
				cross join ${rows} as row on row.replaced_by = linked.id
			union
			select row.replaced_by from linked
				cross join ${rows} as row on row.import_id = linked.id
					and row.replaced_by is not null)
		select id from linked`);
}

/** An import's lines with an amount, after this one. */
function selectLines(build: Builder, importId: string, after: string) {
	return build.all<{ key: string; cents: number; root: string }>(sql`
		select line_key as key, cents, fee_id as root from statement_lines
		where import_id = ${importId} and line_key > ${after}
			and is_live = 1 and cents <> 0 and fee_id is not null
		order by line_key limit ${CHUNK}`);
}
