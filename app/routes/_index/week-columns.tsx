import { formatDay } from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import type { Overview } from "./fleet-overview.server.ts";

const HEIGHT = 144;
/** Space above the columns for the largest number, and below them for the dates. */
const ABOVE = 24;
const BELOW = 24;

export type Week = Overview["weeks"][number];

/** A column per week, proportional to its miles; the highest has its number. */
export function Columns({ weeks }: { weeks: readonly Week[] }) {
	const most = Math.max(1, ...weeks.map(({ miles }) => miles));
	const peak = weeks.findIndex(({ miles }) => miles === most);
	const step = 100 / weeks.length;
	const middle = (week: number) => `${(week + 0.5) * step}%`;
	return (
		<svg
			className="w-full overflow-visible text-sm"
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
			{weeks.map(({ from, miles }, week) => {
				const height = Math.round((HEIGHT * miles) / most);
				return (
					<rect
						key={from}
						className="fill-fuel"
						x={`${(week + 0.15) * step}%`}
						width={`${0.7 * step}%`}
						y={ABOVE + HEIGHT - height}
						height={height}
						rx="2"
					/>
				);
			})}
			<text
				className="fill-ink font-semibold tabular-nums"
				x={middle(peak)}
				y={ABOVE - 8}
				textAnchor={peak < 2 ? "start" : peak > weeks.length - 3 ? "end" : "middle"}
			>
				{`${formatMiles(most)} ${inUnits("mi")}`}
			</text>
			{weeks.map(({ from }, week) =>
				week % 4 === 3 ? (
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
