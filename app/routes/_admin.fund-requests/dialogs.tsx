/** The dialogs of a request: deciding it, viewing its receipt, reading its history. */
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { dialogUrl } from "./dialog-url.ts";
import { Facts } from "./facts.tsx";
import { withoutFile } from "./receipt-view.tsx";
import { ReopenDialog } from "./reopen-dialog.tsx";
import { Timeline } from "./timeline.tsx";
import type { FundRequestsData } from "./view.server.ts";

type Opened = NonNullable<FundRequestsData["dialog"]>;
type DialogProps = Opened & {
	query: string;
	messageKey: string;
	answer: FundRequestsAnswer | undefined;
};

const fileLink = "inline-flex min-h-11 items-center font-semibold wrap-anywhere text-accent";

function ReceiptDialog({ request, query }: DialogProps) {
	const close = `/fund-requests${query}#request-${request.id}`;
	const { file } = request;
	return (
		<UrlDialog id="receipt" title="Receipt" back={close} startsAtTitle isPrinted>
			<p>{`${request.number}, ${request.amount}`}</p>
			{file && !file.isPdf ? (
				<a
					href={`/api/receipts/${file.id}`}
					target="_blank"
					rel="noopener"
					className="grid gap-2 font-semibold text-accent"
				>
					<img
						src={`/api/receipts/${file.id}`}
						alt={`Receipt of ${request.number}`}
						className="max-h-[60dvh] w-full rounded-md object-contain"
					/>
					<span className="wrap-anywhere">
						<bdi>{file.name}</bdi> (opens a new tab)
					</span>
				</a>
			) : null}
			{file?.isPdf ? (
				<a href={`/api/receipts/${file.id}`} download={file.name} className={fileLink}>
					<span>
						Download <bdi>{file.name}</bdi>
					</span>
				</a>
			) : null}
			{file ? null : <p className="wrap-anywhere">{withoutFile(request.receiptName)}</p>}
			<DialogButtons>
				<CloseButton dialog="receipt">Close</CloseButton>
			</DialogButtons>
		</UrlDialog>
	);
}

function TimelineDialog({ request, timeline, query }: DialogProps) {
	const may = useMay();
	const close = `/fund-requests${query}#request-${request.id}`;
	return (
		<UrlDialog id="timeline" title={`History of ${request.number}`} back={close} isPrinted>
			<Facts request={request} />
			<Timeline events={timeline} />
			<DialogButtons>
				{request.isReopenable ? (
					<ButtonLink variant="outline" href={dialogUrl(query, "reopen", request.id)}>
						Reopen request
					</ButtonLink>
				) : null}
				{request.isPending && !request.isOwn && may("POST", close) ? (
					<ButtonLink variant="outline" href={dialogUrl(query, "ask", request.id)}>
						Ask a question
					</ButtonLink>
				) : null}
				<CloseButton dialog="timeline">Close</CloseButton>
			</DialogButtons>
		</UrlDialog>
	);
}

export function Dialog(props: DialogProps) {
	switch (props.kind) {
		case "approve":
		case "reject":
			return <DecisionDialog {...props} kind={props.kind} />;
		case "ask":
			return <AskDialog {...props} />;
		case "reopen":
			return <ReopenDialog {...props} />;
		case "receipt":
			return <ReceiptDialog {...props} />;
		case "timeline":
			return <TimelineDialog {...props} />;
	}
}
