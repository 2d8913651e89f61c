/** What a select offers. */
export type Option = readonly [value: string, words: string];

/** The units of distance. */
export const DISTANCES: readonly Option[] = [
	["mi", "Miles"],
	["km", "Kilometers"],
];

/** Values with their labels. */
export const toOptions = <Value extends string>(
	values: readonly Value[],
	words: Readonly<Record<Value, string>>,
): Option[] => values.map((value) => [value, words[value]]);
