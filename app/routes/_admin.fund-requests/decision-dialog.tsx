/** The dialogs for approving a request, in full or for less, and for rejecting it. */
import { useForm } from "@conform-to/react";
import { clsx } from "clsx";
import { DECISION_FIELDS } from "../../domain/fund-requests/fields.ts";
import { decisionForm } from "../../domain/fund-requests/input.ts";
import { REJECTION_REASONS } from "../../domain/fund-requests/rules.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
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

/** About as many characters as a phone shows between the title and the first field. */
const LONG_DESCRIPTION = 160;

/**
 * Ready-made reasons, of which at most one comes before the note.
 * @param isDialog whether they have a dialog's width
 * @param takesFocus whether the focus is on the choice
 */
export function Reasons({
	chosen = "",
	isDialog = false,
	takesFocus = false,
}: {
	chosen: string | undefined;
	isDialog?: boolean;
	takesFocus?: boolean;
}) {
	return (
		<fieldset className={clsx("grid gap-x-4", isDialog && "sm:grid-cols-2")}>
			<legend className="font-semibold">{DECISION_FIELDS.reason.label}</legend>
			{[...REJECTION_REASONS, ""].map((reason) => (
				<label key={reason} className="flex min-h-11 items-center gap-3">
					<input
						type="radio"
						name="reason"
						value={reason}
						defaultChecked={reason === chosen}
						className="size-5 shrink-0"
						{...(takesFocus && reason === chosen ? { autoFocus: true } : {})}
					/>
					{reason || "Other, or none"}
				</label>
			))}
		</fieldset>
	);
}

export function DecisionDialog({ kind, request, query, answer }: Props) {
	const isApproval = kind === "approve";
	const [title, button, status] = isApproval
		? ["Approve Request", "Approve", "approved"]
		: ["Reject Request", "Reject", "rejected"];
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "decision",
		lastResult: answer?.form ?? null,
		defaultValue: { approvedAmount: request.askedAmount },
		constraint: constraintOf(decisionForm),
		defaultNoValidate: false,
	});
	// Focusing the first field below a text this long would scroll the request out of sight.
	const startsAtTitle = !answer && request.description.length > LONG_DESCRIPTION;
	return (
		<UrlDialog
			id="process"
			title={title}
			back={`/fund-requests${query}#request-${request.id}`}
			startsAtTitle={startsAtTitle}
		>
			<DialogForm
				dialog="process"
				action={dialogUrl(query, kind, request.id)}
				hidden={{ intent: "process", id: request.id, status }}
				submit={{
					label: button,
					pending: "Processing...",
					variant: isApproval ? "default" : "destructive",
				}}
				aside={
					<ButtonLink
						variant="ghost"
						href={dialogUrl(query, "ask", request.id)}
						className="-ms-4 sm:me-auto"
					>
						Ask a question
					</ButtonLink>
				}
			>
				{/* In the form, so that its buttons stay visible beside all of it. */}
				<Facts request={request} />
				<MessageThread thread={request.thread} label={`Messages about ${request.number}`} />
				{isApproval ? (
					<TextField
						field={fields.approvedAmount}
						label={DECISION_FIELDS.approvedAmount.label}
						hint={`${request.amount} requested. To approve less, give the reason below.`}
						saysOptional={false}
						inputMode="decimal"
						data-asked={request.askedAmount}
					/>
				) : (
					<Reasons
						chosen={fields.reason.initialValue}
						isDialog
						takesFocus={!answer && !startsAtTitle}
					/>
				)}
				<TextareaField
					field={fields.adminNotes}
					label={DECISION_FIELDS.adminNotes.label}
					hint="The driver will see this note."
					saysOptional={false}
				/>
			</DialogForm>
		</UrlDialog>
	);
}
