/** Money of unknown meaning, added up separately so that a person can judge it. */
import { hasForbiddenCharacter, truncate } from "../../values/fields.ts";
import { isMoney, parseAmount } from "./amount.ts";
import type { WatchedColumn } from "./layout.ts";
import type { UnknownColumn } from "./statement.ts";

const MAX_NAME_LENGTH = 200;

type Tally = Pick<WatchedColumn, "name" | "kind"> & {
	cents: number;
	money: number;
	unreadable: number;
};

export function createUnknownColumns() {
	const tallies = new Map<string, Tally>();
	let watched: readonly (readonly [WatchedColumn, Tally])[] = [];
	return {
		/** Adds up the rows from here on by these columns; equal names continue. */
		watch(columns: readonly WatchedColumn[]): void {
			watched = columns.map((column) => {
				const { name, kind } = column;
				const key = `${kind}:${name}`;
				const tally = tallies.get(key) ?? { name, kind, cents: 0, money: 0, unreadable: 0 };
				tallies.set(key, tally);
				return [column, tally];
			});
		},
		add(cells: readonly string[]): void {
			for (const [{ column }, tally] of watched) {
				const text = cells[column] ?? "";
				if (text === "") continue;
				const cents = parseAmount(text);
				if (cents === null) tally.unreadable += 1;
				else tally.cents += cents;
				if (isMoney(text)) tally.money += 1;
			}
		},
		totals(): readonly UnknownColumn[] {
			return [...tallies.values()].flatMap(({ name, kind, cents, money, unreadable }) => {
				const isShown =
					kind === "leaf" ||
					(kind === "branch" && (cents !== 0 || unreadable > 0)) ||
					(kind === "perhaps" && money > 0 && unreadable === 0 && cents !== 0);
				if (!isShown || hasForbiddenCharacter(name)) return [];
				return [{ name: truncate(name, MAX_NAME_LENGTH), cents, unreadable }];
			});
		},
	};
}
