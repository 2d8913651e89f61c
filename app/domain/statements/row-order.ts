/** Rows of one driver in a file by period: only their order tells them apart, and it may change. */

/** Part of the keys of a driver's further rows: `uber:b1:other#2:2026-11-16:2026-11-22`. */
const REPEAT = /#\d+(?=:\d{4}-\d\d-\d\d:\d{4}-\d\d-\d\d$)/;
const withoutRepeat = (key: string) => key.replace(REPEAT, "");

/**
 * The keys of rows. If a driver's rows have changed places, each gets the key under which its own
 * amounts are recorded, and the others share the rest in order. A reader passes rows in chunks, so
 * a driver's rows in two chunks are told apart by their order alone.
 * @param amounts of each row, and what is recorded under a key, in the same form
 */
export function keysAsRecorded<Row>(
	rows: readonly Row[],
	keyOf: (row: Row) => string | null,
	amounts: (row: Row) => string,
	recorded: (key: string) => string | undefined,
): (string | null)[] {
	const keys = rows.map(keyOf);
	const repeated = new Map<string, { key: string; at: number; amounts: string }[]>();
	for (const key of keys)
		if (key !== null && REPEAT.test(key)) repeated.set(withoutRepeat(key), []);
	if (repeated.size === 0) return keys;
	for (const [at, row] of rows.entries()) {
		const key = keys[at] ?? "";
		repeated.get(withoutRepeat(key))?.push({ key, at, amounts: amounts(row) });
	}
	for (const own of repeated.values()) {
		const moved = own.filter((row) => recorded(row.key) !== row.amounts);
		const free = new Set(moved.map(({ key }) => key));
		const byAmounts = new Map<string | undefined, string[]>();
		for (const key of free) {
			const known = byAmounts.get(recorded(key));
			if (known) known.push(key);
			else byAmounts.set(recorded(key), [key]);
		}
		const changed = [];
		for (const row of moved) {
			const key = byAmounts.get(row.amounts)?.shift();
			if (key === undefined) changed.push(row);
			else {
				keys[row.at] = key;
				free.delete(key);
			}
		}
		// One for each remaining row.
		const rest = [...free];
		for (const [place, row] of changed.entries()) keys[row.at] = rest[place] ?? null;
	}
	return keys;
}
