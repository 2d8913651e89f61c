import { formatDay } from "../../values/calendar-date.ts";
import { chartTop } from "../../values/chart-top.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { centsPerMile, formatDollars } from "../../values/money.ts";
import type { Overview } from "./fleet-overview.server.ts";

const HEIGHT = 144;
/** Space above the columns for the numbers, and below them for the dates. */
const ABOVE = 24;
const BELOW = 24;
/** One date for this many weeks. */
const DATED = 4;
/** How many weeks at either side have no room for a number centered above them. */
const EDGE = 3;

export type Week = Overview["weeks"][number];

/** The band that shows where a column is cut, a little below its top. */
const Cut = ({ x, width }: { x: number; width: number }) => (
	<rect className="fill-surface" x={`${x}%`} width={`${width}%`} y={ABOVE + 10} height={4} />
);

/**
 * A column per week, proportional to its miles. The highest has its number; the one pointed at has
 * its miles and cost per mile instead.
 */
export function Columns({ weeks }: { weeks: readonly Week[] }) {
	const miles = weeks.map((week) => week.miles);
	const peak = miles.indexOf(Math.max(...miles));
	const top = Math.max(1, chartTop(miles));
	const step = 100 / weeks.length;
	const number = (week: number) => ({
		x: `${(week + 0.5) * step}%`,
		y: ABOVE - 8,
		textAnchor:
			week < EDGE
				? ("start" as const)
				: week >= weeks.length - EDGE
					? ("end" as const)
					: ("middle" as const),
	});
	return (
		<svg
			className="group/chart w-full overflow-visible text-sm"
			width="100%"
			height={HEIGHT + ABOVE + BELOW}
			aria-hidden="true"
		>
			<line
				className="stroke-line"
				x1="0"
				x2="100%"
				y1={ABOVE + HEIGHT + 0.5}
				y2={ABOVE + HEIGHT + 0.5}
			/>
			<text
				className="fill-ink font-semibold tabular-nums group-has-[g:hover]/chart:invisible"
				{...number(peak)}
			>
				{`${formatMiles(miles[peak] ?? 0)} ${inUnits("mi")}`}
			</text>
			{weeks.map((week, position) => {
				const height = Math.round((HEIGHT * Math.min(week.miles, top)) / top);
				const bar = { x: (position + 0.15) * step, width: 0.7 * step };
				return (
					<g key={week.from} className="group/week">
						<rect
							className="fill-transparent group-hover/week:fill-accent-soft"
							x={`${position * step}%`}
							width={`${step}%`}
							y={ABOVE}
							height={HEIGHT}
						/>
						<rect
							className="fill-fuel"
							x={`${bar.x}%`}
							width={`${bar.width}%`}
							y={ABOVE + HEIGHT - height}
							height={height}
							rx="2"
						/>
						{week.miles > top ? <Cut {...bar} /> : null}
						<text
							className="invisible fill-ink font-semibold tabular-nums group-hover/week:visible"
							{...number(position)}
						>
							{`${formatMiles(week.miles)} ${inUnits("mi")}, ${formatDollars(centsPerMile(week.fuelCents + week.feeCents, week.miles))} ${inUnits("per mile")}`}
						</text>
					</g>
				);
			})}
			{weeks.map(({ from }, week) =>
				(weeks.length - 1 - week) % DATED === 0 ? (
					<text
						key={from}
						className="fill-quiet"
						x={`${(week + 1) * step}%`}
						y={ABOVE + HEIGHT + BELOW - 6}
						textAnchor="end"
					>
						{formatDay(from)}
					</text>
				) : null,
			)}
		</svg>
	);
}

/** Says which columns are cut, and what they stand for. */
export function CutColumns({ weeks }: { weeks: readonly Week[] }) {
	const top = chartTop(weeks.map(({ miles }) => miles));
	const cut = weeks.filter(({ miles }) => miles > top);
	if (cut.length === 0) return null;
	return (
		<p className="text-sm text-quiet">
			{`Cut off: ${cut.map(({ from, miles }) => `${formatDay(from)} (${formatMiles(miles)} ${inUnits("mi")})`).join(", ")}.`}
		</p>
	);
}
