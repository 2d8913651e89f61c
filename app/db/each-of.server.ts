/** Lists as one side of a join, however long they are. */
import { type SQL, sql } from "drizzle-orm";

/** Bytes of one value: D1 takes 2 MB. */
const MAX_BYTES = 1_000_000;

/**
 * A list as the rows `each`, with an item in each `value`. If it is longer than D1 takes as one
 * value, `each.key` restarts at 0 with each part of it.
 */
export function eachOf(items: readonly unknown[]): SQL {
	const [text = "[]", ...more] = partsOf(items.map((item) => JSON.stringify(item)));
	if (more.length === 0) return sql`json_each(${text}) as each`;
	const rows = [text, ...more].map((part) => sql`(${part})`);
	return sql`(values ${sql.join(rows, sql`, `)}) as part cross join json_each(part.column1) as each`;
}

/** The items' texts as lists, each as short as D1 takes. */
function partsOf(texts: readonly string[]): string[] {
	const parts: string[][] = [];
	let left = 0;
	for (const text of texts) {
		const bytes = new TextEncoder().encode(text).length + 1;
		if (bytes > left || parts.length === 0) {
			parts.push([]);
			left = MAX_BYTES;
		}
		parts.at(-1)?.push(text);
		left -= bytes;
	}
	return parts.map((part) => `[${part.join(",")}]`);
}
