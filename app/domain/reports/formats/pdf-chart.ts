/**
 * A bar chart in a PDF, drawn with lines and boxes. Its figures are in the table below it, and
 * screen readers get a description.
 */
import { type Chart, formatCell } from "../document.ts";
import { COLORS, type Element, type Paper } from "./pdf-paper.ts";

const HEIGHT = 88;
const LABELS = 14;
/** With room below it for the number above the highest bar. */
const LEGEND = 26;
/** The most bars with room for a number above and a label below. */
const ROOMY = 14;

/** A round number at or above the largest: 1, 2, 2.5 or 5 times a power of ten. */
export function roundUpToNice(most: number): number {
	if (most <= 0) return 1;
	const power = 10 ** Math.floor(Math.log10(most));
	return ([1, 2, 2.5, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

export function drawChart(paper: Paper, parent: Element, { alt, unit, series, bars }: Chart): void {
	const { doc, left, width } = paper;
	paper.ensure(HEIGHT + LABELS + LEGEND + 24);
	const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
	// A bar has no length below zero; its number is unchanged.
	const atLeastZero = (values: readonly number[]) => values.map((value) => Math.max(0, value));
	const top = roundUpToNice(Math.max(...bars.map(({ values }) => total(atLeastZero(values)))));
	paper.tagged(
		parent,
		"Figure",
		() => {
			paper.font(7);
			let x = left;
			for (const [position, name] of series.entries()) {
				doc
					.rect(x, paper.y + 1, 7, 7)
					.fill(COLORS.bars[position % COLORS.bars.length] ?? COLORS.ink);
				doc.fillColor(COLORS.ink);
				paper.draw(name, x + 10, paper.y);
				x += 24 + paper.widthOf(name);
			}
			const base = paper.y + LEGEND + HEIGHT;
			const axis =
				Math.max(
					...[0, top / 2, top].map((value) => paper.widthOf(formatCell(unit, Math.round(value)))),
				) + 6;
			for (const value of [0, top / 2, top]) {
				const y = base - (value / top) * HEIGHT;
				doc
					.moveTo(left + axis, y)
					.lineTo(left + width, y)
					.lineWidth(0.5)
					.stroke(COLORS.line);
				doc.fillColor(COLORS.quiet);
				paper.draw(formatCell(unit, Math.round(value)), left, y - 4, left + axis - 4);
			}
			const step = (width - axis) / bars.length;
			const every = Math.ceil(bars.length / ROOMY);
			for (const [position, { label, values }] of bars.entries()) {
				const start = left + axis + position * step;
				let y = base;
				for (const [number, value] of atLeastZero(values).entries()) {
					const height = (value / top) * HEIGHT;
					y -= height;
					if (height > 0)
						doc
							.rect(start + step * 0.15, y, step * 0.7, height)
							.fill(COLORS.bars[number % COLORS.bars.length] ?? COLORS.ink);
				}
				doc.fillColor(COLORS.ink);
				const middle = (text: string, at: number) =>
					paper.draw(text, start + (step - paper.widthOf(text)) / 2, at);
				if (bars.length <= ROOMY && total(values) > 0)
					middle(formatCell(unit, total(values)), y - 9);
				if (position % every === 0) middle(fitLabel(paper, label, step * every - 2), base + 4);
			}
			paper.y = base + LABELS + 8;
		},
		{ alt },
	);
}

/** A label shortened to its space. */
function fitLabel(paper: Paper, label: string, width: number): string {
	const text = paper.shown(label);
	if (paper.widthOf(text) <= width) return text;
	let cut = [...text];
	while (cut.length > 1 && paper.widthOf(`${cut.join("")}…`) > width) cut = cut.slice(0, -1);
	return `${cut.join("")}…`;
}
