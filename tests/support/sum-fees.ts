/** Adds a statement's lines up to fees, with the rows of each, as the expected results have them. */
import { driverKey } from "../../app/domain/statements/persons.ts";
import type { StatementLine } from "../../app/domain/statements/statement.ts";
import type { FeeCategory } from "../../app/domain/uber-fees/rules.ts";
import type { CalendarDate } from "../../app/values/calendar-date.ts";

/** All lines of a driver, a day and a category. */
export type StatementFee = {
	readonly platformId: string;
	readonly name: string;
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	/** Negative for a credit. */
	readonly cents: number;
	readonly isCredit: boolean;
	readonly rows: readonly number[];
};

type Sum = { readonly first: StatementLine; name: string; cents: number; rows: number[] };

/**
 * Fees by driver, day and category, in the order in which they first appear, with credits
 * subtracted within each. A sum below zero is a credit, and one of exactly zero isn't a fee: it is
 * `netted`.
 */
export function sumFees(lines: Iterable<StatementLine>): {
	readonly fees: readonly StatementFee[];
	readonly netted: readonly StatementFee[];
} {
	const sums = new Map<string, Sum>();
	for (const line of lines) {
		const { platformId, name, date, category, cents, row } = line;
		const key = JSON.stringify([driverKey(platformId, name), date, category]);
		const sum = sums.get(key);
		if (!sum) {
			sums.set(key, { first: line, name, cents, rows: [row] });
			continue;
		}
		sum.name ||= name;
		sum.cents += cents;
		sum.rows.push(row);
	}
	const all = [...sums.values()].map(
		({ first: { platformId, date, category }, name, cents, rows }): StatementFee => ({
			platformId,
			name,
			date,
			category,
			cents,
			isCredit: cents < 0,
			rows,
		}),
	);
	return {
		fees: all.filter(({ cents }) => cents !== 0),
		netted: all.filter(({ cents }) => cents === 0),
	};
}
