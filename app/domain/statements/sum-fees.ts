/** Adds lines up to the fees they are recorded as. */
import { driverKey } from "./persons.ts";
import type { StatementFee, StatementLine } from "./statement.ts";

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
