/** The form 'Add Uber Fee': plain HTML. */
import { categoryWords, FEE_CATEGORIES, FIND_DRIVER } from "../../domain/uber-fees/rules.ts";
import { listAddress } from "../../domain/uber-fees/search.ts";
import { AmountField, Problems, TextField } from "../../ui/form-parts.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Field, Select, Textarea } from "../../ui/primitives/field.tsx";
import type { FeeAnswer } from "./actions.server.ts";
import type { FeesData } from "./view.server.ts";

/** The fields as they stand: what was typed, what is replaced, or the defaults. */
function valuesOf({ replacing, today, key }: FeesData, answer: FeeAnswer | undefined) {
	const typed = answer?.form?.initialValue;
	const text = (name: string, other = "") => (typed ? String(typed[name] ?? "") : other);
	return {
		category: text("category", replacing?.category),
		amount: text("amount", replacing?.amount),
		date: text("date", replacing?.date ?? today),
		referenceNumber: text("referenceNumber", replacing?.referenceNumber),
		description: text("description", replacing?.description),
		key: answer?.needsNewKey ? key : text("key", key) || key,
		replacesId: answer?.isFresh ? "" : text("replacesId", replacing?.id),
	};
}

export function FeeForm({ data, answer }: { data: FeesData; answer: FeeAnswer | undefined }) {
	const values = valuesOf(data, answer);
	const errors = (name: string) => answer?.faults?.[name] ?? answer?.form?.error?.[name];
	return (
		// No place in the page: an answer opens at its first faulty field, which an address with a place would prevent.
		<form
			method="post"
			action={listAddress(undefined, values.replacesId ? { replace: values.replacesId } : {})}
			id="add"
			className="grid gap-4"
		>
			<Problems problems={answer?.problems ?? []} takesFocus={Object.keys({ ...answer?.faults, ...answer?.form?.error }).length === 0} />
			{values.replacesId ? (
				<Alert tone="info">
					<p className="font-normal">You are adding a fee again. Saving adds this one and deletes the old one, in one step.</p>
				</Alert>
			) : null}
			{/* The Enter key presses a form's first button: it adds the fee, and does not look for drivers again. */}
			{data.driver.isSearch ? (
				<button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
					Add
				</button>
			) : null}
			<input type="hidden" name="key" value={values.key} />
			{values.replacesId ? <input type="hidden" name="replacesId" value={values.replacesId} /> : null}
			<div className="grid gap-4 sm:grid-cols-2">
				<PersonChoice
					name="driverId"
					label="Driver"
					choice={data.driver}
					nobody={{ value: "", label: data.driver.isSearch ? "Nobody chosen" : "Select a driver" }}
					find={{ intent: FIND_DRIVER }}
					errors={errors("driverId")}
					isRequired
				/>
				<Field id="category" label="Fee Category" errors={errors("category")}>
					{(control) => (
						<Select
							className="has-[option:checked:not([value=''])]:capitalize"
							{...control}
							name="category"
							defaultValue={values.category}
							aria-required="true"
						>
							<option value="">Select a category</option>
							{FEE_CATEGORIES.map((category) => (
								<option key={category} value={category} className="capitalize">
									{categoryWords(category)}
								</option>
							))}
						</Select>
					)}
				</Field>
				<AmountField defaultValue={values.amount} errors={errors("amount")} />
				<TextField name="date" label="Date" type="date" max={data.today} defaultValue={values.date} errors={errors("date")} />
				<TextField
					name="referenceNumber"
					label="Reference Number"
					optional
					placeholder="UB-2024-001"
					defaultValue={values.referenceNumber}
					errors={errors("referenceNumber")}
				/>
				<Field id="description" label="Description" errors={errors("description")} optional>
					{(control) => <Textarea {...control} name="description" rows={1} defaultValue={values.description} />}
				</Field>
			</div>
			<div className="flex flex-wrap gap-3">
				<Button pending="Adding..." width="full">
					Add Uber Fee
				</Button>
				{values.replacesId ? (
					<ButtonLink href="/uber-fees" look="plain" width="full">
						Keep the old fee
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}
