/** Money given back, subtracted from the other fees of its driver, day and category. */
import { MAX_CENTS } from "../../values/money.ts";
import type { PlannedFee, RowOutcome } from "./row-outcome.ts";

type Added = Extract<RowOutcome, { fate: "add" }>;
const isAdded = (row: RowOutcome): row is Added => row.fate === "add";

/** A fee's cents, negative for a credit. */
export const signedCents = ({ amountCents, isCredit }: PlannedFee): number =>
	isCredit ? -amountCents : amountCents;

/** The rows, of which those with money given back are one fee with the others of their group. */
export function netRows(rows: readonly RowOutcome[]): RowOutcome[] {
	const groups = new Map<string, Added[]>();
	for (const row of rows.filter(isAdded)) {
		const { driverId, date, category } = row.fee;
		const key = [driverId, date, category].join("\n");
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	const netted = new Map<number, RowOutcome>();
	for (const group of groups.values())
		if (group.length > 1 && group.some(({ fee }) => fee.isCredit))
			for (const row of netGroup(group)) netted.set(row.number, row);
	return rows.map((row) => netted.get(row.number) ?? row);
}

function netGroup([first, ...others]: readonly Added[]): RowOutcome[] {
	if (!first) return [];
	const cents = [first, ...others].reduce((sum, { fee }) => sum + signedCents(fee), 0);
	if (Math.abs(cents) > MAX_CENTS) return [];
	const numbers = [first, ...others].map(({ number }) => number).join(", ");
	const skip = (row: Added, why: string): RowOutcome => ({
		...row,
		...{ fate: "skip", because: "netted", why },
	});
	if (cents === 0)
		return [first, ...others].map((row) => ({
			...skip(row, `Refunded in full: rows ${numbers}`),
			isRefunded: row === first,
		}));
	const fee: PlannedFee = {
		...first.fee,
		...{ amountCents: Math.abs(cents), isCredit: cents < 0 },
		...{ reference: undefined, description: `Rows ${numbers} of the file`.slice(0, 1000) },
	};
	return [{ ...first, fee }, ...others.map((row) => skip(row, `Part of row ${first.number}`))];
}
