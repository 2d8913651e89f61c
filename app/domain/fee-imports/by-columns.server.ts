/** Reads a file with custom columns for a script; while it waits, it is parsed again each time. */
import { sql } from "drizzle-orm";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { AdminContext } from "../kernel/context.ts";
import { type AmbiguousDrivers, type Answers, mergeAnswers } from "../statements/answers.ts";
import {
	checkDrivers,
	type DriverMatch,
	type RememberRefusal,
} from "../statements/commands/remember-drivers.server.ts";
import { foldHeading } from "../statements/heading.ts";
import { fileKey, type Upload } from "../statements/object-writer.server.ts";
import {
	findWaitingColumns,
	keepAnswers,
	keepWaiting,
	type WaitingColumns,
} from "../statements/waiting.server.ts";
import { type ColumnsPlan, type RowFee, splitRows } from "./by-columns.ts";
import { recallColumns } from "./columns.server.ts";
import { previewImport, type UnreadableFile } from "./preview.server.ts";
import { countSameImports, listAddedBySame } from "./queries.server.ts";
import { COLUMNS, OTHER_FILES } from "./rules.ts";
import { decodeText } from "./statement.ts";

export type ReadColumnsRefusal =
	| UnreadableFile
	/** Its headings don't identify driver, category, amount and date. */
	| Refused<"unknown-columns">
	/** Its hour is over. */
	| Refused<"expired">;

/** A waiting file, with the answers about it. */
export async function openByColumns(
	admin: AdminContext,
	source: Extract<Upload, { kind: "stored" }> | { readonly kind: "waiting"; readonly id: string },
	later: Partial<Answers>,
): Promise<Outcome<WaitingColumns, Refused<"expired"> | RememberRefusal | AmbiguousDrivers>> {
	const found: WaitingColumns | undefined =
		source.kind === "waiting"
			? await findWaitingColumns(admin, source.id)
			: await keepWaiting(admin, { ...source, facts: { format: "columns" } });
	if (!found) return refused("expired");
	const merged = mergeAnswers(found.answers, later, foldHeading);
	if (!merged.ok) return merged;
	const opened = { ...found, answers: merged.value };
	const checked = await checkDrivers(admin, OTHER_FILES, chosenDrivers(opened));
	if (!checked.ok) return checked;
	if (Object.keys(later).length > 0) await keepAnswers(admin, opened);
	return done(opened);
}

/** The drivers that were chosen for a file, by its names for them. */
export const chosenDrivers = ({ answers }: Pick<WaitingColumns, "answers">): DriverMatch[] =>
	Object.entries(answers.drivers).map(([name, driverId]) => ({
		platformId: foldHeading(name),
		name,
		driverId,
	}));

/** What importing the file would do now, and a fingerprint of that. */
export async function planByColumns(
	admin: AdminContext,
	bucket: R2Bucket,
	{ id, answers }: WaitingColumns,
) {
	const object = await bucket.get(fileKey(id));
	if (!object) return refused("expired");
	const text = await decodeText(new Uint8Array(await object.arrayBuffer()));
	if (!text.ok) return text;
	const { db, now } = admin;
	const chosen = await recallColumns(db, text.value);
	const preview = await previewImport(admin, text.value, chosen, answers.drivers);
	if (!preview.ok) return preview;
	const { rows, missing, possibleDuplicates, payload, payloadHash } = preview.value;
	if (missing.length > 0) return refused("unknown-columns");
	const { added, count } = await db.batch({
		added: listAddedBySame(db.build, payloadHash, now),
		count: db.build.all<{ count: number }>(
			sql`select ${countSameImports(payloadHash, now)} as count`,
		),
	});
	const { fees, leftOut, netted } = splitRows(
		rows,
		added.map((fee) => ({ ...fee, isCredit: fee.isCredit === 1 })),
		possibleDuplicates,
	);
	const { head } = preview.value.statement;
	const columns = Object.fromEntries(
		COLUMNS.flatMap((column) => {
			const place = preview.value.mapping[column];
			return place === undefined ? [] : [[column, head[place] ?? ""]];
		}),
	);
	const plan: ColumnsPlan = {
		columns,
		rows: rows.length,
		period: coveredBy(fees),
		needs: needsOf(fees, answers),
		fees,
		leftOut,
		netted,
		months: preview.value.months,
	};
	return done({ plan, payload, payloadHash, importCount: count[0]?.count ?? 0 });
}

function needsOf(fees: readonly RowFee[], { overlap }: Answers): ColumnsPlan["needs"] {
	const isUnsure = fees.some(({ doubt }) => doubt !== undefined);
	return [
		...(fees.some(({ state }) => state === "no-driver") ? (["drivers"] as const) : []),
		...(isUnsure && !overlap ? (["overlap"] as const) : []),
	];
}

/** From the first to the last day of the fees. */
function coveredBy(fees: readonly RowFee[]): ColumnsPlan["period"] {
	const days = fees.map(({ date }) => date).sort();
	const [from] = days;
	const to = days.at(-1);
	return from && to ? { from, to } : null;
}
