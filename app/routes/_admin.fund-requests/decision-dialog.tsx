/** The dialogs in which a request is approved, in full or for less, or rejected. */
import { useForm } from "@conform-to/react";
import { DECISION_FIELDS } from "../../domain/fund-requests/fields.ts";
import { processRequestInput } from "../../domain/fund-requests/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { dialogUrl } from "./dialog-url.ts";
import { Facts } from "./facts.tsx";
import type { RequestView } from "./row.server.ts";

type Props = {
	readonly kind: "approve" | "reject";
	readonly request: RequestView;
	readonly query: string;
	readonly answer: FundRequestsAnswer | undefined;
};

export function DecisionDialog({ kind, request, query, answer }: Props) {
	const isApproval = kind === "approve";
	const [title, button, status] = isApproval
		? ["Approve Request", "Approve", "approved"]
		: ["Reject Request", "Reject", "rejected"];
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "decision",
		lastResult: answer?.form ?? null,
		defaultValue: { approvedAmount: request.askedAmount },
		constraint: constraintOf(processRequestInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog id="process" title={title} back={`/fund-requests${query}#request-${request.id}`}>
			<Facts request={request} />
			<form method="post" action={dialogUrl(query, kind, request.id)} className="grid gap-4">
				<input type="hidden" name="intent" value="process" />
				<input type="hidden" name="id" value={request.id} />
				<input type="hidden" name="status" value={status} />
				{isApproval ? (
					<TextField
						field={fields.approvedAmount}
						label={DECISION_FIELDS.approvedAmount.label}
						hint={`${request.amount} was asked for. To approve less, say why below.`}
						saysOptional={false}
						inputMode="decimal"
					/>
				) : null}
				<TextareaField
					field={fields.adminNotes}
					label={DECISION_FIELDS.adminNotes.label}
					hint="The driver will see this note."
					saysOptional={false}
				/>
				<DialogButtons>
					<CloseButton dialog="process">Cancel</CloseButton>
					<Button variant={isApproval ? "default" : "destructive"} pending="Processing...">
						{button}
					</Button>
				</DialogButtons>
			</form>
		</UrlDialog>
	);
}
