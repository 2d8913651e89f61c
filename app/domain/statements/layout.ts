/** Where a recognized statement has what: columns counted from 0. */
import type { FeeCategory } from "../uber-fees/rules.ts";
import type { RecognizedStatement, RefusedFile, UnknownFile } from "./statement.ts";

/** Columns of one and the same fee: where two of them are filled alike, it is stated twice. */
export type FeeGroup = {
	readonly category: FeeCategory;
	readonly columns: readonly number[];
};

/** A column whose money is named rather than counted. */
export type WatchedColumn = {
	readonly name: string;
	readonly column: number;
	/**
	 * `leaf`: money of which it isn't known what it is. `branch`: it should repeat columns that the
	 * file doesn't have, so it is named only if there is something in it. `perhaps`: its cells have
	 * to tell whether it is money at all.
	 */
	readonly kind: "leaf" | "branch" | "perhaps";
};

export type Layout = {
	/** The header, folded. */
	readonly header: readonly string[];
	/** A file by transaction: the transaction's own id, which is the same in every download. */
	readonly lineId: number | undefined;
	readonly driverId: number | undefined;
	readonly names: readonly number[];
	readonly time: number | undefined;
	readonly trip: number | undefined;
	readonly description: number | undefined;
	/** The fleet's own names. */
	readonly organization: readonly number[];
	readonly fees: readonly FeeGroup[];
	/** Uber takes fees off (-1), Bolt states them as they are (1). */
	readonly sign: 1 | -1;
	/** Bolt's total of all fees, and the booking fees that part of its rest gives back. */
	readonly rest: { readonly all: number; readonly booking: number | undefined } | undefined;
	readonly watched: readonly WatchedColumn[];
	/** How the fleet's own row is told where there is no column for the fleet. */
	readonly fleetRow:
		| { readonly transfers: readonly number[]; readonly others: readonly number[] }
		| undefined;
	/** The header comes again below, over the same money by day. */
	readonly isFirstBlockOnly: boolean;
};

export type RecognizedFile = {
	readonly kind: "statement";
	readonly statement: RecognizedStatement;
	readonly layout: Layout;
};
export type Recognition = RecognizedFile | RefusedFile | UnknownFile;

/** A header as it is looked up. */
export type Header = {
	readonly cells: readonly string[];
	readonly folded: readonly string[];
	readonly fileName: string;
};
