/** The form of Log Daily Mileage: plain HTML, whose miles and start a script keeps up to date. */
import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { clsx } from "clsx";
import { typedFields } from "../../domain/kernel/record.ts";
import { MILEAGE_FIELDS } from "../../domain/mileage/fields.ts";
import { logMileageInput } from "../../domain/mileage/input.ts";
import { TRIP } from "../../domain/mileage/record.ts";
import { CHECK_ODOMETER } from "../../domain/mileage/rules.ts";
import { CalculatedMiles } from "../../ui/calculated-miles.tsx";
import { moveErrorsToFields } from "../../ui/forms/at-the-fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { Purposes } from "../../ui/purposes.tsx";
import { formatRecentDay } from "../../values/calendar-date.ts";
import { ANY_DAY } from "../../values/date-input.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { countMiles, formatMiles, parseMiles } from "../../values/miles.ts";
import type { MileageAnswer } from "./actions.server.ts";
import type { MileageData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = logMileageInput(ANY_DAY);

type FieldName = keyof typeof MILEAGE_FIELDS | "key" | "correctsId";

/** The form's data; offline all of it is empty, and the phone fills in what it knows. */
export type MileageFormData = Pick<
	MileageData,
	"viewer" | "driverId" | "last" | "purposes" | "chosen" | "correcting" | "here"
> & {
	readonly key: string;
	readonly today: string;
	readonly latest: string;
};

/** What a new entry starts with: the date, and the reading offered for it. */
const offerOf = ({ last, chosen, today }: MileageFormData) => ({
	date: chosen?.date ?? today,
	startOdometer: String((chosen ? chosen.start : last?.endMiles) ?? ""),
});

/** The trip that is corrected, or the defaults. */
function defaultsOf(data: MileageFormData) {
	const { correcting, key } = data;
	if (correcting) return { key, correctsId: correcting.id, ...typedFields(TRIP, correcting) };
	return { key, ...offerOf(data), endOdometer: "", notes: "" };
}

function startHint(
	{ last, chosen, today, driverId }: MileageFormData,
	date: string,
	start: string,
	isCorrection: boolean,
) {
	// What is known isn't about a refused entry's date, and may be the corrected entry itself.
	if (driverId === "" || isCorrection || date !== (chosen?.date ?? today)) return CHECK_ODOMETER;
	if (chosen) return chosen.words;
	if (!last) return "This is your first entry. Check your vehicle's odometer.";
	const gap = (parseMiles(start) ?? last.endMiles) - last.endMiles;
	const known = `Your last entry ended at ${formatMiles(last.endMiles)} on ${formatRecentDay(last.drivenOn, today)}.`;
	return gap > 0 ? `${known} The ${countMiles(gap)} in between will be recorded as a gap.` : known;
}

/** What the placeholders show: the end is above the start, whatever that is. */
const [SAMPLE_START, SAMPLE_MILES] = [45_210, 75];

const FOCUSED = { autoFocus: true } as const;

/**
 * The reading that the form focuses: the unknown one. None on the offline page, which also has
 * another form, and none if something should be read or fixed first.
 */
function opensOn({ driverId }: MileageFormData, start: string, answer: MileageAnswer | undefined) {
	if (driverId === "" || answer) return undefined;
	return start === "" ? "start" : "end";
}

/** A trip's optional fields; open if anything in them is filled in or has to be corrected. */
function More({
	purpose,
	personalMiles,
	purposes,
}: Readonly<Record<"purpose" | "personalMiles", FieldMetadata<string>>> &
	Pick<MileageFormData, "purposes">) {
	const isOpen = [purpose, personalMiles].some(
		({ initialValue, errors }) => Boolean(initialValue) || errors !== undefined,
	);
	return (
		<details open={isOpen}>
			<summary className="min-h-11 content-center">{inUnits("Purpose and personal miles")}</summary>
			<div className="grid gap-2.5 pb-1 sm:grid-cols-2 sm:gap-4">
				<div>
					<TextField
						field={purpose}
						label={MILEAGE_FIELDS.purpose.label}
						{...(purposes.length > 0 ? { list: `${purpose.name}-list` } : {})}
					/>
					{purposes.length > 0 ? <Purposes fieldId={purpose.name} purposes={purposes} /> : null}
				</div>
				<TextField
					field={personalMiles}
					label={MILEAGE_FIELDS.personalMiles.label}
					hint={inUnits("Miles of this trip that weren't business.")}
					inputMode="numeric"
				/>
			</div>
		</details>
	);
}

/** @param isOnlyForm whether its button stays visible on a phone, as the page's purpose */
export function MileageForm({
	data,
	answer,
	isOnlyForm = true,
}: {
	data: MileageFormData;
	answer: MileageAnswer | undefined;
	isOnlyForm?: boolean;
}) {
	const [form, fields] = useForm<Record<FieldName, string>>({
		id: "log",
		lastResult: moveErrorsToFields(answer?.form),
		defaultValue: defaultsOf(data),
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const start = fields.startOdometer.initialValue ?? "";
	const date = fields.date.initialValue ?? "";
	const offer = offerOf(data);
	const isOffered = date === offer.date && start === offer.startOdometer;
	const key = answer?.needsNewKey ? data.key : fields.key.initialValue || data.key;
	const correctsId = answer?.isFresh ? "" : fields.correctsId.initialValue;
	const openedFor = correctsId ? undefined : data.chosen?.date;
	const focused = opensOn(data, start, answer);
	return (
		<form
			{...getFormProps(form)}
			method="post"
			action={openedFor ? `/mileage?date=${openedFor}` : "/mileage"}
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
			{/* Another day's form has its own draft. */}
			{openedFor ? <input type="hidden" name="openedFor" value={openedFor} /> : null}
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
					hint={startHint(data, date, start, Boolean(correctsId))}
					inputMode="numeric"
					placeholder={String(SAMPLE_START)}
					{...(focused === "start" ? FOCUSED : {})}
				/>
				<TextField
					field={fields.endOdometer}
					label={MILEAGE_FIELDS.endOdometer.label}
					inputMode="numeric"
					placeholder={String((parseMiles(start) ?? SAMPLE_START) + SAMPLE_MILES)}
					{...(focused === "end" ? FOCUSED : {})}
				/>
			</div>
			<TextareaField field={fields.notes} label={MILEAGE_FIELDS.notes.label} rows={2} />
			<More
				purpose={fields.purpose}
				personalMiles={fields.personalMiles}
				purposes={data.purposes}
			/>
			<div className={clsx("grid gap-3", isOnlyForm && "thumb-bar")}>
				<CalculatedMiles
					dateId={fields.date.name}
					startId={fields.startOdometer.name}
					endId={fields.endOdometer.name}
					start={start}
					end={fields.endOdometer.initialValue ?? ""}
					keepsStart={start !== "" && (Boolean(correctsId) || !isOffered)}
				/>
				<div className="flex flex-wrap gap-3">
					<Button pending={correctsId ? "Saving..." : "Logging..."} size="wide">
						{correctsId ? "Save correction" : "Log Mileage"}
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
