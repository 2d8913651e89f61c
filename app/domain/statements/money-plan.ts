/** What importing a statement would do to the drivers' money. */

import { addMoney, type MoneyCents, type MoneyKind, NO_MONEY, sumMoney } from "./money.ts";
import type { MoneyExtent } from "./money-store.server.ts";
import type { MoneyRow } from "./statement.ts";

/** A row that doesn't add up, or can't be proven to. */
export type UnprovenRow = Pick<MoneyRow, "row" | "stated" | "found">;

/** An amount that is recorded differently. */
export type ChangedMoney = {
	/** Null if the file no longer has the row. */
	readonly row: number | null;
	readonly kind: MoneyKind;
	readonly recordedCents: number;
	readonly foundCents: number;
};

/** A driver of the platform whom nobody has matched yet. */
export type UnmatchedMoney = {
	readonly identity: string;
	readonly platformId: string;
	readonly name: string;
	rows: number;
	/** What the file says they are due. */
	cents: number;
};

export type MoneyPlan = {
	/** Rows that were added up, and how many add up. */
	readonly rows: number;
	readonly proven: number;
	readonly unproven: readonly UnprovenRow[];
	/** The drivers' money in the rows that count. */
	readonly totals: MoneyCents;
	/** Rows that can be added, were added before, or state different amounts. */
	readonly ready: number;
	readonly before: number;
	readonly changed: readonly ChangedMoney[];
	readonly unmatched: readonly UnmatchedMoney[];
	/** Whether money of a file that states no total is to be added. */
	readonly isUnstated: boolean;
	/** What decides if its new rows overlap other imports. */
	readonly extent: MoneyExtent | undefined;
};

/** What a row says its driver is due; where it doesn't add up, the total it states. */
export const dueCents = ({ proof, stated, found, cents }: MoneyRow): number =>
	proof === "unproven" ? (stated ?? found ?? 0) : sumMoney(cents);

/** Adds up a statement's rows as they arrive. */
export class MoneySums {
	rows = 0;
	proven = 0;
	totals: MoneyCents = NO_MONEY;
	readonly unproven: UnprovenRow[] = [];

	add({ row, proof, stated, found, cents, whose }: MoneyRow): void {
		this.rows += 1;
		if (proof === "proven") this.proven += 1;
		if (proof === "unproven") this.unproven.push({ row, stated, found });
		else if (whose) this.totals = addMoney(this.totals, cents);
	}
}
