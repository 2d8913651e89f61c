/**
 * Payouts: what is approved and unpaid, with a button to make a payout of it, and every payout with
 * its status.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { STATUS_LABELS } from "../../domain/payouts/rules.ts";
import { toResponse } from "../../http/intent.server.ts";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { type MakeAnswer, makeAction } from "./actions.server.ts";
import { Payouts } from "./payouts.tsx";
import { Choose, Owed } from "./unpaid.tsx";
import { type PayoutsData, payoutsView } from "./view.server.ts";

export const handle = { title: "Payouts" };

export const loader = payoutsView;

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const answer = await makeAction(args.context, admin);
	return toResponse(answer);
}

function Books({ books }: Pick<PayoutsData, "books">) {
	if (!books) return <p className="text-sm text-quiet">The books are checked every night.</p>;
	const { at, sums, differences } = books;
	if (differences === 0)
		return (
			<p className="text-sm text-quiet tabular-nums">{`Books checked ${at}: they balance.`}</p>
		);
	return (
		<Alert variant="bad">
			<p>{`The books don't balance: ${pluralize(differences, "difference")}.`}</p>
			<AlertDescription>
				{`Checked ${at}: ${sums}. `}
				<a className="font-semibold text-accent underline" href="/audit?kind=books.difference">
					See what was found
				</a>
			</AlertDescription>
		</Alert>
	);
}

/** The filters of the payouts, for paper. */
const listedOf = ({ isList, filters, choice }: PayoutsData) => [
	isList ? (choice.chosen?.label ?? "All drivers") : "Approved and unpaid",
	filters.status && STATUS_LABELS[filters.status],
	filters.paidFrom && `paid from ${formatDate(filters.paidFrom)}`,
	filters.paidTo && `paid to ${formatDate(filters.paidTo)}`,
	filters.reference && `reference ${filters.reference}`,
];

export default function PayoutsScreen() {
	const data = useView<PayoutsData>();
	const answer = useAnswer<MakeAnswer>();
	const mayPay = useMay()("POST", "/payouts");
	const { fleet } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/payouts"
			title="Payouts"
			subtitle="What is approved and unpaid, and what has been paid"
			listed={listedOf(data)}
			toast={answer?.toast}
		>
			{answer?.results ? (
				<Alert variant="bad" id="results" takesFocus>
					<p>No payout was created.</p>
					{answer.results.map((result) => (
						<AlertDescription key={result}>{result}</AlertDescription>
					))}
				</Alert>
			) : null}
			<Stats columns={3}>
				<StatCard label="Ready to pay" value={fleet.ready} note={fleet.readyParts} />
				<StatCard label="In open payouts" value={fleet.open} note={fleet.openParts} />
				<StatCard label="Paid" value={fleet.paid} note={`${fleet.paidParts}, all time`} />
			</Stats>
			<Tabs label="Payouts by status" tabs={data.tabs} />
			{data.isList ? <Payouts data={data} /> : null}
			{data.isList ? null : data.choose && mayPay ? <Choose data={data} /> : <Owed data={data} />}
			<Books books={data.books} />
		</Portal>
	);
}
