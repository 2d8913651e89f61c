/** Answers a question about a request: with text, the receipt, or both. */

import type { RequestView } from "../../domain/fund-requests/driver-view.ts";
import { ANSWER_FIELDS } from "../../domain/fund-requests/fields.ts";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Textarea } from "../../ui/primitives/textarea.tsx";
import { ReceiptPicker, receiptHint } from "../../ui/receipt-picker.tsx";
import { listUrl } from "./address.ts";
import type { RequestAnswer } from "./request-answer.ts";
import type { RequestsData } from "./view.server.ts";

type Props = {
	readonly request: RequestView;
	readonly viewerId: string;
	readonly here: RequestsData["here"];
	readonly receiptMegabytes: number;
	readonly failed: RequestAnswer["answer"];
};

/** @param failed what was sent before, and why it was refused */
export function AnswerForm({ request, viewerId, here, receiptMegabytes, failed }: Props) {
	const { id, number, answerKey } = request;
	if (answerKey === undefined) return null;
	const mine = failed?.id === id ? failed : undefined;
	const isWanted = request.question?.label === "Question";
	const words = (
		<PlainField
			key="words"
			id={`answer-${id}`}
			label={ANSWER_FIELDS.text.label}
			errors={mine?.problems.text}
		>
			{(control) => <Textarea {...control} name="text" defaultValue={mine?.text} />}
		</PlainField>
	);
	const receipt = request.takesReceipt ? (
		<PlainField
			key="receipt"
			id={`answer-receipt-${id}`}
			label={`Receipt for ${number}`}
			hint={receiptHint(receiptMegabytes)}
			errors={mine?.problems.receipt}
			isOptional
		>
			{(control) => <ReceiptPicker control={control} megabytes={receiptMegabytes} />}
		</PlainField>
	) : (
		<p key="receipt" className="text-sm text-quiet">
			To send another receipt, choose Correct below.
		</p>
	);
	return (
		<details className="w-full" {...(isWanted || mine ? { open: true } : {})}>
			<summary className="min-h-11 content-center font-semibold text-accent">
				{isWanted ? "Answer" : "Add to your answer"}
				<span className="sr-only">{` about ${number}`}</span>
			</summary>
			<form
				method="post"
				action={listUrl(here, "")}
				encType="multipart/form-data"
				data-outbox-form="answers"
				autoComplete="off"
				className="grid max-w-md gap-3 pb-2"
			>
				<input type="hidden" name="intent" value="answer" />
				<input type="hidden" name="requestId" value={id} />
				<input type="hidden" name="number" value={number} />
				<input type="hidden" name="key" value={answerKey} />
				<input type="hidden" name="asUser" value={viewerId} />
				{request.asksForReceipt ? [receipt, words] : [words, receipt]}
				<Button variant="outline" size="wide" pending="Sending..." className="justify-self-start">
					Send answer
				</Button>
			</form>
		</details>
	);
}
