/** The form of Log Daily Mileage: plain HTML, with the live box as its only island. */
import { getFormProps, useForm } from "@conform-to/react";
import { MILEAGE_FIELDS } from "../../domain/mileage/fields.ts";
import { logMileageInput } from "../../domain/mileage/input.ts";
import { CHECK_ODOMETER } from "../../domain/mileage/rules.ts";
import { Island } from "../../islands/island.tsx";
import LiveMiles from "../../islands/live-miles.tsx";
import { moveErrorsToFields } from "../../ui/forms/at-the-fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { ANY_DAY } from "../../values/date-input.ts";
import { countMiles, formatMiles, parseMiles } from "../../values/miles.ts";
import type { MileageAnswer } from "./actions.server.ts";
import type { MileageData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = logMileageInput(ANY_DAY);

type FieldName = keyof typeof MILEAGE_FIELDS | "key" | "correctsId";

/** The form's data; offline all of it is empty, and the phone fills in what it knows. */
export type MileageFormData = Pick<
	MileageData,
	"viewer" | "driverId" | "last" | "chosen" | "correcting" | "here"
> & {
	readonly key: string;
	readonly today: string;
	readonly latest: string;
};

/** The trip that is corrected, or the defaults. */
function defaultsOf({ correcting, last, chosen, today, key }: MileageFormData) {
	if (!correcting)
		return {
			key,
			date: chosen?.date ?? today,
			startOdometer: String((chosen ? chosen.start : last?.endMiles) ?? ""),
			endOdometer: "",
			notes: "",
		};
	const { id, drivenOn, startMiles, endMiles, notes } = correcting;
	const readings = { startOdometer: String(startMiles), endOdometer: String(endMiles) };
	return { key, correctsId: id, date: drivenOn, ...readings, notes: notes ?? "" };
}

function startHint(
	{ last, chosen, today, driverId }: MileageFormData,
	date: string,
	start: string,
) {
	// What is known is about another date than a corrected or refused entry's.
	if (driverId === "" || date !== (chosen?.date ?? today)) return CHECK_ODOMETER;
	if (chosen) return chosen.words;
	if (!last) return "This is your first entry. Check your vehicle's odometer.";
	const gap = (parseMiles(start) ?? last.endMiles) - last.endMiles;
	const known = `Your last entry ended at ${formatMiles(last.endMiles)} on ${formatDate(last.drivenOn)}.`;
	return gap > 0 ? `${known} The ${countMiles(gap)} in between will be recorded as a gap.` : known;
}

const FOCUSED = { autoFocus: true } as const;

/**
 * The reading that the form focuses: the unknown one. None on the offline page, which has another
 * form as well, and none if something should be read or fixed first.
 */
function opensOn({ driverId }: MileageFormData, start: string, answer: MileageAnswer | undefined) {
	if (driverId === "" || answer) return undefined;
	return start === "" ? "start" : "end";
}

export function MileageForm({
	data,
	answer,
}: {
	data: MileageFormData;
	answer: MileageAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<FieldName, string>>({
		id: "log",
		lastResult: moveErrorsToFields(answer?.form),
		defaultValue: defaultsOf(data),
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const start = fields.startOdometer.initialValue ?? "";
	const key = answer?.needsNewKey ? data.key : fields.key.initialValue || data.key;
	const correctsId = answer?.isFresh ? "" : fields.correctsId.initialValue;
	const focused = opensOn(data, start, answer);
	return (
		<form
			{...getFormProps(form)}
			method="post"
			action="/mileage"
			data-outbox-form="mileage"
			// Otherwise, on Back, a browser fills in what someone else typed before they signed out.
			autoComplete="off"
			className="grid gap-2.5 sm:gap-4"
		>
			<Problems problems={answer?.problems ?? []} />
			{answer?.questions ? (
				<Alert variant="wait" id="questions" takesFocus>
					{answer.questions.map((question) => (
						<p key={question}>{question}</p>
					))}
					<AlertDescription>
						If it's correct, log it again. It will be flagged for your administrator.
					</AlertDescription>
				</Alert>
			) : null}
			{correctsId ? (
				<Alert variant="info">
					<AlertDescription>
						You're correcting an entry. Saving voids the old one and logs this one instead.
					</AlertDescription>
				</Alert>
			) : null}
			<input type="hidden" name="key" value={key} />
			<input type="hidden" name="asUser" value={data.viewer.id} />
			{correctsId ? <input type="hidden" name="correctsId" value={correctsId} /> : null}
			{answer?.confirm ? <input type="hidden" name="confirm" value={answer.confirm} /> : null}
			<div className="flex flex-wrap gap-3 sm:grid sm:grid-cols-2 sm:gap-4">
				<div className="grow basis-40">
					<TextField
						field={fields.date}
						label={MILEAGE_FIELDS.date.label}
						type="date"
						max={data.latest || undefined}
					/>
				</div>
				{data.driverId === "" ? null : (
					<div className="grow basis-28">
						<PlainField id="driverId" label="Driver ID">
							{(control) => <Input {...control} readOnly value={data.driverId} />}
						</PlainField>
					</div>
				)}
			</div>
			<div className="grid gap-2.5 sm:grid-cols-2 sm:gap-4">
				<TextField
					field={fields.startOdometer}
					label={MILEAGE_FIELDS.startOdometer.label}
					hint={startHint(data, fields.date.initialValue ?? "", start)}
					inputMode="numeric"
					placeholder="45210"
					{...(focused === "start" ? FOCUSED : {})}
				/>
				<TextField
					field={fields.endOdometer}
					label={MILEAGE_FIELDS.endOdometer.label}
					inputMode="numeric"
					placeholder="45285"
					{...(focused === "end" ? FOCUSED : {})}
				/>
			</div>
			<TextareaField field={fields.notes} label={MILEAGE_FIELDS.notes.label} rows={2} />
			<div className="thumb-bar grid gap-3">
				<Island
					name="live-miles"
					component={LiveMiles}
					props={{
						dateId: fields.date.name,
						startId: fields.startOdometer.name,
						endId: fields.endOdometer.name,
						start,
						end: fields.endOdometer.initialValue ?? "",
					}}
				/>
				<div className="flex flex-wrap gap-3">
					<Button pending="Logging..." size="wide">
						Log Mileage
					</Button>
					{correctsId ? (
						<ButtonLink href={`${data.here}#log-${correctsId}`} variant="outline" size="wide">
							Keep old entry
						</ButtonLink>
					) : null}
				</div>
			</div>
		</form>
	);
}
