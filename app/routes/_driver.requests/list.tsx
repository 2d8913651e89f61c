/** The driver's requests, newest first: two lines each, which open into the details and actions. */

import type { RequestView } from "../../domain/fund-requests/driver-view.ts";
import { LATE } from "../../domain/fund-requests/rules.ts";
import { QUESTION_LABELS } from "../../domain/messages/rules.ts";
import { AskedNote } from "../../ui/asked-note.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { ReceiptPicker, receiptHint } from "../../ui/receipt-picker.tsx";
import { listUrl } from "./address.ts";
import { AnswerForm } from "./answer-form.tsx";
import type { RequestAnswer } from "./request-answer.ts";
import type { RequestsData } from "./view.server.ts";

const rowLink = "inline-flex min-h-11 items-center px-2 font-semibold text-accent";

type Failed = RequestAnswer["row"];

function Receipt({
	receipt,
	number,
}: {
	receipt: NonNullable<RequestView["receipt"]>;
	number: string;
}) {
	return (
		<p className="wrap-anywhere">
			<span className="text-quiet">Receipt: </span>
			{receipt.url ? (
				<a
					className="inline-flex min-h-11 items-center font-semibold text-accent"
					href={receipt.url}
				>
					{receipt.name}
					<span className="sr-only">{` of ${number}`}</span>
				</a>
			) : (
				receipt.name
			)}
		</p>
	);
}

/**
 * A separate form in every row, which works without a script and stays collapsed until it is
 * needed.
 */
function AddReceipt({
	request,
	here,
	receiptMegabytes,
	failed,
}: Pick<RequestsData, "here" | "receiptMegabytes"> & {
	request: RequestView;
	failed: Failed;
}) {
	const problem = failed?.id === request.id ? failed.problem : undefined;
	const id = `receipt-${request.id}`;
	return (
		<details className="w-full" {...(problem ? { open: true } : {})}>
			<summary className="min-h-11 content-center font-semibold text-accent">
				Add receipt<span className="sr-only">{` to ${request.number}`}</span>
			</summary>
			<form
				method="post"
				action={listUrl(here, "")}
				encType="multipart/form-data"
				className="grid max-w-md gap-3 pb-2"
			>
				<input type="hidden" name="intent" value="add-receipt" />
				<input type="hidden" name="id" value={request.id} />
				<PlainField
					id={id}
					label={`Receipt for ${request.number}`}
					hint={receiptHint(receiptMegabytes)}
					errors={problem ? [problem] : undefined}
				>
					{(control) => <ReceiptPicker control={control} megabytes={receiptMegabytes} />}
				</PlainField>
				<Button variant="outline" size="wide" pending="Sending..." className="justify-self-start">
					Send receipt
				</Button>
			</form>
		</details>
	);
}

/** What the driver should know about a request just saved. */
function Unstored({
	about: { reason, hasPrevious },
}: {
	about: NonNullable<RequestsData["unstored"]>;
}) {
	return (
		<Alert variant="wait" className="max-w-2xl">
			<p>
				{hasPrevious
					? "Request saved, but the new receipt wasn't."
					: "Request saved, but the receipt wasn't."}
			</p>
			<AlertDescription>{reason}</AlertDescription>
			<AlertDescription>
				{hasPrevious
					? "The request has the previous receipt. To replace it, select Correct."
					: "You can add it below."}
			</AlertDescription>
		</Alert>
	);
}

function Request({
	request,
	data,
	failed,
	failedAnswer,
	isOpen,
}: Failures & { request: RequestView; data: RequestsData; isOpen: boolean }) {
	const { id, number, decision, receipt } = request;
	// Its receipt may have been added since.
	const isUnstored =
		data.unstored?.id === id && (request.takesReceipt || data.unstored.hasPrevious);
	return (
		<li id={`request-${id}`} className="@container">
			<details className="group" {...(isOpen ? { open: true } : {})}>
				<summary className="grid list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 px-4 py-2.5 @max-[15rem]:grid-cols-1 sm:px-6">
					<h3 className="row-mark font-semibold">
						{request.typeLabel}
						<span className="sr-only">{`, ${request.dollars}, ${request.submittedOn}`}</span>
					</h3>
					<span className="text-end text-lg font-semibold tabular-nums">
						{request.dollars}
						<AskedNote note={request.asked} />
					</span>
					<span className="grid text-sm text-quiet">
						<span className="truncate group-open:whitespace-pre-line group-open:wrap-anywhere">
							{request.description}
						</span>
						<span>{request.captured ?? `Submitted ${request.submittedOn}`}</span>
						{request.payment ? (
							<span className="font-semibold whitespace-nowrap text-good @max-[15rem]:whitespace-normal">
								{request.payment}
							</span>
						) : null}
					</span>
					<span className="grid justify-items-end gap-1 sm:flex">
						<Badge variant={request.tone}>{request.status}</Badge>
						{request.question ? (
							<Badge variant={request.question.tone}>{request.question.label}</Badge>
						) : null}
						{request.isPossibleDuplicate ? <Badge variant="wait">Possible duplicate</Badge> : null}
						{request.isLate ? <Badge variant="wait">{LATE}</Badge> : null}
					</span>
				</summary>
				<div className="grid gap-1 px-4 pb-4 sm:px-6">
					{data.unstored && isUnstored ? <Unstored about={data.unstored} /> : null}
					<p className="text-quiet">{number}</p>
					{request.spent ? <p className="text-quiet">{`Spent on ${request.spent}`}</p> : null}
					{receipt ? <Receipt receipt={receipt} number={number} /> : null}
					{decision ? (
						<div className="border-s-4 border-line ps-3">
							<p className="text-quiet">{decision.words}</p>
							{decision.note ? (
								<p className="wrap-anywhere whitespace-pre-line">{`Note: ${decision.note}`}</p>
							) : null}
						</div>
					) : null}
					<MessageThread thread={request.thread} label={`Messages about ${number}`} />
					{request.payment ? (
						<p>
							<a
								className="inline-flex min-h-11 items-center font-semibold text-accent"
								href={request.statementUrl}
							>
								Statement<span className="sr-only">{` of the payout of ${number}`}</span>
							</a>
						</p>
					) : null}
					<Actions request={request} data={data} failed={failed} failedAnswer={failedAnswer} />
				</div>
			</details>
		</li>
	);
}

type Failures = {
	readonly failed: Failed;
	readonly failedAnswer: RequestAnswer["answer"];
};

/** What its driver can still do about a request. */
function Actions({
	request,
	data: { here, receiptMegabytes, viewer },
	failed,
	failedAnswer,
}: Failures & { request: RequestView; data: RequestsData }) {
	if (!request.isPending && !request.takesReceipt) return null;
	const { id, number } = request;
	return (
		<div className="flex flex-wrap gap-x-2 print:hidden">
			<AnswerForm
				request={request}
				viewerId={viewer.id}
				here={here}
				receiptMegabytes={receiptMegabytes}
				failed={failedAnswer}
			/>
			{request.takesReceipt && request.answerKey === undefined ? (
				<AddReceipt
					request={request}
					here={here}
					receiptMegabytes={receiptMegabytes}
					failed={failed}
				/>
			) : null}
			{request.isPending ? (
				<span className="-ms-2 flex flex-wrap">
					<a className={rowLink} href={listUrl({ correct: id }, "")}>
						Correct<span className="sr-only">{` ${number}`}</span>
					</a>
					<a className={rowLink} href={listUrl({ dialog: "withdraw", id, ...here }, "")}>
						Withdraw<span className="sr-only">{` ${number}`}</span>
					</a>
				</span>
			) : null}
		</div>
	);
}

export function Requests({
	data,
	answer,
}: {
	data: RequestsData;
	answer: RequestAnswer | undefined;
}) {
	if (data.requests.length === 0) return <Empty pages={data.pages}>No fund requests yet</Empty>;
	const failed = answer?.row;
	const failedAnswer = answer?.answer;
	return (
		<ul className="divide-y divide-line surface">
			{data.requests.map((request) => (
				<Request
					key={request.id}
					request={request}
					data={data}
					failed={failed}
					failedAnswer={failedAnswer}
					// Whatever the driver is asked for, or just tried, is already expanded.
					isOpen={
						request.question?.label === QUESTION_LABELS.asked ||
						[failed?.id, failedAnswer?.id].includes(request.id) ||
						data.unstored?.id === request.id
					}
				/>
			))}
		</ul>
	);
}
