/**
 * The last weeks of spend as a chart for pointer, touch or keyboard: the chosen week's numbers are
 * shown above it. Choosing is a native range input, which every assistive technology knows; the
 * drawing is only visual.
 */
import { useEffect, useRef, useState } from "react";
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

const totalOf = ({ fuelCents, feeCents }: SpendWeek) => fuelCents + feeCents;
/** What a bar shows: credits that exceed the week's fees don't shorten that of fuel. */
const drawnOf = ({ fuelCents, feeCents }: SpendWeek) => fuelCents + Math.max(0, feeCents);
/** Where the bars end, in whole units of money. */
const topOf = (weeks: readonly SpendWeek[]) => chartTop(weeks.map(drawnOf)) / 100;

/** Amounts for the axis. */
const shortFormat = () =>
	new Intl.NumberFormat("en-US", {
		style: "currency",
		currency: fleetUnits().currency,
		notation: "compact",
		maximumFractionDigits: 1,
	});

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
	const redraw = useRef<() => void>();
	const [state, setState] = useState<"loading" | "drawn" | "failed">("loading");
	const [chosen, setChosen] = useState(weeks.length - 1);
	const marked = useRef(chosen);

	// An island stays for as long as its page, so nothing takes the drawing away.
	useEffect(() => {
		import("./spend-drawing.ts").then(
			({ drawWeeks }) => {
				if (!place.current) return;
				const { format } = shortFormat();
				redraw.current = drawWeeks(place.current, {
					weeks: weeks.map((week) => ({
						begins: week.begins,
						total: formatDollars(totalOf(week)),
						height: drawnOf(week) / 100,
						fuel: week.fuelCents / 100,
					})),
					top: topOf(weeks),
					short: format,
					chosen: () => marked.current,
					choose: setChosen,
				});
				setState("drawn");
			},
			() => setState("failed"),
		);
	}, [weeks]);

	useEffect(() => {
		marked.current = chosen;
		redraw.current?.();
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
					<p data-asleep="Show chart" className="col-start-1 row-start-1 text-center text-quiet">
						Loading chart data...
					</p>
				)}
			</div>
			{cut.length > 0 ? (
				<p className="text-sm text-quiet">
					{`Cut off: ${cut.map((each) => `${each.begins} (${formatDollars(drawnOf(each))})`).join(", ")}.`}
				</p>
			) : null}
			{weeks.length > 1 ? (
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
			) : null}
		</div>
	);
}
