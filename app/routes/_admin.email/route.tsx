/**
 * Every email, its delivery status, and a way to resend one that failed.
 */

import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { whyNotSentAgain } from "../../domain/mail/refusals.ts";
import { MAIL_LABELS, MAIL_TONES, MAX_COUNTED } from "../../domain/mail/rules.ts";
import { FILTER_STATES, type FilterState, listUrl, parseSearch } from "../../domain/mail/search.ts";
import { textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { TOASTS, type Toast, withReason } from "../../messages.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { FilterButtons } from "../../ui/forms/filter-buttons.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Pages } from "../../ui/pages.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { pluralize } from "../../values/count.ts";
import { type EmailData, emailView } from "./view.server.ts";

export const handle = { title: "Email" };

export const loader = emailView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const search = parseSearch(new URL(args.request.url).searchParams);
	const here = listUrl(search, search.position);
	if ((await textField(args.context, "intent")) === "send-all-again") {
		const { sendAllAgain } = await import("../../domain/mail/commands/send-all-again.server.ts");
		const { count } = (await sendAllAgain(admin)).value;
		return seeOther(here, args.context.settings, count > 0 ? "mailsQueued" : "mailsSent");
	}
	const id = await textField(args.context, "id");
	const { sendAgain } = await import("../../domain/mail/commands/send-again.server.ts");
	const outcome = await sendAgain(admin, id);
	if (outcome.ok) return seeOther(`${here}#mail-${id}`, args.context.settings, "mailQueued");
	if (outcome.reason === "not-found") throw refusal({ kind: "not-found" }, 404);
	const { status, message } = onForm(whyNotSentAgain(outcome, admin));
	return json({ toast: withReason(TOASTS.mailFailed, message) }, { status });
}

const COLUMNS = [
	{ head: "When" },
	{ head: "To" },
	{ head: "Email" },
	{ head: "Status" },
	{ head: "Actions", isHidden: true, isControl: true },
];

export default function Email() {
	const data = useView<EmailData>();
	const { viewer, isSending, failed, uncertain, isMore, refusedFor, mails, here, pages } = data;
	const answer = useAnswer<{ toast: Toast }>();
	return (
		<Portal
			viewer={viewer}
			current="/email"
			title="Email"
			subtitle="All outgoing email"
			toast={answer?.toast}
		>
			{isSending ? null : (
				<Alert variant="info">
					<AlertDescription>
						Email delivery isn't set up, so messages stay here. An operator can turn it on in the
						server settings.
					</AlertDescription>
				</Alert>
			)}
			{isSending && refusedFor !== undefined ? (
				<Alert variant="info">
					<AlertDescription>
						Emails are waiting for the email provider, which is tried every minute. Its last answer:{" "}
						{refusedFor}
					</AlertDescription>
				</Alert>
			) : null}
			{failed > 0 ? (
				<Alert variant="bad">
					{`${isMore ? `More than ${MAX_COUNTED} emails` : pluralize(failed, "email")} couldn't be sent.`}{" "}
					<Those status="failed" count={failed} />
					<form method="post" action={here} className="mt-2">
						<input type="hidden" name="intent" value="send-all-again" />
						<Button variant="outline" pending="Queuing...">
							Send all failed again
						</Button>
					</form>
				</Alert>
			) : null}
			{uncertain > 0 ? (
				<Alert variant="info">
					<AlertDescription>
						{`${isMore ? "Some emails" : pluralize(uncertain, "email")} may have been sent. Ask the recipient, and resend it if it didn't arrive.`}{" "}
						<Those status="uncertain" count={uncertain} />
					</AlertDescription>
				</Alert>
			) : null}
			{mails.length > 0 || data.isFiltered || data.choice.isOpen ? <Filters data={data} /> : null}
			{mails.length === 0 ? (
				<Empty pages={pages}>
					{data.isFiltered
						? "No emails found"
						: "No emails yet. Invitations, approvals and decisions will appear here."}
				</Empty>
			) : (
				<Mails mails={mails} here={here} />
			)}
			<Pages links={pages} />
		</Portal>
	);
}

/** The link to the emails that a notice counts. */
function Those({ status, count }: { status: FilterState; count: number }) {
	return (
		<a className="font-semibold" href={listUrl({ status, recipient: undefined })}>
			{count === 1 ? "Show it" : "Show them"}
		</a>
	);
}

function Filters({ data: { choice, status, isFiltered } }: { data: EmailData }) {
	return (
		<Card className="print:hidden">
			<form method="get" action="/email" className="grid gap-4">
				<div className="grid items-start gap-4 sm:grid-cols-2">
					<PersonChoice
						name="recipient"
						label="Recipient"
						choice={choice}
						nobody={{ value: "all", label: "Everyone" }}
						meanwhile="The emails aren't filtered by recipient yet."
					/>
					<PlainSelect
						name="status"
						label="Status"
						chosen={status ?? "all"}
						options={[["all", "All"], ...toOptions(FILTER_STATES, MAIL_LABELS)]}
					/>
				</div>
				<FilterButtons clear={isFiltered ? "/email" : undefined} />
			</form>
		</Card>
	);
}

function Mails({ mails, here }: Pick<EmailData, "mails" | "here">) {
	return (
		<DataTable caption="Emails" columns={COLUMNS} isDense>
			{mails.map((mail) => (
				<tr key={mail.id} id={`mail-${mail.id}`}>
					<TableCell label="When" className="sm:min-w-32">
						{mail.created}
					</TableCell>
					<TableRowHead label="To" className="wrap-anywhere sm:text-sm xl:min-w-52">
						{mail.address}
					</TableRowHead>
					<TableCell label="Email">
						<details className="text-start">
							<summary className="min-h-11 content-center wrap-anywhere">{mail.subject}</summary>
							<p className="whitespace-pre-line wrap-anywhere text-quiet">{mail.body}</p>
						</details>
					</TableCell>
					<TableCell label="Status">
						<span className="grid sm:min-w-36 justify-items-end gap-1 sm:justify-items-start">
							<Badge variant={MAIL_TONES[mail.state]}>{MAIL_LABELS[mail.state]}</Badge>
							<span className="text-start text-sm wrap-anywhere text-quiet">
								{mail.lastError ?? mail.detail}
							</span>
						</span>
					</TableCell>
					<TableCell isControl>
						{mail.state === "failed" || mail.state === "uncertain" ? (
							<form method="post" action={here} className="ms-auto w-fit sm:whitespace-nowrap">
								<input type="hidden" name="id" value={mail.id} />
								<Button variant="outline" pending="Queuing...">
									Send again<span className="sr-only">{` to ${mail.address}`}</span>
								</Button>
							</form>
						) : null}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}
