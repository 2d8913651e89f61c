/** The opened request beside the list: its receipt, its facts and its actions. */
import { clsx } from "clsx";
import { Island } from "../../islands/island.tsx";
import ReviewKeys, { type ReviewKey } from "../../islands/review-keys.tsx";
import { AskedNote } from "../../ui/asked-note.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import type { FundRequestsAnswer } from "./actions.server.ts";
import { AskForReceipt, DecisionForms } from "./decision-forms.tsx";
import type { DeskView } from "./desk.server.ts";
import { openUrl } from "./dialog-url.ts";
import { DateAndDescription, DriverAndType } from "./facts.tsx";
import { Flags } from "./flags.tsx";
import { ReceiptView } from "./receipt-view.tsx";
import { Timeline } from "./timeline.tsx";
import type { FundRequestsData } from "./view.server.ts";

const link = "font-semibold whitespace-nowrap text-accent";

function About({ desk, query }: { desk: DeskView; query: string }) {
	const { request, duplicates } = desk;
	return (
		<dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 @max-[15rem]:grid-cols-1">
			<DriverAndType request={request} isLinked />
			<DateAndDescription request={request} />
			{duplicates.length > 0 ? (
				<>
					<dt className="text-quiet">Repeats</dt>
					<dd className="flex flex-wrap gap-x-3">
						{duplicates.map((number) => (
							<a key={number} href={openUrl(query, number)} className={link}>
								{number}
							</a>
						))}
					</dd>
				</>
			) : null}
		</dl>
	);
}

function Latest({ desk, query }: { desk: DeskView; query: string }) {
	if (desk.latest.length === 0)
		return <p className="text-quiet">This is the driver's only request.</p>;
	return (
		<ul className="divide-y divide-line text-sm">
			{desk.latest.map((each) => (
				<li key={each.id} className="grid grid-cols-[1fr_auto] gap-x-3 py-2">
					<a href={openUrl(query, each.number)} className={link}>
						{each.number}
					</a>
					<span className="text-end font-semibold tabular-nums">{each.amount}</span>
					<span className="truncate self-start text-quiet">
						{`${each.date} · ${each.type} · `}
						<bdi>{each.description}</bdi>
					</span>
					<Badge variant={each.tone}>{each.status}</Badge>
				</li>
			))}
		</ul>
	);
}

/** The links to the neighbors in the list, and back to it. */
function Steps({ desk, closeUrl }: { desk: DeskView; closeUrl: string }) {
	const { previous, next } = desk;
	return (
		<nav aria-label="Requests" className="flex flex-wrap items-center gap-x-1 gap-y-2 sm:gap-2">
			<ButtonLink variant="ghost" href={closeUrl} data-key="Escape" className="-ms-2 me-auto px-2">
				Back to list
			</ButtonLink>
			{previous ? (
				<ButtonLink variant="outline" href={previous.url} data-key="k" className="px-3">
					Previous <span className="sr-only">request</span>
				</ButtonLink>
			) : null}
			{next ? (
				<ButtonLink variant="outline" href={next.url} data-key="j" className="px-3">
					Next <span className="sr-only">request</span>
				</ButtonLink>
			) : null}
		</nav>
	);
}

const KEYS: readonly ReviewKey[] = [
	["J", "Next request"],
	["K", "Previous request"],
	["A", "Approve"],
	["R", "Reject"],
	["Q", "Ask a question"],
	["U", "Undo the latest decision"],
	["Esc", "Back to the list"],
];

type Props = {
	readonly desk: DeskView;
	readonly data: FundRequestsData;
	readonly answer: FundRequestsAnswer | undefined;
};

export function Desk({ desk, data, answer }: Props) {
	const { request, timeline } = desk;
	const query = data.openQuery;
	return (
		<section aria-labelledby="opened" className="desk grid content-start gap-4 surface p-4">
			<Steps desk={desk} closeUrl={`${data.undoUrl}#request-${request.id}`} />
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<h2 id="opened" tabIndex={-1} data-opened="" className="text-lg font-semibold">
					{`${request.number} · ${request.amount}`}
					<AskedNote note={request.asked} />
				</h2>
				<Badge variant={request.tone}>{request.status}</Badge>
				{request.question ? (
					<Badge variant={request.question.tone}>{request.question.label}</Badge>
				) : null}
				{request.payout ? (
					<a className={link} href={`/payouts/${request.payout.id}`}>
						{request.payout.words}
					</a>
				) : null}
				<Flags row={request} query={data.keptQuery} />
			</div>
			<div className={clsx("desk-columns grid items-start gap-4", !request.file && "without-file")}>
				<div className="grid gap-4">
					<ReceiptView request={request}>
						{data.mayDecide ? (
							<AskForReceipt desk={desk} query={query} messageKey={data.key} />
						) : null}
					</ReceiptView>
					<MessageThread thread={request.thread} label={`Messages about ${request.number}`} />
				</div>
				<div className="grid gap-4">
					<About desk={desk} query={data.keptQuery} />
					<div className="decide gap-2">
						<DecisionForms desk={desk} query={query} messageKey={data.key} answer={answer} />
					</div>
				</div>
				{/* Below what is judged; without a receipt, in its place. */}
				<div className="grid gap-4">
					<section aria-labelledby="latest" className="grid gap-1">
						<h3 id="latest" className="font-semibold">
							More from this driver
						</h3>
						<Latest desk={desk} query={data.keptQuery} />
					</section>
					<section aria-labelledby="history" className="grid gap-2">
						<h3 id="history" className="font-semibold">
							History
						</h3>
						<Timeline events={timeline} />
					</section>
				</div>
			</div>
			<Island name="review-keys" component={ReviewKeys} props={{ keys: KEYS }} isEager />
		</section>
	);
}
