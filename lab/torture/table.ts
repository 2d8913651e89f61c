/** The table that `npm run torture` ends with, and the rows that each part adds to it. */

/** One figure of a part. */
export type Finding = {
	/** What was tried, in the plural. */
	readonly tried: string;
	readonly times: number;
	/** What was counted. */
	readonly what: string;
	readonly figure: number | string;
	/** The requirement. */
	readonly must: string;
	readonly isMet: boolean;
};
/** A row of the table. */
export type Row = Finding & { readonly part: string };

/** A count that must be zero. */
export const mustBeZero = (
	tried: string,
	times: number,
	what: string,
	figure: number,
): Finding => ({
	tried,
	times,
	what,
	figure,
	must: "0",
	isMet: figure === 0,
});

const HEAD = ["part", "tried", "times", "counted", "figure", "must be", ""];

/** Formats the rows in columns, and marks those that aren't met. */
export function formatTable(rows: readonly Row[]): string {
	const cells = rows.map(({ part, tried, times, what, figure, must, isMet }) => [
		part,
		tried,
		times.toLocaleString("en-US"),
		what,
		typeof figure === "number" ? figure.toLocaleString("en-US") : figure,
		must,
		isMet ? "" : "NOT MET",
	]);
	const lines = [HEAD, ...cells];
	const widths = HEAD.map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line) =>
			line
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}
