/**
 * Draws the weeks of spend: the part of the chart that only a browser needs. It imports none of what
 * the page has, so that it is one file that is fetched as soon as it is asked for.
 */
import uplot from "uplot";

/**
 * CSS pixels: the drawing's height, its axis of money, and the minimum between two dates below
 * it.
 */
const HEIGHT = 240;
const MONEY_AXIS = 56;
const DATE_SPACE = 64;
/** How much higher than its bars the drawing is, for the number above the highest. */
const ROOM = 1.2;
const FONT = "14px system-ui, sans-serif";
/** CSS pixels from the top of the drawing to the number, and from a bar's top to where it is broken. */
const NUMBER_GAP = 4;
const BREAK = { below: 10, height: 4 } as const;

/** A week's bar, in whole units of money. */
export type Bar = {
	/** What is written below it. */
	readonly begins: string;
	/** What is written above the drawing while it is marked. */
	readonly total: string;
	readonly height: number;
	/** The lower part of it. */
	readonly fuel: number;
};

export type Drawing = {
	readonly weeks: readonly Bar[];
	/** Where the bars end; higher ones are cut off. */
	readonly top: number;
	/** An amount for the axis. */
	readonly short: (amount: number) => string;
	/** The marked week, read at each drawing. */
	readonly chosen: () => number;
	/** Called with the week under the pointer. */
	readonly choose: (week: number) => void;
};

/** A color of the page in the current scheme, from styles.css. */
const color = (name: string) =>
	getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim();

/** Fees are stacked on fuel: the total is drawn first, then fuel over its lower part. */
function optionsOf({ weeks, top, short, chosen, choose }: Drawing, width: number): uplot.Options {
	const last = weeks.length - 1;
	const bars = uplot.paths.bars?.({ size: [0.7, 56] });
	const layer = (name: string): uplot.Series => ({
		fill: () => color(name),
		width: 0,
		points: { show: false },
		...(bars ? { paths: bars } : {}),
	});
	const axis: uplot.Axis = { font: FONT, stroke: () => color("quiet"), ticks: { show: false } };
	return {
		width,
		height: HEIGHT,
		// Room for the last date, which is wider than its bar.
		padding: [8, 16, 0, 0],
		legend: { show: false },
		cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
		scales: {
			x: { time: false, range: () => [-0.5, last + 0.5] },
			// From zero, so that the bars are proportional to their numbers.
			y: { range: () => [0, Math.max(top, 1) * ROOM] },
		},
		axes: [
			{
				...axis,
				grid: { show: false },
				size: 28,
				splits: ({ bbox }) => {
					const weeksApart = Math.max(
						1,
						Math.ceil((DATE_SPACE * weeks.length) / (bbox.width / devicePixelRatio)),
					);
					return weeks.map((_, week) => week).filter((week) => (last - week) % weeksApart === 0);
				},
				values: (_, splits) => splits.map((week) => weeks[week]?.begins ?? ""),
			},
			{
				...axis,
				grid: { stroke: () => color("line"), width: 1 },
				size: MONEY_AXIS,
				space: 48,
				values: (_, splits) => splits.map((amount) => short(amount)),
			},
		],
		series: [{}, layer("fees"), layer("fuel")],
		hooks: {
			drawClear: [
				({ ctx, bbox }) => {
					const step = bbox.width / weeks.length;
					ctx.fillStyle = color("accent-soft");
					ctx.fillRect(bbox.left + step * chosen(), bbox.top, step, bbox.height);
				},
			],
			draw: [
				(plot) => {
					const { ctx, bbox } = plot;
					const step = bbox.width / weeks.length;
					const yOf = (amount: number) => plot.valToPos(Math.min(amount, top), "y", true);
					for (const [position, week] of weeks.entries()) {
						if (week.height <= top) continue;
						ctx.fillStyle = color(position === chosen() ? "accent-soft" : "surface");
						const y = yOf(top) + BREAK.below * devicePixelRatio;
						ctx.fillRect(bbox.left + step * position, y, step, BREAK.height * devicePixelRatio);
					}
					const week = weeks[chosen()];
					if (!week) return;
					ctx.font = FONT.replace(/^\d+/, (size) => String(Number(size) * devicePixelRatio));
					ctx.fillStyle = color("ink");
					ctx.textAlign = "center";
					ctx.textBaseline = "top";
					// Whole at either side, where it is wider than its bar.
					const half = ctx.measureText(week.total).width / 2;
					const middle = bbox.left + step * (chosen() + 0.5);
					const x = Math.max(bbox.left + half, Math.min(middle, bbox.left + bbox.width - half));
					// Above the highest bar, since it may be wider than its own.
					ctx.fillText(week.total, x, bbox.top + NUMBER_GAP * devicePixelRatio);
				},
			],
			setCursor: [
				({ cursor }) => {
					if (typeof cursor.idx === "number" && (cursor.left ?? -1) >= 0) choose(cursor.idx);
				},
			],
		},
	};
}

/**
 * Draws the weeks into a box of the page, as wide as it is.
 * @returns draws again
 */
export function drawWeeks(box: HTMLElement, drawing: Drawing): () => void {
	const { weeks, top } = drawing;
	const plot = new uplot(
		optionsOf(drawing, box.clientWidth),
		[
			weeks.map((_, week) => week),
			weeks.map(({ height }) => Math.min(top, height)),
			weeks.map(({ fuel }) => Math.min(top, fuel)),
		],
		box,
	);
	const redraw = () => plot.redraw();
	new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT })).observe(box);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
	return redraw;
}
