/** The form of Log Daily Mileage: plain HTML, with the live box as its one island. */
import { Island } from "../../islands/island.tsx";
import LiveMiles from "../../islands/live-miles.tsx";
import { Problems, TextField } from "../../ui/form-parts.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Field, Input, Textarea } from "../../ui/primitives/field.tsx";
import { showDate } from "../../values/calendar-date.ts";
import { milesFrom, showMiles } from "../../values/miles.ts";
import type { MileageAnswer } from "./actions.server.ts";
import type { MileageData } from "./view.server.ts";

/** What the form needs; without a signal all of it is empty, and the phone fills in what it knows. */
export type MileageFormData = Pick<MileageData, "viewer" | "driverId" | "last" | "correcting"> & {
	readonly key: string;
	readonly today: string;
	readonly latest: string;
};

/** The fields as they stand: what was typed, what is corrected, or the defaults. */
function valuesOf({ correcting, last, today, key }: MileageFormData, answer: MileageAnswer | undefined) {
	const typed = answer?.form?.initialValue;
	const fallback = correcting
		? { date: correcting.drivenOn, start: String(correcting.startMiles), end: String(correcting.endMiles), notes: correcting.notes ?? "" }
		: { date: today, start: last ? String(last.endMiles) : "", end: "", notes: "" };
	const text = (name: string, other: string) => (typed ? String(typed[name] ?? "") : other);
	return {
		date: text("date", fallback.date),
		start: text("startOdometer", fallback.start),
		end: text("endOdometer", fallback.end),
		notes: text("notes", fallback.notes),
		key: answer?.needsNewKey ? key : text("key", key) || key,
		correctsId: answer?.isFresh ? "" : text("correctsId", correcting?.id ?? ""),
		confirm: answer?.confirm ?? "",
	};
}

function startHint({ last, driverId }: MileageFormData, start: string) {
	if (driverId === "") return "Read it off the dashboard.";
	if (!last) return "Your first entry: read it off the dashboard.";
	const gap = (milesFrom(start) ?? last.endMiles) - last.endMiles;
	const known = `Your last entry ended at ${showMiles(last.endMiles)} on ${showDate(last.drivenOn)}.`;
	return gap > 0 ? `${known} The ${showMiles(gap)} miles between will be noted as a gap.` : known;
}

export function MileageForm({ data, answer }: { data: MileageFormData; answer: MileageAnswer | undefined }) {
	const values = valuesOf(data, answer);
	const errors = (name: string) => answer?.form?.error?.[name];
	return (
		<form
			method="post"
			action="/mileage"
			id="log"
			data-outbox-form="mileage"
			// Else a browser fills in what somebody else typed, when Back leads here after he has signed out.
			autoComplete="off"
			className="grid gap-4"
		>
			<Problems problems={answer?.problems ?? []} />
			{answer?.questions ? (
				<Alert tone="wait" id="questions">
					{answer.questions.map((question) => (
						<p key={question}>{question}</p>
					))}
					<p className="font-normal">If it is right, press Log Mileage again: it will be logged and flagged for your administrator.</p>
				</Alert>
			) : null}
			{values.correctsId ? (
				<Alert tone="info">
					<p className="font-normal">You are correcting an entry. Saving voids the old one and logs this one instead.</p>
				</Alert>
			) : null}
			<input type="hidden" name="key" value={values.key} />
			<input type="hidden" name="asUser" value={data.viewer.id} />
			{values.correctsId ? <input type="hidden" name="correctsId" value={values.correctsId} /> : null}
			{values.confirm ? <input type="hidden" name="confirm" value={values.confirm} /> : null}
			<div className="grid gap-4 sm:grid-cols-2">
				<TextField name="date" label="Date" type="date" max={data.latest || undefined} defaultValue={values.date} errors={errors("date")} />
				{data.driverId === "" ? null : (
					<Field id="driverId" label="Driver ID">
						{(control) => <Input {...control} readOnly value={data.driverId} />}
					</Field>
				)}
				<TextField
					name="startOdometer"
					label="Starting Odometer"
					hint={startHint(data, values.start)}
					inputMode="numeric"
					placeholder="45210"
					defaultValue={values.start}
					errors={errors("startOdometer")}
				/>
				<TextField
					name="endOdometer"
					label="Ending Odometer"
					inputMode="numeric"
					placeholder="45285"
					defaultValue={values.end}
					errors={errors("endOdometer")}
				/>
			</div>
			<Island
				name="live-miles"
				component={LiveMiles}
				props={{ startId: "startOdometer", endId: "endOdometer", start: values.start, end: values.end }}
			/>
			<Field id="notes" label="Notes" errors={errors("notes")} optional>
				{(control) => <Textarea {...control} name="notes" rows={2} defaultValue={values.notes} />}
			</Field>
			<div className="thumb-bar flex flex-wrap gap-3">
				<Button pending="Logging..." width="full">
					Log Mileage
				</Button>
				{values.correctsId ? (
					<ButtonLink href="/mileage" look="plain" width="full">
						Keep the old entry
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}
