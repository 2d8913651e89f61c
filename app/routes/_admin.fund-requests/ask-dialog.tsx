/** Asks the driver of a pending request about it, below the thread so far. */
import { useForm } from "@conform-to/react";
import { questionForm } from "../../domain/fund-requests/input.ts";
import type { MESSAGE_FIELDS } from "../../domain/messages/fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { dialogUrl } from "./dialog-url.ts";
import { Facts } from "./facts.tsx";
import type { RequestView } from "./row.server.ts";

type Props = {
	readonly request: RequestView;
	readonly messageKey: string;
	readonly query: string;
	readonly answer: FundRequestsAnswer | undefined;
};

export function AskDialog({ request, messageKey, query, answer }: Props) {
	const [, fields] = useForm<Record<keyof typeof MESSAGE_FIELDS, string>>({
		id: "question",
		lastResult: answer?.form ?? null,
		constraint: constraintOf(questionForm),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog
			id="ask"
			title={`Ask about ${request.number}`}
			back={`/fund-requests${query}#request-${request.id}`}
		>
			<DialogForm
				dialog="ask"
				action={dialogUrl(query, "ask", request.id)}
				hidden={{ intent: "ask", id: request.id, key: messageKey }}
				submit={{ label: "Ask", pending: "Sending..." }}
			>
				{/* In the form, so that its buttons stay visible beside all of it. */}
				<Facts request={request} />
				<MessageThread thread={request.thread} label={`Messages about ${request.number}`} />
				<TextareaField
					field={fields.text}
					label="Question"
					hint="The driver gets an email. The request stays pending and can still be decided."
				/>
			</DialogForm>
		</UrlDialog>
	);
}
