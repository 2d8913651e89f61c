/** Reads the money of a statement's rows: whose it is, and the days that it counts in. */
import { truncate } from "../../values/fields.ts";
import { countedDay } from "./counted-day.ts";
import { type DateOrders, dayAsWritten } from "./day.ts";
import type { Layout } from "./layout.ts";
import { MONEY_KINDS, moneyIn, type RowMoney } from "./money.ts";
import { driverKey, isIdentifier, readId, readName } from "./persons.ts";
import type { LeftOutReason, MoneyRow, Platform, StatementPeriod } from "./statement.ts";
import { isTotalWord } from "./total-rows.ts";

/** Characters of a time or a trip in a row's key; a real one has fewer. */
const MAX_KEY_PART = 60;
const AMOUNTS = /:-?\d+(,-?\d+)+(#\d+)?$/;

/** Whether a row's key is made of its amounts, so that other amounts make another row. */
export const isKeyOfAmounts = (key: string): boolean => AMOUNTS.test(key);

/** Rows that say nothing of their own. */
const NO_ROWS: ReadonlySet<LeftOutReason> = new Set(["repeated-header", "other-block", "total"]);

/** Reads rows in order, each after its fees. */
export class MoneyReader {
	readonly #seen = new Set<string>();
	readonly #occurrences = new Map<string, number>();

	constructor(
		private readonly platform: Platform,
		private readonly period: StatementPeriod | null,
		private readonly orders: DateOrders,
	) {}

	/**
	 * A row's money.
	 * @param reason why the row has no fee, if it has none
	 * @param isFleet whether a row is the fleet's own, by its id and name
	 */
	read(
		{ row, cells }: { readonly row: number; readonly cells: readonly string[] },
		layout: Layout,
		reason: LeftOutReason | undefined,
		isFleet: (cells: readonly string[], id: string, name: string) => boolean,
	): readonly MoneyRow[] {
		if (reason && NO_ROWS.has(reason)) return [];
		const { money, watched, header } = layout;
		const found = moneyIn(cells, money, watched, header.length);
		const idText = cellAt(cells, layout.driverId);
		const id = isTotalWord(idText) ? "" : readId(idText);
		const name = readName(layout.names.map((column) => cellAt(cells, column)));
		const isDriver = id !== "" || (name !== "" && (idText === "" || layout.driverId === undefined));
		const isKept = isDriver && reason !== "unreadable-amount" && !isFleet(cells, id, name);
		const whose = isKept ? this.#whose(cells, layout, id, name, found) : null;
		return [{ kind: "money", row, ...found, whose }];
	}

	#whose(
		cells: readonly string[],
		{ time, trip, lineId }: Layout,
		platformId: string,
		name: string,
		{ cents }: RowMoney,
	): MoneyRow["whose"] {
		const { platform, period } = this;
		const driver = driverKey(platformId, name);
		if (time === undefined) {
			const again = this.#number(`${platform}:${driver}`);
			const key = period && `${again}:${period.from}:${period.to}`;
			return { key, platformId, name, period };
		}
		const written = cellAt(cells, time);
		const day = dayAsWritten(written, this.orders);
		if (day === undefined) return null;
		const on = countedDay(written, day, period);
		const said = { platformId, name, period: { from: on, to: on } };
		const transaction = cellAt(cells, lineId).toLowerCase();
		if (isIdentifier(transaction)) {
			if (this.#seen.has(transaction)) return null;
			this.#seen.add(transaction);
			return { key: `${platform}:${transaction}`, ...said };
		}
		const part = (column: number | undefined) => truncate(cellAt(cells, column), MAX_KEY_PART);
		const amounts = MONEY_KINDS.map((kind) => cents[kind]).join(",");
		const told = [platform, driver, part(time), part(trip), amounts];
		return { key: this.#number(told.join(":")), ...said };
	}

	#number(key: string): string {
		const count = (this.#occurrences.get(key) ?? 0) + 1;
		this.#occurrences.set(key, count);
		return count === 1 ? key : `${key}#${count}`;
	}
}

const cellAt = (cells: readonly string[], column: number | undefined) =>
	column === undefined ? "" : (cells[column] ?? "").trim();
