/** The day of a trip and whose it is, on one line: most trips are logged on the day they are driven. */
import type { FieldMetadata } from "@conform-to/react";
import { TextField } from "../../ui/forms/fields.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { formatDay, isCalendarDate } from "../../values/calendar-date.ts";

/**
 * The line opens into its fields and then stays open, so that it can't say 'Today' over another
 * date. It is open from the start with another date, or with something wrong.
 * @param driverId '' on the page that knows nobody
 */
export function DayLine({
	field,
	label,
	today,
	latest,
	driverId,
}: {
	field: FieldMetadata<string>;
	label: string;
	today: string;
	latest: string;
	driverId: string;
}) {
	const isOpen = Boolean(field.errors) || (field.initialValue ?? today) !== today;
	return (
		<details className="group" {...(isOpen ? { open: true } : {})}>
			<summary className="-my-2 flex min-h-11 list-none items-center justify-between gap-2 group-open:hidden">
				<span className="min-w-0">
					<b className="font-semibold">Today</b>
					{/* On a page that the phone has kept, the phone writes the date here. */}
					<span data-day="">{isCalendarDate(today) ? `, ${formatDay(today)}` : ""}</span>
					{driverId ? <span className="whitespace-nowrap">{` · ${driverId}`}</span> : null}
				</span>
				<span className="font-semibold text-accent">
					Change<span className="sr-only"> the date</span>
				</span>
			</summary>
			<div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-4">
				<TextField field={field} label={label} type="date" max={latest || undefined} />
				{driverId === "" ? null : (
					<PlainField id="driverId" label="Driver ID">
						{(control) => <Input {...control} readOnly value={driverId} />}
					</PlainField>
				)}
			</div>
		</details>
	);
}
