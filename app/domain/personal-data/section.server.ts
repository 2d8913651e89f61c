/** How one kind of personal data is read and written, page by page. */
import { type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import * as v from "valibot";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import type { CsvCell } from "../../values/csv.ts";
import { toDecimal } from "../../values/money.ts";
import { selectClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import type { AuthenticatedContext } from "../kernel/context.ts";
import { type Columns, columnsOf } from "../kernel/record.ts";

/** Rows per trip. */
const PAGE = 1000;

type Stored = string | number | null;
/** A value in the files. */
export type Value = string | number | boolean | null;

/** A column of a file: where its value is stored, and how it is shown. */
export type Column = { readonly stored: SQL; readonly show: (stored: Stored) => Value };

const column = (show: Column["show"]) => (stored: SQL) => ({ stored, show });
export const plain = column((stored) => stored);
export const moment = column((stored) =>
	stored === null ? null : new Date(Number(stored)).toISOString(),
);
export const dollars = column((stored) => (stored === null ? null : toDecimal(Number(stored))));
/** Stored in hundredths of a percent. */
const percent = column((stored) => (stored === null ? null : Number(stored) / 100));
export const flag = column((stored) => (stored === null ? null : stored === 1));
/** A number in its human-readable form, such as FR-000123. */
export const code = (format: (number: number) => string | null) =>
	column((stored) => (stored === null ? null : format(Number(stored))));

/** A record's columns in a file. @param from the alias of its table */
export function fileColumns(record: Columns, from: string): Section["columns"] {
	const named = columnsOf(record).filter(([, { personal }]) => /text|figure/.test(personal));
	const show = { moment, dollars, percent, flag, name: nameOf };
	return Object.fromEntries(
		named.map(([name, { file, as }]) => [
			file ?? name,
			(as ? show[as] : plain)(sql`${sql.raw(from)}.${sql.raw(toSnakeCase(name))}`),
		]),
	);
}

/** A person's name, by their id. */
export const nameOf = (id: SQL) =>
	plain(sql`(select trim(named.first_name || ' ' || named.last_name) from users as named
		where named.id = ${id})`);

/** One query behind a section. */
export type Part = {
	/** Tables and joins. */
	readonly from: SQL;
	/** Which of their rows are about the person. */
	readonly whose: (id: string) => SQL;
	/** The order, which an index has and which is unique. */
	readonly order: readonly SQL[];
	/**
	 * For entries that may be in the archive, in the order of date, reading and id: replacements for
	 * columns that need other tables, by the person's name.
	 */
	readonly archived?: (name: string) => Readonly<Record<string, Column>>;
};

/** Where a person's rows are read. */
export type Reader = Pick<AuthenticatedContext, "db" | "archive">;

/** A part with the rows whose owner is the person. */
export const rowsOf = (from: SQL, owner: SQL, ...order: SQL[]): Part => ({
	from,
	whose: (id) => sql`${owner} = ${id}`,
	order,
});

/** One kind of personal data: two files with the same name, one JSON and one CSV. */
export type Section = {
	readonly name: string;
	/** Its description in the index. */
	readonly about: string;
	readonly columns: Readonly<Record<string, Column>>;
	/** Read one after the other. */
	readonly parts: readonly Part[];
};

export type Row = Readonly<Record<string, Value>>;

type StoredRow = Readonly<Record<string, Stored>> & { readonly place: string };

function selectRows(
	build: Builder,
	columns: Section["columns"],
	{ from, whose, order }: Part,
	id: string,
	place: readonly unknown[] | undefined,
) {
	const page = keyset(order, "asc", place && { way: "after", values: place });
	const items = Object.entries(columns).map(
		([name, { stored }]) => sql`${stored} as ${sql.identifier(name)}`,
	);
	return build.all<StoredRow>(sql`
		select ${sql.join(items, sql`, `)}, json_array(${sql.join([...order], sql`, `)}) as place
		from ${from} where ${whose(id)} and ${page.past ?? sql`1`}
		order by ${page.order} limit ${PAGE}`);
}

/** The rows of a section, page by page. */
export async function* readSection(
	reader: Reader,
	section: Section,
	id: string,
): AsyncGenerator<readonly Row[]> {
	const columns = Object.entries(section.columns);
	for (const part of section.parts) {
		let place: readonly unknown[] | undefined;
		for (;;) {
			const rows = await readPage(reader, section, part, id, place);
			const last = rows.at(-1);
			if (last)
				yield rows.map((row) =>
					Object.fromEntries(columns.map(([name, { show }]) => [name, show(row[name] ?? null)])),
				);
			if (!last || rows.length < PAGE) break;
			place = JSON.parse(last.place);
		}
	}
}

async function readPage(
	reader: Reader,
	{ columns }: Section,
	part: Part,
	id: string,
	place: readonly unknown[] | undefined,
): Promise<readonly StoredRow[]> {
	const { db } = reader;
	const { archived } = part;
	const own = { rows: selectRows(db.build, columns, part, id, place) };
	if (!archived) return (await db.batch(own)).rows;
	const { rows, closed, people } = await db.batch({
		...own,
		closed: selectClosedUntil(db.build),
		people: db.build.all<{ name: string }>(
			sql`select trim(first_name || ' ' || last_name) as name from users where id = ${id}`,
		),
	});
	const page = { rows, limit: PAGE, from: undefined, isDescending: false, placeOf };
	return withArchived(reader, closed, page, async (archive) => {
		const there = { ...columns, ...archived(people[0]?.name ?? "") };
		return (await archive.batch({ rows: selectRows(archive.build, there, part, id, place) })).rows;
	});
}

const isDate = (value: unknown) => typeof value === "string" && isCalendarDate(value);
const PLACE = v.pipe(
	v.string(),
	v.parseJson(),
	v.tuple([v.custom<CalendarDate>(isDate), v.number(), v.string()]),
);

/** The position of an entry. */
function placeOf({ place }: StoredRow) {
	const [drivenOn, endMiles, id] = v.parse(PLACE, place);
	return { drivenOn, endMiles, id };
}

/** A value as a cell of a CSV. */
export const toCell = (value: Value): CsvCell => (value === null ? null : String(value));
