import { inUnits } from "../values/fleet-units.ts";
import { formatMiles, milesBetween } from "../values/miles.ts";

/**
 * The 'Calculated Miles' box (docs/product.md §2), which page-miles.ts keeps up to date. Its output
 * is for the two readings, and names the date's field.
 * @param keepsStart whether someone chose the start, so that it doesn't follow the date
 */
export function CalculatedMiles({
	dateId,
	startId,
	endId,
	start,
	end,
	keepsStart,
}: {
	dateId: string;
	startId: string;
	endId: string;
	start: string;
	end: string;
	keepsStart: boolean;
}) {
	return (
		<p className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-md bg-accent-soft p-3">
			<span className="font-semibold" id="calculated-miles-label">
				{inUnits("Calculated Miles")}
			</span>
			<output
				htmlFor={`${startId} ${endId}`}
				aria-labelledby="calculated-miles-label"
				data-miles={dateId}
				{...(keepsStart ? { "data-keeps-start": "" } : {})}
				className="text-xl font-semibold tabular-nums"
			>
				{formatMiles(milesBetween(start, end))}
			</output>
		</p>
	);
}
