/** The results of the benches, and the table and file they end up in. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** One figure of a bench. */
export type Figure = {
	readonly what: string;
	readonly figure: number;
	/** `x` means times as much as the bare Worker or static file of the same run. */
	readonly unit:
		| "bytes"
		| "MB"
		| "ms"
		| "s"
		| "requests/s"
		| "rows"
		| "statements"
		| "trips"
		| "x"
		| "";
	/** The limit; absent if only observed. */
	readonly budget?: number;
};

const HEAD = ["part", "what", "figure", "budget", ""];

export const isMet = ({ figure, budget }: Figure): boolean =>
	budget === undefined || figure <= budget;

const formatFigure = (value: number, unit: Figure["unit"]) =>
	`${value.toLocaleString("en-US", { maximumFractionDigits: unit === "x" ? 2 : 1 })}${unit === "x" ? "x" : unit ? ` ${unit}` : ""}`;

/** Formats the figures in columns by part, and marks whether each meets its budget. */
export function formatFigures(parts: ReadonlyMap<string, readonly Figure[]>): string {
	const lines = [HEAD];
	for (const [part, figures] of parts)
		for (const each of figures)
			lines.push([
				part,
				each.what,
				formatFigure(each.figure, each.unit),
				each.budget === undefined ? "" : formatFigure(each.budget, each.unit),
				each.budget === undefined ? "" : isMet(each) ? "met" : "missed",
			]);
	const widths = HEAD.map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line) =>
			line
				.map((cell, column) =>
					column === 2 || column === 3
						? cell.padStart(widths[column] ?? 0)
						: cell.padEnd(widths[column] ?? 0),
				)
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

/** Saves the figures as JSON: `{"cpu": [{"what", "figure", "unit", "budget"}]}`. */
export function keepFigures(parts: ReadonlyMap<string, readonly Figure[]>, path: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, `${JSON.stringify(Object.fromEntries(parts), undefined, "\t")}\n`);
}
