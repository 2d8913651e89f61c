/** The actions on the opened request: one click, or a form that expands under its button. */
import { useForm } from "@conform-to/react";
import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { DECISION_FIELDS } from "../../domain/fund-requests/fields.ts";
import { decisionForm, questionForm } from "../../domain/fund-requests/input.ts";
import type { MESSAGE_FIELDS } from "../../domain/messages/fields.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextareaField, TextField } from "../../ui/forms/fields.tsx";
import { Button, ButtonLink, buttonVariants } from "../../ui/primitives/button.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { Reasons } from "./decision-dialog.tsx";
import type { DeskView } from "./desk.server.ts";
import { dialogUrl } from "./dialog-url.ts";
import { Flags } from "./flags.tsx";
import { UndoFields } from "./undo.tsx";

type Props = {
	readonly desk: DeskView;
	/** The URL of the list with this request open. */
	readonly query: string;
	readonly messageKey: string;
	readonly answer: FundRequestsAnswer | undefined;
};

/** Where a form of the desk is sent, and what it opens next. */
const DESK_ACTION = (query: string) => `/fund-requests${query}`;

/** A form over the page below its button, one at a time; a refused one is expanded. */
function Unfolding({
	label,
	shortcut,
	variant,
	isOpen,
	children,
}: {
	label: string;
	shortcut?: string;
	variant: "default" | "outline" | "destructive";
	isOpen: boolean;
	children: ReactNode;
}) {
	return (
		<details name="decision" open={isOpen}>
			<summary
				className={clsx(buttonVariants({ variant }), "list-none")}
				{...(shortcut ? { "data-key": shortcut } : {})}
			>
				{label}
			</summary>
			{children}
		</details>
	);
}

const unfolded = "mt-2 grid max-w-2xl gap-4 rounded-lg border border-field bg-surface p-4";

function Decision({
	desk,
	status,
	children,
}: {
	desk: DeskView;
	status: "approved" | "rejected";
	children: ReactNode;
}) {
	return (
		<>
			<input type="hidden" name="intent" value="process" />
			<input type="hidden" name="id" value={desk.request.id} />
			<input type="hidden" name="status" value={status} />
			{desk.nextToDecide ? (
				<input type="hidden" name="next" value={desk.nextToDecide.number} />
			) : null}
			{children}
		</>
	);
}

/** Approves in full without a question, if nothing has to be checked first. */
function ApproveInFull({ desk, query }: Pick<Props, "desk" | "query">) {
	return (
		<form method="post" action={DESK_ACTION(query)}>
			<Decision desk={desk} status="approved">
				<Button pending="Processing..." data-key="a">
					{`Approve ${desk.request.amount}`}
				</Button>
			</Decision>
		</form>
	);
}

/** Approves with an amount and a note; a flagged request is approved only this way. */
function Approve({ desk, query, answer }: Omit<Props, "messageKey">) {
	const { request, isToCheck, duplicates } = desk;
	const isRefused = answer?.about === "approve";
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "approval",
		lastResult: (isRefused && answer.form) || null,
		defaultValue: { approvedAmount: request.askedAmount },
		constraint: constraintOf(decisionForm),
		defaultNoValidate: false,
	});
	return (
		<Unfolding
			label={isToCheck ? `Approve ${request.amount}...` : "Approve less..."}
			variant={isToCheck ? "default" : "outline"}
			isOpen={isRefused}
			{...(isToCheck ? { shortcut: "a" } : {})}
		>
			<form method="post" action={DESK_ACTION(query)} className={unfolded}>
				<Decision desk={desk} status="approved">
					{isToCheck ? (
						<p className="flex flex-wrap items-center gap-2">
							<span className="font-semibold">Check this first:</span>
							<Flags row={request} query={query} />
							{duplicates.length > 0 ? <span>{`Repeats ${duplicates.join(", ")}`}</span> : null}
						</p>
					) : null}
					<TextField
						field={fields.approvedAmount}
						isOneOfTwo
						label={DECISION_FIELDS.approvedAmount.label}
						hint={`${request.amount} requested. To approve less, give the reason below.`}
						saysOptional={false}
						inputMode="decimal"
						data-asked={request.askedAmount}
					/>
					<Note field={fields.adminNotes} />
					<div className="sheet-foot flex justify-end">
						{/* What a key opened has the focus on its button: another A types nothing, and Enter approves. */}
						<Button pending="Processing..." data-first="">
							Approve
						</Button>
					</div>
				</Decision>
			</form>
		</Unfolding>
	);
}

/** The note to the driver. */
function Note({ field }: Pick<ComponentProps<typeof TextareaField>, "field">) {
	return (
		<TextareaField
			field={field}
			isOneOfTwo
			label={DECISION_FIELDS.adminNotes.label}
			hint="The driver will see this note."
			saysOptional={false}
		/>
	);
}

function Reject({ desk, query, answer }: Omit<Props, "messageKey">) {
	const isRefused = answer?.about === "reject";
	const [, fields] = useForm<Record<keyof typeof DECISION_FIELDS, string>>({
		id: "rejection",
		lastResult: (isRefused && answer.form) || null,
		constraint: constraintOf(decisionForm),
		defaultNoValidate: false,
	});
	return (
		<Unfolding label="Reject..." shortcut="r" variant="destructive" isOpen={isRefused}>
			<form method="post" action={DESK_ACTION(query)} className={unfolded}>
				<Decision desk={desk} status="rejected">
					<Reasons chosen={fields.reason.initialValue} />
					<Note field={fields.adminNotes} />
					<div className="sheet-foot flex justify-end">
						<Button variant="destructive" pending="Processing...">
							Reject
						</Button>
					</div>
				</Decision>
			</form>
		</Unfolding>
	);
}

function Ask({ desk, query, messageKey, answer }: Props) {
	const isRefused = answer?.about === "ask";
	const [, fields] = useForm<Record<keyof typeof MESSAGE_FIELDS, string>>({
		id: "desk-question",
		lastResult: (isRefused && answer.form) || null,
		constraint: constraintOf(questionForm),
		defaultNoValidate: false,
	});
	return (
		<Unfolding label="Ask..." shortcut="q" variant="outline" isOpen={isRefused}>
			<form method="post" action={DESK_ACTION(query)} className={unfolded}>
				<input type="hidden" name="intent" value="ask" />
				<input type="hidden" name="id" value={desk.request.id} />
				<input type="hidden" name="key" value={messageKey} />
				<TextareaField
					field={fields.text}
					isOneOfTwo
					label="Question"
					hint="The driver gets an email. The request stays pending and can still be decided."
				/>
				<div className="sheet-foot flex justify-end">
					<Button pending="Sending...">Ask</Button>
				</div>
			</form>
		</Unfolding>
	);
}

/** Asks for the missing receipt with one click, while nobody has asked anything. */
export function AskForReceipt({ desk, query, messageKey }: Omit<Props, "answer">) {
	const { request } = desk;
	if (!request.isPending || request.isOwn || request.question) return null;
	return (
		<form method="post" action={DESK_ACTION(query)}>
			<input type="hidden" name="intent" value="ask" />
			<input type="hidden" name="id" value={request.id} />
			<input type="hidden" name="key" value={messageKey} />
			<input type="hidden" name="text" value="Could you add the receipt, please?" />
			<Button variant="outline" pending="Sending...">
				Ask for the receipt
			</Button>
		</form>
	);
}

/** What can still be done about a decided request. */
function Decided({ desk, query }: Pick<Props, "desk" | "query">) {
	const { request } = desk;
	return (
		<>
			<p className="w-full wrap-anywhere">{request.statusSentence}</p>
			{request.isUndoable ? (
				<form method="post" action={DESK_ACTION(query)}>
					<UndoFields {...request} />
					<Button variant="outline" pending="Undoing..." data-key="u">
						Undo
						<span className="sr-only">{` the decision on ${request.number}`}</span>
					</Button>
				</form>
			) : null}
			{request.isReopenable ? (
				<ButtonLink variant="outline" href={dialogUrl(query, "reopen", request.id)}>
					Reopen request
				</ButtonLink>
			) : null}
		</>
	);
}

export function DecisionForms(props: Props) {
	const { request, isToCheck } = props.desk;
	const may = useMay();
	if (!request.isPending) return <Decided {...props} />;
	if (!may("POST", "/fund-requests")) return null;
	if (request.isOwn)
		return (
			<p className="text-quiet">This is your own request. Another administrator decides it.</p>
		);
	return (
		<>
			{isToCheck ? null : <ApproveInFull {...props} />}
			<Approve {...props} />
			<Reject {...props} />
			<Ask {...props} />
		</>
	);
}
