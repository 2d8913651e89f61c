/** The questions before a payout is cancelled, or reopened. */
import { useForm } from "@conform-to/react";
import { REOPEN_FIELDS } from "../../domain/payouts/fields.ts";
import { reopenPayoutInput } from "../../domain/payouts/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { PayoutAnswer } from "./actions.server.ts";
import { BillsToVoid } from "./bills-to-void.tsx";
import type { PayoutData } from "./view.server.ts";

type Props = { data: PayoutData; answer: PayoutAnswer | undefined };

function CancelDialog({
	data: { id, number, total, parts, requests, settlements, ownBills },
}: Props) {
	return (
		<UrlDialog id="cancelling" title={`Cancel ${number}?`} back={`/payouts/${id}#cancel`}>
			<p>
				{`Its ${requests === 1 && settlements === 0 ? "request" : settlements === 1 && requests === 0 ? "settlement" : parts} of ${total} will be unpaid again and can go into another payout. A canceled payout stays in the list.`}
			</p>
			{ownBills ? <BillsToVoid {...ownBills} /> : null}
			<DialogForm
				dialog="cancelling"
				action={`/payouts/${id}`}
				hidden={{ intent: "cancel" }}
				submit={{ label: "Cancel payout", pending: "Canceling...", variant: "destructive" }}
				cancel="Keep it"
			/>
		</UrlDialog>
	);
}

function ReopenDialog({ data: { id, number, ...data }, answer }: Props) {
	// Its email may have gone out within the ten minutes: then a reason was asked for.
	const isUndoable = data.isUndoable && !answer?.form?.error?.reason;
	const [, fields] = useForm<Record<keyof typeof REOPEN_FIELDS, string>>({
		id: "reopening-form",
		lastResult: answer?.form ?? null,
		constraint: constraintOf(reopenPayoutInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog id="reopening" title={`Reopen ${number}?`} back={`/payouts/${id}#reopen`}>
			<p>
				{isUndoable
					? "You marked it as paid less than 10 minutes ago, so no one has been told yet and no one will be."
					: "Its drivers will be emailed the reason."}
			</p>
			<DialogForm
				dialog="reopening"
				action={`/payouts/${id}?dialog=reopen`}
				hidden={{
					...{ intent: "reopen", seen: data.paidAt },
					...(isUndoable ? { isSilent: "on" } : {}),
				}}
				submit={{ label: "Reopen payout", pending: "Reopening..." }}
				cancel="Keep it paid"
			>
				<TextareaField
					field={fields.reason}
					label={REOPEN_FIELDS.reason.label}
					saysOptional={isUndoable}
				/>
			</DialogForm>
		</UrlDialog>
	);
}

export function Dialog(props: Props) {
	return props.data.dialog === "cancel" ? <CancelDialog {...props} /> : <ReopenDialog {...props} />;
}
