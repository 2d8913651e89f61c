/** The payouts screen's search, as its URL has it. */
import {
	cursors,
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";

/** The place of a payout in the list: the latest first. */
export const payoutCursors = cursors({ number: "number" });
export type PayoutCursor = NonNullable<ReturnType<typeof payoutCursors.parse>>;
/** The place of a driver in the list of what is unpaid: the largest sum first. */
export const owedCursors = cursors({ readyCents: "number", driverId: "id" });
export type OwedCursor = NonNullable<ReturnType<typeof owedCursors.parse>>;
/** The place of an unpaid request: the oldest first. */
export const unpaidCursors = cursors({ number: "number" });
export type UnpaidCursor = NonNullable<ReturnType<typeof unpaidCursors.parse>>;

const OWED: PositionNames = { after: "owedAfter", before: "owedBefore" };
const UNPAID: PositionNames = { after: "unpaidAfter", before: "unpaidBefore" };

/** What a URL asks for; what it can't ask for is left out. */
export type PayoutSearch = {
	readonly position: Position<PayoutCursor> | undefined;
	readonly owed: Position<OwedCursor> | undefined;
	readonly unpaid: Position<UnpaidCursor> | undefined;
	/** Whose requests are listed to be ticked: a driver's id, or everybody's. */
	readonly choose: string | undefined;
};

/** The search that a URL asks for. */
export function parseSearch(query: URLSearchParams): PayoutSearch {
	const choose = query.get("choose") ?? "";
	return {
		position: readPosition(query, payoutCursors.parse),
		owed: readPosition(query, owedCursors.parse, OWED),
		unpaid: readPosition(query, unpaidCursors.parse, UNPAID),
		choose: choose === "all" || isRowId(choose) ? choose : undefined,
	};
}

/** The address of a view. */
export function listUrl({ position, owed, unpaid, choose }: Partial<PayoutSearch>): string {
	const query = new URLSearchParams();
	if (choose) query.set("choose", choose);
	setPosition(query, unpaid, unpaidCursors.format, UNPAID);
	setPosition(query, owed, owedCursors.format, OWED);
	setPosition(query, position, payoutCursors.format);
	return `/payouts${query.size > 0 ? `?${query}` : ""}`;
}
