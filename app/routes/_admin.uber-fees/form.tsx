/** The form 'Add Uber Fee': plain HTML. */

import { getFormProps, useForm } from "@conform-to/react";
import { FEE_FIELDS } from "../../domain/uber-fees/fields.ts";
import { addFeeInput } from "../../domain/uber-fees/input.ts";
import { categoryText, FEE_CATEGORIES, FIND_DRIVER } from "../../domain/uber-fees/rules.ts";
import { listUrl } from "../../domain/uber-fees/search.ts";
import { moveErrorsToFields } from "../../ui/forms/at-the-fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { AmountField, SelectField, TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import type { FeeAnswer } from "./actions.server.ts";
import type { FeesData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = addFeeInput(ANY_DAY);

type FieldName = keyof typeof FEE_FIELDS | "key" | "replacesId";

const CATEGORIES = FEE_CATEGORIES.map((category) => [category, categoryText(category)] as const);

/** The fee that is replaced, or the defaults. */
function defaultsOf({ replacing, today, key }: FeesData) {
	if (!replacing) return { key, date: today };
	const { id, category, amount, date, referenceNumber, description } = replacing;
	return { key, replacesId: id, category, amount, date, referenceNumber, description };
}

export function FeeForm({ data, answer }: { data: FeesData; answer: FeeAnswer | undefined }) {
	const faults = { ...answer?.form?.error, ...answer?.faults };
	const [form, fields] = useForm<Record<FieldName, string>>({
		id: "add",
		lastResult: moveErrorsToFields({ ...answer?.form, error: faults }),
		defaultValue: defaultsOf(data),
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const key = answer?.needsNewKey ? data.key : fields.key.initialValue || data.key;
	const replacesId = answer?.isFresh ? "" : fields.replacesId.initialValue;
	return (
		// No fragment: a response focuses its first invalid field, which a URL with a fragment would
		// prevent.
		<form
			{...getFormProps(form)}
			method="post"
			action={listUrl(data.place, replacesId ? { replace: replacesId } : {})}
			className="grid gap-4"
		>
			<Problems problems={answer?.problems ?? []} takesFocus={form.valid} />
			{replacesId ? (
				<Alert variant="info">
					<AlertDescription>
						You're re-adding a fee. Saving adds this one and deletes the old one.
					</AlertDescription>
				</Alert>
			) : null}
			{/* Enter presses a form's first button: it adds the fee, and doesn't look for drivers again. */}
			{data.driver.isSearch ? (
				<button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
					Add
				</button>
			) : null}
			<input type="hidden" name="key" value={key} />
			{replacesId ? <input type="hidden" name="replacesId" value={replacesId} /> : null}
			<div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
				<PersonChoice
					name={fields.driverId.name}
					label={FEE_FIELDS.driverId.label}
					choice={data.driver}
					nobody={{
						value: "",
						label: data.driver.isSearch ? "No driver selected" : "Select a driver",
					}}
					find={{ intent: FIND_DRIVER }}
					errors={fields.driverId.errors}
					isRequired={fields.driverId.required}
				/>
				<SelectField
					field={fields.category}
					label={FEE_FIELDS.category.label}
					className="has-[option:checked:not([value=''])]:capitalize"
					optionClassName="capitalize"
					options={[["", "Select a category"], ...CATEGORIES]}
				/>
				<AmountField field={fields.amount} label={FEE_FIELDS.amount.label} />
				<TextField field={fields.date} label={FEE_FIELDS.date.label} type="date" max={data.today} />
				<TextField
					field={fields.referenceNumber}
					label={FEE_FIELDS.referenceNumber.label}
					placeholder="UB-2024-001"
				/>
				<TextareaField field={fields.description} label={FEE_FIELDS.description.label} rows={1} />
			</div>
			<div className="flex flex-wrap gap-3">
				<Button pending="Adding..." size="wide">
					Add Uber Fee
				</Button>
				{replacesId ? (
					<ButtonLink
						href={`${listUrl(data.place)}#fee-${replacesId}`}
						variant="outline"
						size="wide"
					>
						Keep old fee
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}
