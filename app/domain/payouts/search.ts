/** The payouts screen's URL parameters. */
import {
	cursors,
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";

/** A payout's position in the list, latest first. */
export const payoutCursors = cursors({ number: "number" });
export type PayoutCursor = NonNullable<ReturnType<typeof payoutCursors.parse>>;
/** A driver's position in the list of unpaid sums, largest first. */
export const owedCursors = cursors({ readyCents: "number", driverId: "id" });
export type OwedCursor = NonNullable<ReturnType<typeof owedCursors.parse>>;
/** An unpaid request's position, oldest first. */
export const unpaidCursors = cursors({ number: "number" });
export type UnpaidCursor = NonNullable<ReturnType<typeof unpaidCursors.parse>>;

const OWED: PositionNames = { after: "owedAfter", before: "owedBefore" };
const UNPAID: PositionNames = { after: "unpaidAfter", before: "unpaidBefore" };

/** The parameters; invalid ones are left out. */
export type PayoutSearch = {
	readonly position: Position<PayoutCursor> | undefined;
	readonly owed: Position<OwedCursor> | undefined;
	readonly unpaid: Position<UnpaidCursor> | undefined;
	/** Whose requests are listed with boxes to tick: a driver's id, or everyone's. */
	readonly choose: string | undefined;
};

/** Parses a URL. */
export function parseSearch(query: URLSearchParams): PayoutSearch {
	const choose = query.get("choose") ?? "";
	return {
		position: readPosition(query, payoutCursors.parse),
		owed: readPosition(query, owedCursors.parse, OWED),
		unpaid: readPosition(query, unpaidCursors.parse, UNPAID),
		choose: choose === "all" || isRowId(choose) ? choose : undefined,
	};
}

/** The URL of a view. */
export function listUrl({ position, owed, unpaid, choose }: Partial<PayoutSearch>): string {
	const query = new URLSearchParams();
	if (choose) query.set("choose", choose);
	setPosition(query, unpaid, unpaidCursors.format, UNPAID);
	setPosition(query, owed, owedCursors.format, OWED);
	setPosition(query, position, payoutCursors.format);
	return `/payouts${query.size > 0 ? `?${query}` : ""}`;
}
