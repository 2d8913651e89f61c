/** One payout: who gets what for which requests, and paying it, cancelling it or undoing that. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { cancelAction, type PayoutAnswer, payAction, reopenAction } from "./actions.server.ts";
import { BillsToVoid } from "./bills-to-void.tsx";
import { Dialog } from "./dialogs.tsx";
import { Lines } from "./lines.tsx";
import { PayForm } from "./pay-form.tsx";
import { type PayoutData, payoutView } from "./view.server.ts";

export const handle = { title: (data: unknown) => (data as PayoutData).number };

export const loader = payoutView;

const ACTIONS: Readonly<Record<string, typeof payAction>> = {
	pay: payAction,
	cancel: cancelAction,
	reopen: reopenAction,
};

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const act = await chooseByIntent(args.context, ACTIONS);
	const answer = await act(args.context, admin, args.params.id ?? "");
	return toResponse(answer);
}

/** Offered by the toast after a payment, and by the page as long as it can be undone silently. */
function Undo({ data }: { data: PayoutData }) {
	if (!data.isUndoable) return null;
	return (
		<form method="post" action={`/payouts/${data.id}`}>
			<input type="hidden" name="intent" value="reopen" />
			<input type="hidden" name="seen" value={data.paidAt} />
			<Button variant="outline" pending="Undoing..." className="mt-2">
				Undo<span className="sr-only"> the payment</span>
			</Button>
		</form>
	);
}

function Downloads({ data }: { data: PayoutData }) {
	return (
		<Section id="files" title="Files" className="print:hidden">
			<div className="flex flex-wrap gap-3 *:max-sm:grow">
				<ButtonLink variant="outline" href={`/payouts/${data.id}.pdf`}>
					{data.status === "cancelled" ? "PDF" : "PDF to sign"}
				</ButtonLink>
				{data.exports.map(({ href, label }) => (
					<ButtonLink key={href} variant="outline" href={href}>
						{label}
						<span className="sr-only"> as a CSV file</span>
					</ButtonLink>
				))}
			</div>
		</Section>
	);
}

export default function PayoutScreen() {
	const data = useView<PayoutData>();
	const answer = useAnswer<PayoutAnswer>();
	const { id, number, status } = data;
	const mayChange = useMay()("POST", `/payouts/${id}`);
	return (
		<Portal
			viewer={data.viewer}
			current="/payouts"
			title={number}
			subtitle={
				<span className="grid gap-1">
					<span>{data.made}</span>
					{data.statusSentence ? <span>{data.statusSentence}</span> : null}
				</span>
			}
			toast={answer?.toast}
			toastAction={<Undo data={data} />}
		>
			<div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
				<span className="flex flex-wrap items-center gap-3">
					<Badge variant={data.tone}>{data.statusLabel}</Badge>
					{data.paidOn ? <span>{`Paid on ${data.paidOn}`}</span> : null}
					{data.reference ? <bdi className="wrap-anywhere">{data.reference}</bdi> : null}
				</span>
				<span className="flex flex-wrap gap-3">
					<ButtonLink variant="ghost" href="/payouts">
						All payouts
					</ButtonLink>
					{status === "open" && mayChange ? (
						<ButtonLink variant="outline" id="cancel" href={`/payouts/${id}?dialog=cancel`}>
							Cancel payout
						</ButtonLink>
					) : null}
					{status === "paid" && mayChange ? (
						<ButtonLink variant="outline" id="reopen" href={`/payouts/${id}?dialog=reopen`}>
							Reopen payout
						</ButtonLink>
					) : null}
				</span>
			</div>
			<Stats columns={3}>
				<StatCard label="Total" value={data.total} />
				<StatCard label="Drivers" value={String(data.drivers)} />
				{data.settlements > 0 ? (
					<StatCard
						label={data.requests > 0 ? "Requests and settlements" : "Settlements"}
						value={
							data.requests > 0
								? `${data.requests} + ${data.settlements}`
								: String(data.settlements)
						}
					/>
				) : (
					<StatCard label="Requests" value={String(data.requests)} />
				)}
			</Stats>
			{data.billsToVoid.map((each) => (
				<BillsToVoid key={each.payout} {...each} isCanceled />
			))}
			{status === "open" && mayChange ? <PayForm data={data} answer={answer} /> : null}
			<Lines data={data} />
			<Downloads data={data} />
			{data.dialog && mayChange ? <Dialog data={data} answer={answer} /> : null}
		</Portal>
	);
}
