/** The schema of a record's values in JSON, as `toWire` makes them. */
import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as v from "valibot";
import { amount, count, date, id, moment, percent } from "../../values/shapes.ts";
import { type Column, type Columns, columnsOf } from "./record.ts";

type Stored = {
	readonly dataType: string;
	readonly notNull: boolean;
	readonly enumValues?: readonly string[] | undefined;
};

function shapeOf(name: string, { as }: Column, { dataType, enumValues }: Stored): v.GenericSchema {
	if (as === "moment") return moment;
	if (as === "dollars") return amount;
	if (as === "percent") return percent;
	if (dataType === "number") return count;
	if (dataType === "boolean") return v.boolean();
	if (enumValues?.length) return v.picklist(enumValues);
	if (/On$/.test(name)) return date;
	return /^id$|Id$/.test(name) ? id : v.string();
}

/** The entries of a row's schema, by their names in JSON. */
export function wireShape(
	record: Columns,
	table: SQLiteTable,
): Readonly<Record<string, v.GenericSchema>> {
	const stored: Readonly<Record<string, Stored>> = getTableColumns(table);
	return Object.fromEntries(
		columnsOf(record).flatMap(([name, column]) => {
			const own = stored[name];
			if (column.wire === undefined || !own) return [];
			const shape = shapeOf(name, column, own);
			return [[column.wire, own.notNull ? shape : v.nullable(shape)]];
		}),
	);
}
