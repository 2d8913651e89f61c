/** The form 'Submit New Fund Request': plain HTML, with the receipt picker as its one island. */
import { TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { ACCEPT } from "../../domain/receipts/rules.ts";
import { Island } from "../../islands/island.tsx";
import ReceiptPicker from "../../islands/receipt-picker.tsx";
import { AmountField, Problems, SelectField } from "../../ui/form-parts.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Field, Textarea } from "../../ui/primitives/field.tsx";
import type { RequestAnswer } from "./actions.server.ts";
import type { RequestsData } from "./view.server.ts";

/** What a receipt may be, said before one is chosen. */
export const RECEIPT_HINT = "JPEG, PNG, WebP or PDF, up to 8 MB.";

/** What the form needs; without a signal all of it is empty, and the phone fills in what it knows. */
export type RequestFormData = Pick<RequestsData, "viewer" | "correcting"> & { readonly key: string };

/** The fields as they stand: what was typed, what is corrected, or nothing yet. */
function valuesOf({ correcting, key }: RequestFormData, answer: RequestAnswer | undefined) {
	const typed = answer?.form?.initialValue;
	const text = (name: string, other = "") => (typed ? String(typed[name] ?? "") : other);
	const ofCorrected = correcting?.receipt && { name: correcting.receipt.name, url: correcting.receipt.url ?? correcting.receipt.name };
	return {
		type: text("type", correcting?.type),
		amount: text("amount", correcting?.amount),
		description: text("description", correcting?.description),
		receipt: typed ? answer?.receipt : ofCorrected,
		key: answer?.needsNewKey ? key : text("key", key) || key,
		replacesId: answer?.isFresh ? "" : text("replacesId", correcting?.id),
		confirm: answer?.confirm ?? "",
	};
}

export function RequestForm({ data, answer }: { data: RequestFormData; answer: RequestAnswer | undefined }) {
	const values = valuesOf(data, answer);
	const errors = (name: string) => answer?.form?.error?.[name];
	return (
		<form
			method="post"
			action="/requests"
			encType="multipart/form-data"
			id="new-request"
			data-outbox-form="requests"
			// Else a browser fills in what somebody else typed, when Back leads here after he has signed out.
			autoComplete="off"
			className="grid gap-4"
		>
			<Problems problems={answer?.problems ?? []} />
			{values.confirm ? (
				<Alert tone="wait" id="questions">
					<p>You have sent the same type, amount and description in the last 10 minutes.</p>
					<p className="font-normal">
						If this is another one, press Submit Request again: it will be sent and flagged for your administrator.
					</p>
				</Alert>
			) : null}
			{values.replacesId ? (
				<Alert tone="info">
					<p className="font-normal">You are correcting a pending request. Submitting withdraws the old one and sends this one instead.</p>
				</Alert>
			) : null}
			<input type="hidden" name="key" value={values.key} />
			<input type="hidden" name="asUser" value={data.viewer.id} />
			{values.replacesId ? <input type="hidden" name="replacesId" value={values.replacesId} /> : null}
			{values.confirm ? <input type="hidden" name="confirm" value={values.confirm} /> : null}
			{values.receipt ? <input type="hidden" name="receiptUrl" value={values.receipt.url} /> : null}
			<div className="grid gap-4 sm:grid-cols-2">
				<SelectField
					name="type"
					label="Request Type"
					options={[["", "Choose a type"], ...Object.entries(TYPE_LABELS)]}
					chosen={values.type}
					errors={errors("type")}
					isRequired
				/>
				<AmountField defaultValue={values.amount} errors={errors("amount")} />
			</div>
			<Field id="description" label="Description" errors={errors("description")}>
				{(control) => <Textarea {...control} name="description" defaultValue={values.description} aria-required="true" />}
			</Field>
			<Field id="receipt" label="Receipt" hint={RECEIPT_HINT} errors={answer?.fileProblems} optional>
				{(control) => (
					<Island
						name="receipt-picker"
						component={ReceiptPicker}
						props={{
							id: control.id,
							accept: ACCEPT,
							describedBy: control["aria-describedby"] ?? "",
							isFaulty: control["aria-invalid"] ?? false,
							kept: values.receipt?.name ?? "",
						}}
					/>
				)}
			</Field>
			<div className="thumb-bar flex flex-wrap gap-3">
				<Button pending="Submitting..." width="full">
					Submit Request
				</Button>
				{values.replacesId ? (
					<ButtonLink href="/requests" look="plain" width="full">
						Keep the old request
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}
