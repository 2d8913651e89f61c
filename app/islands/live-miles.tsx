/** The live 'Calculated Miles' box (docs/product.md §2): end minus start, never below 0. */
import { useEffect, useState } from "react";
import { formatMiles, parseMiles } from "../values/miles.ts";

export type LiveMilesProps = {
	readonly startId: string;
	readonly endId: string;
	readonly start: string;
	readonly end: string;
};

/**
 * 0 as long as either isn't a reading, so that a typo doesn't look like a trip around the world.
 */
function difference(start: string, end: string): number {
	const [from, to] = [parseMiles(start), parseMiles(end)];
	return from === undefined || to === undefined ? 0 : Math.max(0, to - from);
}

export default function LiveMiles({ startId, endId, start, end }: LiveMilesProps) {
	const [miles, setMiles] = useState(() => difference(start, end));
	useEffect(() => {
		const fields = [startId, endId]
			.map((id) => document.getElementById(id))
			.filter((field) => field instanceof HTMLInputElement);
		const update = () => setMiles(difference(fields[0]?.value ?? "", fields[1]?.value ?? ""));
		update();
		for (const field of fields) field.addEventListener("input", update);
		return () => {
			for (const field of fields) field.removeEventListener("input", update);
		};
	}, [startId, endId]);
	return (
		<p className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-md bg-accent-soft p-3">
			<span className="font-semibold" id="calculated-miles-label">
				Calculated Miles
			</span>
			<output
				htmlFor={`${startId} ${endId}`}
				aria-labelledby="calculated-miles-label"
				className="text-xl font-semibold tabular-nums"
			>
				{formatMiles(miles)}
			</output>
		</p>
	);
}
