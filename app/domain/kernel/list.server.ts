/**
 * A list of the API, page by page in its own order, or as what has changed in it since a moment: a
 * page's statements, and the page made from their results.
 */
import type { SQL } from "drizzle-orm";
import type { Builder, Database, Statement } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import {
	type ChangeSource,
	type ChangesAsk,
	changeCursors,
	changedIds,
	pageOfChanges,
	selectChanges,
} from "./changes.server.ts";

/** A statement that reads rows. */
export type ReadsRows<Row> = Statement & PromiseLike<readonly Row[]>;

/** A list, for everyone or for one person. */
export type ListSource<Row, Cursor extends object> = {
	readonly cursors: {
		parse(text: string): Cursor | undefined;
		format(cursor: Cursor): string;
	};
	readonly cursorOf: (row: Row) => Cursor;
	readonly idOf: (row: Row) => string;
	/**
	 * Its rows after a position.
	 * @param whose a person's only; absent for everyone's
	 */
	readonly rows: (
		build: Builder,
		whose: Owner | undefined,
		limit: number,
		after: Cursor | undefined,
	) => ReadsRows<Row>;
	readonly changes?: {
		readonly source: ChangeSource;
		/** The rows with some ids, deleted ones too. */
		readonly rows: (build: Builder, ids: SQL) => ReadsRows<Row>;
	};
};

/** What a caller asks for: a page, the whole list, or changes since a moment. */
export type ListAsk = {
	readonly limit: number | undefined;
	readonly size: number;
	readonly after: string | undefined;
	readonly since: number | undefined;
};

const toChangesAsk = ({ limit, size, after, since }: ListAsk): ChangesAsk | undefined =>
	since === undefined
		? undefined
		: {
				since,
				after: after === undefined ? undefined : changeCursors.parse(after),
				size,
				isStream: limit === undefined,
			};

/** Whether a text is a position in a list, or among its changes. */
export const isCursorOf =
	<Row, Cursor extends object>({ cursors }: Pick<ListSource<Row, Cursor>, "cursors">) =>
	(text: string, isAmongChanges: boolean): boolean =>
		(isAmongChanges ? changeCursors : cursors).parse(text) !== undefined;

/** The statements of a page. */
export function readList<Row, Cursor extends object>(
	{ cursors, rows, changes }: ListSource<Row, Cursor>,
	ask: ListAsk,
	build: Builder,
	whose?: Owner,
) {
	const changed = toChangesAsk(ask);
	if (!changed || !changes) {
		const after = ask.after === undefined ? undefined : cursors.parse(ask.after);
		// One more than a page says whether there is another.
		return { rows: rows(build, whose, ask.size + 1, after), places: undefined, reach: undefined };
	}
	return {
		rows: changes.rows(build, changedIds(changes.source, changed, whose)),
		...selectChanges(build, changes.source, changed, whose),
	};
}

/** What the statements of a page returned. */
type Answers<Row> = {
	readonly rows: readonly Row[];
	readonly places: Parameters<typeof pageOfChanges>[0]["places"];
	readonly reach: Parameters<typeof pageOfChanges>[0]["reach"];
};

/** The page, and the position of the next one. */
export function toListPage<Row, Cursor extends object>(
	{ cursors, cursorOf, idOf }: Pick<ListSource<Row, Cursor>, "cursors" | "cursorOf" | "idOf">,
	ask: ListAsk,
	answers: Answers<Row>,
): { readonly rows: readonly Row[]; readonly next: string | undefined } {
	const changed = toChangesAsk(ask);
	if (!changed) {
		const last = answers.rows[ask.size - 1];
		const isLast = answers.rows.length <= ask.size || last === undefined;
		return {
			rows: answers.rows.slice(0, ask.size),
			next: isLast ? undefined : cursors.format(cursorOf(last)),
		};
	}
	const byId = new Map(answers.rows.map((row) => [idOf(row), row]));
	const { ids, next } = pageOfChanges(answers, changed);
	return {
		// A row that the filter leaves out isn't among them.
		rows: ids.flatMap((id) => byId.get(id) ?? []),
		next: next && changeCursors.format(next),
	};
}

/** Reads the page after a position. */
export const furtherPages =
	<Row, Cursor extends object>(
		source: ListSource<Row, Cursor>,
		ask: ListAsk,
		db: Database,
		whose?: string,
	) =>
	async (after: string) => {
		const next = { ...ask, after };
		const answers = await db.batch(readList(source, next, db.build, whose));
		return toListPage(source, next, answers as Answers<Row>);
	};
