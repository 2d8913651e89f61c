/** Asks before a decided request is reopened, and for a note to its driver. */
import { useForm } from "@conform-to/react";
import { DECISION_FIELDS } from "../../domain/fund-requests/fields.ts";
import { reopenRequestInput } from "../../domain/fund-requests/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { dialogUrl } from "./dialog-url.ts";
import type { RequestView } from "./row.server.ts";

type Props = {
	readonly request: RequestView;
	readonly query: string;
	readonly answer: FundRequestsAnswer | undefined;
};

export function ReopenDialog({ request, query, answer }: Props) {
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "reopen-decision",
		lastResult: answer?.form ?? null,
		constraint: constraintOf(reopenRequestInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog
			id="reopen"
			title={`Reopen ${request.number}`}
			back={`/fund-requests${query}#request-${request.id}`}
		>
			<p className="wrap-anywhere">{`${request.statusSentence} It will be pending again, and the driver will get an email.`}</p>
			<DialogForm
				dialog="reopen"
				action={dialogUrl(query, "reopen", request.id)}
				hidden={{ intent: "reopen", id: request.id, seen: String(request.decidedAt ?? "") }}
				submit={{ label: "Reopen", pending: "Reopening..." }}
			>
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
