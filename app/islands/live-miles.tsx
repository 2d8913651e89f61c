/** The live 'Calculated Miles' box (spec §2): end minus start, never below 0. */
import { useEffect, useState } from "react";
import { milesFrom, showMiles } from "../values/miles.ts";

export type LiveMilesProps = { readonly startId: string; readonly endId: string; readonly start: string; readonly end: string };

function difference(start: string, end: string): number {
	return Math.max(0, (milesFrom(end) ?? 0) - (milesFrom(start) ?? 0));
}

export default function LiveMiles({ startId, endId, start, end }: LiveMilesProps) {
	const [miles, setMiles] = useState(() => (start && end ? difference(start, end) : 0));
	useEffect(() => {
		const fields = [startId, endId].map((id) => document.getElementById(id)).filter((field) => field instanceof HTMLInputElement);
		const update = () =>
			setMiles(fields.every((field) => field.value !== "") ? difference(fields[0]?.value ?? "", fields[1]?.value ?? "") : 0);
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
			<output htmlFor={`${startId} ${endId}`} aria-labelledby="calculated-miles-label" className="text-xl font-semibold tabular-nums">
				{showMiles(miles)}
			</output>
		</p>
	);
}
