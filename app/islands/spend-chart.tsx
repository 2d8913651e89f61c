/**
 * The last weeks of spend as a chart for pointer, touch or keyboard: the chosen week's numbers are
 * shown above it. Choosing is a native range input, which every assistive technology knows; the
 * drawing is only visual.
 */
import { useEffect, useRef, useState } from "react";
import type UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { chartTop } from "../values/chart-top.ts";
import { fleetUnits } from "../values/fleet-units.ts";
import { formatDollars } from "../values/money.ts";

export type SpendWeek = {
	/** `Nov 15 to Nov 21, 2026` */
	readonly dates: string;
	/** `Nov 15` */
	readonly begins: string;
	readonly fuelCents: number;
	readonly feeCents: number;
};

export type SpendChartProps = { readonly weeks: readonly SpendWeek[] };

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

const shortFormat = () =>
	new Intl.NumberFormat("en-US", {
		style: "currency",
		currency: fleetUnits().currency,
		notation: "compact",
		maximumFractionDigits: 1,
	});
const totalOf = ({ fuelCents, feeCents }: SpendWeek) => fuelCents + feeCents;
/** What a bar shows: credits that exceed the week's fees don't shorten that of fuel. */
const drawnOf = ({ fuelCents, feeCents }: SpendWeek) => fuelCents + Math.max(0, feeCents);
/** Where the bars end, in whole units of money. */
const topOf = (weeks: readonly SpendWeek[]) => chartTop(weeks.map(drawnOf)) / 100;

/** A color of the page in the current scheme, from styles.css. */
const color = (name: string) =>
	getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim();

/**
 * Fees are stacked on fuel: the total is drawn first, then fuel over its lower part.
 * @param chosen the marked week, read at each drawing
 * @param choose called with the week under the pointer
 */
function optionsOf(
	uplot: typeof UPlot,
	weeks: readonly SpendWeek[],
	width: number,
	chosen: () => number,
	choose: (week: number) => void,
): UPlot.Options {
	const last = weeks.length - 1;
	const short = shortFormat();
	const top = topOf(weeks);
	const bars = uplot.paths.bars?.({ size: [0.7, 56] });
	const layer = (name: string): UPlot.Series => ({
		fill: () => color(name),
		width: 0,
		points: { show: false },
		...(bars ? { paths: bars } : {}),
	});
	const axis: UPlot.Axis = { font: FONT, stroke: () => color("quiet"), ticks: { show: false } };
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
				values: (_, splits) => splits.map((amount) => short.format(amount)),
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
						if (drawnOf(week) / 100 <= top) continue;
						ctx.fillStyle = color(position === chosen() ? "accent-soft" : "surface");
						const y = yOf(top) + BREAK.below * devicePixelRatio;
						ctx.fillRect(bbox.left + step * position, y, step, BREAK.height * devicePixelRatio);
					}
					const week = weeks[chosen()];
					if (!week) return;
					const text = formatDollars(totalOf(week));
					ctx.font = FONT.replace(/^\d+/, (size) => String(Number(size) * devicePixelRatio));
					ctx.fillStyle = color("ink");
					ctx.textAlign = "center";
					ctx.textBaseline = "top";
					// Whole at either side, where it is wider than its bar.
					const half = ctx.measureText(text).width / 2;
					const middle = bbox.left + step * (chosen() + 0.5);
					const x = Math.max(bbox.left + half, Math.min(middle, bbox.left + bbox.width - half));
					// Above the highest bar, since it may be wider than its own.
					ctx.fillText(text, x, bbox.top + NUMBER_GAP * devicePixelRatio);
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

function Amount({ label, cents, swatch }: { label: string; cents: number; swatch?: string }) {
	return (
		<div className="min-w-0">
			<dt className="flex items-center gap-2 text-sm text-quiet">
				{swatch ? (
					<span
						aria-hidden="true"
						className={`size-3 shrink-0 rounded-xs forced-color-adjust-none ${swatch}`}
					/>
				) : null}
				<span>{label}</span>
			</dt>
			<dd className="m-0 font-semibold wrap-anywhere tabular-nums">{formatDollars(cents)}</dd>
		</div>
	);
}

export default function SpendChart({ weeks }: SpendChartProps) {
	const place = useRef<HTMLDivElement>(null);
	const plot = useRef<UPlot>();
	const [state, setState] = useState<"loading" | "drawn" | "failed">("loading");
	const [chosen, setChosen] = useState(weeks.length - 1);
	const marked = useRef(chosen);

	useEffect(() => {
		const box = place.current;
		if (!box) return;
		let isGone = false;
		const redraw = () => plot.current?.redraw();
		const resize = new ResizeObserver(() =>
			plot.current?.setSize({ width: box.clientWidth, height: HEIGHT }),
		);
		const scheme = matchMedia("(prefers-color-scheme: dark)");
		import("uplot").then(
			({ default: uplot }) => {
				if (isGone) return;
				const top = topOf(weeks);
				const toUnits = (cents: (week: SpendWeek) => number) =>
					weeks.map((week) => Math.min(top, cents(week) / 100));
				const data: UPlot.AlignedData = [
					weeks.map((_, week) => week),
					toUnits(drawnOf),
					toUnits(({ fuelCents }) => fuelCents),
				];
				plot.current = new uplot(
					optionsOf(uplot, weeks, box.clientWidth, () => marked.current, setChosen),
					data,
					box,
				);
				resize.observe(box);
				scheme.addEventListener("change", redraw);
				setState("drawn");
			},
			() => setState("failed"),
		);
		return () => {
			isGone = true;
			resize.disconnect();
			scheme.removeEventListener("change", redraw);
			plot.current?.destroy();
			plot.current = undefined;
		};
	}, [weeks]);

	useEffect(() => {
		marked.current = chosen;
		plot.current?.redraw();
	}, [chosen]);

	const week = weeks[chosen];
	if (!week) return null;
	if (state === "failed")
		return <p>The chart couldn't be loaded. See the table below for the figures.</p>;
	const isDrawn = state === "drawn";
	const cut = weeks.filter((each) => drawnOf(each) / 100 > topOf(weeks));
	const says = `${week.dates}: fuel expenses ${formatDollars(week.fuelCents)}, Uber fees ${formatDollars(week.feeCents)}, total spend ${formatDollars(totalOf(week))}`;
	return (
		// Without a script nothing says that the chart is loading.
		<div className={isDrawn ? "no-print grid gap-3" : "no-print hidden gap-3 scripted:grid"}>
			<div className="grid gap-1">
				<p className="font-semibold">{week.dates}</p>
				<dl className="flex flex-wrap gap-x-5 gap-y-2">
					<Amount label="Fuel" cents={week.fuelCents} swatch="bg-fuel" />
					<Amount label="Uber Fees" cents={week.feeCents} swatch="bg-fees" />
					<Amount label="Total" cents={totalOf(week)} />
				</dl>
			</div>
			<div className="grid h-60 grid-cols-1 items-center overflow-hidden">
				<div ref={place} aria-hidden="true" className="col-start-1 row-start-1 h-60 min-w-0" />
				{isDrawn ? null : (
					<p className="col-start-1 row-start-1 text-center text-quiet">Loading chart data...</p>
				)}
			</div>
			{cut.length > 0 ? (
				<p className="text-sm text-quiet">
					{`Cut off: ${cut.map((each) => `${each.begins} (${formatDollars(drawnOf(each))})`).join(", ")}.`}
				</p>
			) : null}
			<label className="flex min-h-11 items-center gap-3">
				<span className="shrink-0 font-semibold">Week</span>
				<input
					type="range"
					min={0}
					max={weeks.length - 1}
					step={1}
					value={chosen}
					disabled={!isDrawn}
					aria-valuetext={says}
					onChange={(event) => setChosen(Number(event.currentTarget.value))}
					className="me-4 h-11 min-w-0 flex-1"
				/>
			</label>
		</div>
	);
}
