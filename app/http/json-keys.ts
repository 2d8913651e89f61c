/** Finds names that a JSON text repeats, of which a parser would silently keep the last. */

/**
 * The first name that an object in the text has twice, however it is escaped.
 * @param text valid JSON
 */
export function findRepeatedKey(text: string): string | undefined {
	/** The names seen in each open object; an array has none. */
	const open: (Set<string> | undefined)[] = [];
	let last = "";
	for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
		if (token === "{") open.push(new Set());
		else if (token === "[") open.push(undefined);
		else if (token === "}" || token === "]") open.pop();
		else if (token !== ":") last = token;
		else {
			const name: unknown = JSON.parse(last);
			const names = open.at(-1);
			if (typeof name !== "string" || !names) continue;
			if (names.has(name)) return name;
			names.add(name);
		}
	}
	return undefined;
}
