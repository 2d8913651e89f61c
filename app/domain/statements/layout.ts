/** The columns of a recognized statement, counted from 0. */
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { MoneyLayout } from "./money.ts";
import type { RecognizedStatement, RefusedFile, UnknownFile } from "./statement.ts";

/** Columns of the same fee: if two of them have the same value, it is stated twice. */
export type FeeGroup = {
	readonly category: FeeCategory;
	readonly columns: readonly number[];
};

/** A column whose money is named rather than counted. */
export type WatchedColumn = {
	readonly name: string;
	readonly column: number;
	/**
	 * `leaf`: money of unknown meaning. `branch`: it should repeat columns that the file doesn't
	 * have, so it is named only if it isn't empty. `perhaps`: its cells have to show whether it is
	 * money at all.
	 */
	readonly kind: "leaf" | "branch" | "perhaps";
};

export type Layout = {
	/** The header, folded. */
	readonly header: readonly string[];
	/** The column of a transaction's own id, the same in every download. */
	readonly lineId: number | undefined;
	readonly driverId: number | undefined;
	readonly names: readonly number[];
	readonly time: number | undefined;
	readonly trip: number | undefined;
	readonly description: number | undefined;
	/** The fleet's own names. */
	readonly organization: readonly number[];
	readonly fees: readonly FeeGroup[];
	/** Uber states fees as negative (-1), Bolt as positive (1). */
	readonly sign: 1 | -1;
	/** Bolt's total of all fees, and the booking fees that part of its remainder refunds. */
	readonly rest: { readonly all: number; readonly booking: number | undefined } | undefined;
	readonly watched: readonly WatchedColumn[];
	/** The drivers' money. */
	readonly money: MoneyLayout;
	/** How the fleet's own row is recognized if there is no column for the fleet. */
	readonly fleetRow:
		| { readonly transfers: readonly number[]; readonly others: readonly number[] }
		| undefined;
	/** Whether the header is repeated below, over the same money by day. */
	readonly isFirstBlockOnly: boolean;
};

/** The columns with amounts, whatever becomes of them. */
export function moneyColumns(layout: Layout): readonly number[] {
	const { lineId, driverId, names, time, trip, description, organization, watched } = layout;
	const unsure = watched.flatMap(({ kind, column }) => (kind === "perhaps" ? [column] : []));
	const others = new Set([lineId, driverId, time, trip, description]);
	for (const column of [...names, ...organization, ...unsure]) others.add(column);
	return layout.header.flatMap((_, column) => (others.has(column) ? [] : [column]));
}

export type RecognizedFile = {
	readonly kind: "statement";
	readonly statement: RecognizedStatement;
	readonly layout: Layout;
};
export type Recognition = RecognizedFile | RefusedFile | UnknownFile;

/** A header, prepared for lookups. */
export type Header = {
	readonly cells: readonly string[];
	readonly folded: readonly string[];
	readonly fileName: string;
};
