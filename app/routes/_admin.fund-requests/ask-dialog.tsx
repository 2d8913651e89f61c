/** Asks the driver of a pending request about it, under what was asked and answered before. */
import { useForm } from "@conform-to/react";
import type { MESSAGE_FIELDS } from "../../domain/fund-requests/fields.ts";
import { questionForm } from "../../domain/fund-requests/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { RequestThread } from "../../ui/request-thread.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
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
			<Facts request={request} />
			<RequestThread thread={request.thread} label={`Messages about ${request.number}`} />
			<form method="post" action={dialogUrl(query, "ask", request.id)} className="grid gap-4">
				<input type="hidden" name="intent" value="ask" />
				<input type="hidden" name="id" value={request.id} />
				<input type="hidden" name="key" value={messageKey} />
				<TextareaField
					field={fields.text}
					label="Question"
					hint="The driver gets an email. The request stays pending and can still be decided."
				/>
				<DialogButtons>
					<CloseButton dialog="ask">Cancel</CloseButton>
					<Button pending="Sending...">Ask</Button>
				</DialogButtons>
			</form>
		</UrlDialog>
	);
}
