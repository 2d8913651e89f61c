/** One settlement: how a driver's week adds up, publishing it, and voiding it. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { NOT_WORKED_OUT } from "../../domain/settlements/shown.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { Island } from "../../islands/island.tsx";
import ReviewKeys, { type ReviewKey } from "../../islands/review-keys.tsx";
import { MessageForm, type RefusedMessage } from "../../ui/message-form.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { SettlementLines } from "../../ui/settlement-lines.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { writeMessage } from "../_driver.earnings_.$id/write.server.ts";
import { publishAction, type SettlementAnswer, voidAction } from "./actions.server.ts";
import { Dialog } from "./dialogs.tsx";
import { Rows } from "./rows.tsx";
import { type SettlementData, settlementView } from "./view.server.ts";

export const handle = { title: (data: unknown) => (data as SettlementData).number };

export const loader = settlementView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const act = await chooseByIntent(args.context, {
		publish: publishAction,
		void: voidAction,
		write: writeMessage,
	});
	const id = args.params.id ?? "";
	return toResponse(await act(args.context, admin, id, settlementPath(id)));
}

const STEPS: readonly ReviewKey[] = [
	["J", "Next driver of the week"],
	["K", "Previous driver of the week"],
	["Esc", "Back to the week"],
];

type Props = { readonly data: SettlementData };

/** The links to the week, and to the drivers beside this one. */
function Steps({ data: { beside, weekPath } }: Props) {
	return (
		<nav aria-label="Settlements" className="flex flex-wrap items-center gap-2 print:hidden">
			<ButtonLink variant="ghost" href={weekPath} data-key="Escape" className="-ms-2 me-auto px-2">
				Back to the week
			</ButtonLink>
			{beside.previous ? (
				<ButtonLink variant="outline" href={beside.previous.href} data-key="k">
					Previous
					<span className="sr-only">{` driver: ${beside.previous.name}`}</span>
				</ButtonLink>
			) : null}
			{beside.next ? (
				<ButtonLink variant="outline" href={beside.next.href} data-key="j">
					Next
					<span className="sr-only">{` driver: ${beside.next.name}`}</span>
				</ButtonLink>
			) : null}
		</nav>
	);
}

function Actions({ data: { id, mayBe } }: Props) {
	return (
		<span className="flex flex-wrap gap-3 print:hidden">
			{mayBe.void ? (
				<ButtonLink variant="destructive" id="void" href={settlementPath(id, "void")}>
					Void
				</ButtonLink>
			) : null}
			{mayBe.publish ? (
				<ButtonLink id="publish" href={settlementPath(id, "publish")} data-key="a">
					Publish
				</ButtonLink>
			) : null}
		</span>
	);
}

/** The driver's questions about the week, and the answers. */
function Questions({ data, failed, may }: Props & Answering) {
	if (data.thread.length === 0) return null;
	return (
		<Section
			id="messages"
			title={
				<span className="flex flex-wrap items-center gap-2">
					Questions about this week
					{data.isAsked ? <Badge variant="wait">Question</Badge> : null}
				</span>
			}
		>
			<MessageThread thread={data.thread} />
			{may && data.messageKey ? (
				<MessageForm
					action={`${settlementPath(data.id)}#messages`}
					sendKey={data.messageKey}
					hint="The driver gets an email."
					button="Send answer"
					failed={failed}
				/>
			) : null}
		</Section>
	);
}
type Answering = {
	readonly failed: RefusedMessage["message"] | undefined;
	readonly may: boolean;
};

function History({ data: { history } }: Props) {
	if (history.length === 0) return null;
	return (
		<Section id="history" title="History">
			<ol className="grid gap-3 border-s-2 border-line ps-4">
				{history.map(({ key, what, when }) => (
					<li key={key} className="grid">
						<span className="font-semibold wrap-anywhere">{what}</span>
						<span className="text-sm text-quiet">{when}</span>
					</li>
				))}
			</ol>
		</Section>
	);
}

export default function SettlementScreen() {
	const data = useView<SettlementData>();
	const answer = useAnswer<SettlementAnswer & Partial<RefusedMessage>>();
	const may = useMay()("POST", settlementPath(data.id));
	const keys: readonly ReviewKey[] =
		may && data.mayBe.publish ? [...STEPS.slice(0, 2), ["A", "Publish"], ...STEPS.slice(2)] : STEPS;
	return (
		<Portal
			viewer={data.viewer}
			current="/settlements"
			title={data.number}
			subtitle={
				<span className="grid gap-1">
					<span>{data.week}</span>
					<a className="wrap-anywhere text-accent" href={data.driverPath}>
						<bdi>{data.name}</bdi>
						{`, ${data.code}`}
					</a>
				</span>
			}
			toast={answer?.toast}
		>
			<Steps data={data} />
			<div className="flex flex-wrap items-center justify-between gap-3">
				<span className="flex flex-wrap items-center gap-3">
					<Badge variant={data.tone}>{data.statusLabel}</Badge>
					{data.payout ? (
						<a
							className="inline-flex min-h-11 items-center font-semibold text-accent"
							href={data.payout.href}
						>
							{data.payout.number}
						</a>
					) : null}
					{data.pdf ? (
						<ButtonLink variant="outline" href={data.pdf} className="print:hidden">
							Download PDF
						</ButtonLink>
					) : null}
				</span>
				{may ? <Actions data={data} /> : null}
			</div>
			{data.warnings.map((warning) => (
				<Alert key={warning} variant="wait">
					<p>{warning}</p>
				</Alert>
			))}
			<Section id="lines" title="How the week adds up">
				{data.lines.length === 0 ? <Empty>No lines</Empty> : null}
				<SettlementLines caption={`Lines of ${data.number}`} lines={data.lines} sums={data.sums} />
				<p className="text-sm text-quiet">{NOT_WORKED_OUT}</p>
			</Section>
			<Questions data={data} failed={answer?.message} may={may} />
			<Rows data={data} />
			<History data={data} />
			<Island name="review-keys" component={ReviewKeys} props={{ keys }} isEager />
			{data.dialog && may ? <Dialog data={data} /> : null}
		</Portal>
	);
}
