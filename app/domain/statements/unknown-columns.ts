/** Money of unknown meaning, added up separately so that a person can judge it. */
import { hasForbiddenCharacter, truncate } from "../../values/fields.ts";
import { isMoney, parseAmount } from "./amount.ts";
import type { WatchedColumn } from "./layout.ts";
import type { UnknownColumn } from "./statement.ts";

const MAX_NAME_LENGTH = 200;

type Tally = {
	cents: number;
	money: number;
	unreadable: number;
};

export function createUnknownColumns(watched: readonly WatchedColumn[]) {
	const tallies = watched.map((): Tally => ({ cents: 0, money: 0, unreadable: 0 }));
	return {
		add(cells: readonly string[]): void {
			watched.forEach(({ column }, at) => {
				const text = cells[column] ?? "";
				const tally = tallies[at];
				if (text === "" || !tally) return;
				const cents = parseAmount(text);
				if (cents === null) tally.unreadable += 1;
				else tally.cents += cents;
				if (isMoney(text)) tally.money += 1;
			});
		},
		totals(): readonly UnknownColumn[] {
			return watched.flatMap(({ name, kind }, at) => {
				const { cents, money, unreadable } = tallies[at] ?? { cents: 0, money: 0, unreadable: 0 };
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
