/** The live 'Calculated Miles' box (docs/product.md §2): end minus start, never below 0. */
import { useEffect, useState } from "react";
import { CHECK_ODOMETER } from "../domain/mileage/rules.ts";
import { formatMiles, parseMiles } from "../values/miles.ts";

export type LiveMilesProps = {
	readonly dateId: string;
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

/**
 * Asks the server what a date starts with, when it is changed. A start that was typed stays; one
 * that was offered for another date doesn't, even if there is no answer.
 */
async function followDate(date: HTMLInputElement, start: HTMLInputElement) {
	const hint = document.getElementById(`${start.id}-hint`);
	const asked = date.value;
	const page = await fetch(`/mileage?date=${encodeURIComponent(asked)}`)
		.then(async (answer) => (answer.ok ? answer.text() : ""))
		.catch(() => "");
	if (date.value !== asked) return;
	const found = new DOMParser().parseFromString(page, "text/html");
	const offered = found.getElementById(start.id)?.getAttribute("value") ?? "";
	const words = found.getElementById(`${start.id}-hint`)?.textContent;
	if (hint) hint.textContent = words ?? CHECK_ODOMETER;
	if (start.value !== start.defaultValue) return;
	start.defaultValue = offered;
	start.value = offered;
	start.dispatchEvent(new Event("input", { bubbles: true }));
}

export default function LiveMiles({ dateId, startId, endId, start, end }: LiveMilesProps) {
	const [miles, setMiles] = useState(() => difference(start, end));
	useEffect(() => {
		const fields = [startId, endId]
			.map((id) => document.getElementById(id))
			.filter((field) => field instanceof HTMLInputElement);
		const update = () => setMiles(difference(fields[0]?.value ?? "", fields[1]?.value ?? ""));
		update();
		for (const field of fields) field.addEventListener("input", update);
		const [date, from] = [document.getElementById(dateId), fields[0]];
		const follow = () => {
			if (date instanceof HTMLInputElement && from) void followDate(date, from);
		};
		date?.addEventListener("change", follow);
		return () => {
			date?.removeEventListener("change", follow);
			for (const field of fields) field.removeEventListener("input", update);
		};
	}, [dateId, startId, endId]);
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
