/**
 * The form 'Submit New Fund Request'. On a small phone all of it fits one screen: the receipt comes
 * right after the amount, or it would be forgotten.
 */
import { type FieldMetadata, getFormProps, useForm } from "@conform-to/react";
import { CHOOSE_TYPE, REQUEST_FIELDS } from "../../domain/fund-requests/fields.ts";
import { submitRequestInput } from "../../domain/fund-requests/input.ts";
import { TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { CommonRequests } from "../../ui/common-requests.tsx";
import { moveErrorsToFields } from "../../ui/forms/at-the-fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { AmountField, SelectField, TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { ReceiptPicker, receiptHint } from "../../ui/receipt-picker.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import type { RequestAnswer } from "./request-answer.ts";
import type { RequestsData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = submitRequestInput(ANY_DAY);

type FieldName = keyof typeof REQUEST_FIELDS | "key" | "replacesId";

/** The form's data; offline all of it is empty, and the phone fills in what it knows. */
export type RequestFormData = Pick<RequestsData, "viewer" | "correcting" | "prefill"> & {
	readonly key: string;
	/** Absent offline: a phone knows only the day it kept the page. */
	readonly today?: string;
	readonly receiptMegabytes?: number;
};

/** The request that is corrected, or what a chip has filled in. */
function defaultsOf({ correcting, prefill, key }: RequestFormData) {
	if (!correcting) return { key, ...prefill };
	const { id, type, amount, description, spentOn } = correcting;
	return { key, replacesId: id, type, amount, description, spentOn: spentOn ?? "" };
}

/** The receipt to use unless another file is chosen. */
function receiptOf({ correcting }: RequestFormData, answer: RequestAnswer | undefined) {
	if (answer?.form) return answer.receipt;
	const receipt = correcting?.receipt;
	return receipt && { name: receipt.name, url: receipt.url ?? receipt.name };
}

/** When the money was spent; open if it is filled in or has to be corrected. */
function SpentOn({
	field,
	today,
}: { field: FieldMetadata<string> } & Pick<RequestFormData, "today">) {
	return (
		<details open={Boolean(field.initialValue) || field.errors !== undefined}>
			<summary className="min-h-11 content-center">Spent on another day</summary>
			<TextField field={field} label={REQUEST_FIELDS.spentOn.label} type="date" max={today} />
		</details>
	);
}

export function RequestForm({
	data,
	answer,
}: {
	data: RequestFormData;
	answer: RequestAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<FieldName, string>>({
		id: "new-request",
		lastResult: moveErrorsToFields(answer?.form),
		defaultValue: defaultsOf(data),
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const receipt = receiptOf(data, answer);
	const key = answer?.needsNewKey ? data.key : fields.key.initialValue || data.key;
	const replacesId = answer?.isFresh ? "" : fields.replacesId.initialValue;
	const openedFor = replacesId ? undefined : data.prefill?.description;
	return (
		<form
			{...getFormProps(form)}
			method="post"
			action={openedFor ? `/requests?for=${encodeURIComponent(openedFor)}` : "/requests"}
			encType="multipart/form-data"
			data-outbox-form="requests"
			// Otherwise, on Back, a browser fills in what someone else typed before they signed out.
			autoComplete="off"
			className="grid gap-2 sm:gap-4"
		>
			<Problems problems={answer?.problems ?? []} />
			{answer?.confirm ? (
				<Alert variant="wait" id="questions" takesFocus>
					<p>{answer.question}</p>
					<AlertDescription>
						If this is a new one, submit it again. It will be flagged for your administrator.
					</AlertDescription>
				</Alert>
			) : null}
			{replacesId ? (
				<Alert variant="info">
					<AlertDescription>
						You're correcting a pending request. Submitting withdraws the old one and sends this one
						instead.
					</AlertDescription>
				</Alert>
			) : null}
			<input type="hidden" name="key" value={key} />
			<input type="hidden" name="asUser" value={data.viewer.id} />
			{replacesId ? <input type="hidden" name="replacesId" value={replacesId} /> : null}
			{/* What a link asked for has its own draft. */}
			{openedFor ? <input type="hidden" name="openedFor" value={openedFor} /> : null}
			{answer?.confirm ? <input type="hidden" name="confirm" value={answer.confirm} /> : null}
			{receipt ? <input type="hidden" name="receiptUrl" value={receipt.url} /> : null}
			<CommonRequests />
			<div className="grid gap-2 sm:gap-4">
				<AmountField
					field={fields.amount}
					label={REQUEST_FIELDS.amount.label}
					className="label-beside"
					// A chip has filled in the rest.
					isFirst={data.prefill !== undefined && !answer}
				/>
				<TextareaField
					field={fields.description}
					label={REQUEST_FIELDS.description.label}
					className="label-beside"
					rows={1}
				/>
				<SelectField
					field={fields.type}
					label={REQUEST_FIELDS.type.label}
					className="label-beside"
					options={[["", CHOOSE_TYPE], ...Object.entries(TYPE_LABELS)]}
				/>
				<SpentOn field={fields.spentOn} today={data.today} />
				{/* After every text, which a file that is too long would cut off. */}
				<PlainField
					id="receipt"
					label="Receipt"
					hint={<span className="max-sm:sr-only">{receiptHint(data.receiptMegabytes)}</span>}
					errors={answer?.fileProblems}
					isOptional
				>
					{(control) => (
						<ReceiptPicker
							control={control}
							megabytes={data.receiptMegabytes}
							kept={receipt?.name ?? ""}
						/>
					)}
				</PlainField>
			</div>
			<div className="flex flex-wrap items-center gap-x-4 gap-y-2">
				<Button pending="Submitting..." size="wide">
					Submit Request
				</Button>
				{replacesId ? (
					<ButtonLink href="/requests" variant="outline" size="wide">
						Keep old request
					</ButtonLink>
				) : (
					<p className="text-sm text-quiet">No receipt yet? You can add it later.</p>
				)}
			</div>
		</form>
	);
}
