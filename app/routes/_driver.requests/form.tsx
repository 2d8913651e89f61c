/** The form 'Submit New Fund Request': plain HTML, with the receipt picker as its only island. */
import { getFormProps, useForm } from "@conform-to/react";
import { REQUEST_FIELDS } from "../../domain/fund-requests/fields.ts";
import { submitRequestInput } from "../../domain/fund-requests/input.ts";
import { COMMON_REQUESTS, TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { ACCEPT } from "../../domain/receipts/rules.ts";
import CommonRequests from "../../islands/common-requests.tsx";
import { Island } from "../../islands/island.tsx";
import ReceiptPicker from "../../islands/receipt-picker.tsx";
import { moveErrorsToFields } from "../../ui/forms/at-the-fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { AmountField, SelectField, TextareaField } from "../../ui/forms/fields.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import type { RequestAnswer } from "./request-answer.ts";
import type { RequestsData } from "./view.server.ts";

/** What is accepted as a receipt; with the size limit, if it is known. */
export const receiptHint = (megabytes: number | undefined) =>
	`JPEG, PNG, WebP or PDF${megabytes === undefined ? "" : `, up to ${megabytes} MB`}.`;

type FieldName = keyof typeof REQUEST_FIELDS | "key" | "replacesId";

/** The form's data; offline all of it is empty, and the phone fills in what it knows. */
export type RequestFormData = Pick<RequestsData, "viewer" | "correcting" | "prefill"> & {
	readonly key: string;
	readonly receiptMegabytes?: number;
};

/** The request that is corrected, or what a chip has filled in. */
function defaultsOf({ correcting, prefill, key }: RequestFormData) {
	if (!correcting) return { key, ...prefill };
	const { id, type, amount, description } = correcting;
	return { key, replacesId: id, type, amount, description };
}

/** The receipt to use unless another file is chosen. */
function receiptOf({ correcting }: RequestFormData, answer: RequestAnswer | undefined) {
	if (answer?.form) return answer.receipt;
	const receipt = correcting?.receipt;
	return receipt && { name: receipt.name, url: receipt.url ?? receipt.name };
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
		constraint: constraintOf(submitRequestInput),
		defaultNoValidate: false,
	});
	const receipt = receiptOf(data, answer);
	const key = answer?.needsNewKey ? data.key : fields.key.initialValue || data.key;
	const replacesId = answer?.isFresh ? "" : fields.replacesId.initialValue;
	return (
		<form
			{...getFormProps(form)}
			method="post"
			action="/requests"
			encType="multipart/form-data"
			data-outbox-form="requests"
			// Otherwise, on Back, a browser fills in what someone else typed before they signed out.
			autoComplete="off"
			className="grid gap-4"
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
			{answer?.confirm ? <input type="hidden" name="confirm" value={answer.confirm} /> : null}
			{receipt ? <input type="hidden" name="receiptUrl" value={receipt.url} /> : null}
			<Island
				name="common-requests"
				component={CommonRequests}
				props={{
					typeId: fields.type.name,
					descriptionId: fields.description.name,
					amountId: fields.amount.name,
					requests: COMMON_REQUESTS,
				}}
			/>
			<div className="grid gap-4 sm:grid-cols-2">
				<SelectField
					field={fields.type}
					label={REQUEST_FIELDS.type.label}
					options={[["", "Choose a type"], ...Object.entries(TYPE_LABELS)]}
				/>
				<AmountField
					field={fields.amount}
					label={REQUEST_FIELDS.amount.label}
					// A chip has filled in the rest.
					isFirst={data.prefill !== undefined && !answer}
				/>
			</div>
			<TextareaField
				field={fields.description}
				label={REQUEST_FIELDS.description.label}
				hint="What it was for. Your administrator sees this."
				rows={2}
			/>
			<PlainField
				id="receipt"
				label="Receipt"
				hint={receiptHint(data.receiptMegabytes)}
				errors={answer?.fileProblems}
				isOptional
			>
				{(control) => (
					<Island
						name="receipt-picker"
						component={ReceiptPicker}
						props={{
							id: control.id,
							accept: ACCEPT,
							describedBy: control["aria-describedby"] ?? "",
							isFaulty: control["aria-invalid"] ?? false,
							...(data.receiptMegabytes ? { megabytes: data.receiptMegabytes } : {}),
							kept: receipt?.name ?? "",
						}}
					/>
				)}
			</PlainField>
			<div className="thumb-bar flex flex-wrap gap-3">
				<Button pending="Submitting..." size="wide">
					Submit Request
				</Button>
				{replacesId ? (
					<ButtonLink href="/requests" variant="outline" size="wide">
						Keep old request
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}
