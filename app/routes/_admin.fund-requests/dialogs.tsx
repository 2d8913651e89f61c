/** The dialogs of a request: deciding it, looking at its receipt, reading its history. */
import { useForm } from "@conform-to/react";
import { DECISION_FIELDS } from "../../domain/fund-requests/fields.ts";
import { processRequestInput } from "../../domain/fund-requests/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField } from "../../ui/forms/fields.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { dialogUrl } from "./dialog-url.ts";
import { ReopenDialog } from "./reopen-dialog.tsx";
import type { RequestView } from "./row.server.ts";
import type { FundRequestsData } from "./view.server.ts";

type Opened = NonNullable<FundRequestsData["dialog"]>;
type DialogProps = Opened & { query: string; answer: FundRequestsAnswer | undefined };

const fileLink = "inline-flex min-h-11 items-center font-semibold wrap-anywhere text-accent";

function Facts({ request }: { request: RequestView }) {
	return (
		<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
			<dt className="text-quiet">Request ID</dt>
			<dd>{request.number}</dd>
			<dt className="text-quiet">Driver</dt>
			<dd className="wrap-anywhere">
				{`${request.driver}, `}
				<bdi>{request.name}</bdi>
			</dd>
			<dt className="text-quiet">Type</dt>
			<dd>{request.type}</dd>
			<dt className="text-quiet">Amount</dt>
			<dd className="font-semibold tabular-nums">{request.amount}</dd>
			<dt className="text-quiet">Date</dt>
			<dd>{request.date}</dd>
			<dt className="text-quiet">Description</dt>
			<dd className="wrap-anywhere whitespace-pre-line">
				<bdi>{request.description}</bdi>
			</dd>
			<dt className="text-quiet">Receipt</dt>
			<dd className="wrap-anywhere">
				{request.file ? (
					<a
						href={`/api/receipts/${request.file.id}`}
						target="_blank"
						rel="noopener"
						className="font-semibold text-accent"
					>
						<bdi>{request.file.name}</bdi> (opens a new tab)
					</a>
				) : (
					(request.receiptName ?? "None")
				)}
			</dd>
		</dl>
	);
}

function ProcessDialog({ kind, request, query, answer }: DialogProps) {
	const [title, button, status] =
		kind === "approve"
			? ["Approve Request", "Approve", "approved"]
			: ["Reject Request", "Reject", "rejected"];
	const close = `/fund-requests${query}#request-${request.id}`;
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "decision",
		lastResult: answer?.form ?? null,
		constraint: constraintOf(processRequestInput),
		defaultNoValidate: false,
	});
	return (
		<UrlDialog id="process" title={title} back={close}>
			<Facts request={request} />
			<form method="post" action={dialogUrl(query, kind, request.id)} className="grid gap-4">
				<input type="hidden" name="intent" value="process" />
				<input type="hidden" name="id" value={request.id} />
				<input type="hidden" name="status" value={status} />
				<TextareaField
					field={fields.adminNotes}
					label={DECISION_FIELDS.adminNotes.label}
					hint="The driver will see this note."
					saysOptional={false}
				/>
				<DialogButtons>
					<CloseButton dialog="process">Cancel</CloseButton>
					<Button variant={kind === "approve" ? "default" : "destructive"} pending="Processing...">
						{button}
					</Button>
				</DialogButtons>
			</form>
		</UrlDialog>
	);
}

function ReceiptDialog({ request, query }: DialogProps) {
	const close = `/fund-requests${query}#request-${request.id}`;
	const { file } = request;
	return (
		<UrlDialog id="receipt" title="Receipt" back={close}>
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
					Download <bdi>{file.name}</bdi>
				</a>
			) : null}
			{file ? null : (
				<p className="wrap-anywhere">{request.receiptName ?? "This request has no receipt."}</p>
			)}
			<DialogButtons>
				<CloseButton dialog="receipt">Close</CloseButton>
			</DialogButtons>
		</UrlDialog>
	);
}

function TimelineDialog({ request, timeline, query }: DialogProps) {
	const close = `/fund-requests${query}#request-${request.id}`;
	return (
		<UrlDialog id="timeline" title={`History of ${request.number}`} back={close}>
			<Facts request={request} />
			<ol className="grid gap-3 border-s-2 border-line ps-4">
				{timeline.map(({ key, what, when, note }) => (
					<li key={key} className="grid">
						<span className="font-semibold wrap-anywhere">{what}</span>
						<span className="text-sm text-quiet">{when}</span>
						{note ? (
							<span className="wrap-anywhere whitespace-pre-line">
								Note: <bdi>{note}</bdi>
							</span>
						) : null}
					</li>
				))}
			</ol>
			<DialogButtons>
				{request.isReopenable ? (
					<ButtonLink variant="outline" href={dialogUrl(query, "reopen", request.id)}>
						Reopen request
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
			return <ProcessDialog {...props} />;
		case "reopen":
			return <ReopenDialog {...props} />;
		case "receipt":
			return <ReceiptDialog {...props} />;
		case "timeline":
			return <TimelineDialog {...props} />;
	}
}
