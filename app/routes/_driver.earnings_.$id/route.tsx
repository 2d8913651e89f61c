/** One published week of a driver: every line, and the rows that it comes from. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { requireDriver } from "../../auth/guard.server.ts";
import { EARNINGS } from "../../domain/settlements/search.ts";
import { NOT_WORKED_OUT } from "../../domain/settlements/shown.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { MessageForm, type RefusedMessage } from "../../ui/message-form.tsx";
import { MessageThread } from "../../ui/message-thread.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { SettlementLines } from "../../ui/settlement-lines.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { formatDollars } from "../../values/money.ts";
import { type WeekData, weekView } from "./view.server.ts";
import { writeMessage } from "./write.server.ts";

export const handle = { title: (data: unknown) => (data as WeekData).week };

export const loader = weekView;

export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	const write = await chooseByIntent(args.context, { write: writeMessage });
	const id = args.params.id ?? "";
	return toResponse(await write(args.context, driver, id, `${EARNINGS}/${id}`));
}

const link = "inline-flex min-h-11 items-center font-semibold text-accent";

/** A line of a list: what it is, its amount, and what else there is to say. */
function Row({
	what,
	amount,
	under,
}: {
	what: ReactNode;
	amount: string;
	under?: string | undefined;
}) {
	return (
		<li className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] content-center items-baseline gap-x-3 px-3 py-1 sm:px-4">
			<span>{what}</span>
			<span className="text-end whitespace-nowrap tabular-nums">{amount}</span>
			{under ? <span className="col-span-2 text-sm wrap-anywhere text-quiet">{under}</span> : null}
		</li>
	);
}

const list = "divide-y divide-line surface";

function Statement({ statement }: { statement: WeekData["statements"][number] }) {
	const { platform, amounts, totalCents, proof, days } = statement;
	return (
		<div className="grid gap-2">
			<h3 className="font-semibold">{platform}</h3>
			<ul className={list}>
				{amounts.map(({ label, cents }) => (
					<Row key={label} what={label} amount={formatDollars(cents)} />
				))}
				<Row what={<strong>Total</strong>} amount={formatDollars(totalCents)} under={proof} />
			</ul>
			{days.length > 0 ? (
				<details>
					<summary className="min-h-11 content-center font-semibold text-accent">By day</summary>
					<dl className="grid gap-2">
						{days.map(({ label, words }) => (
							<div key={label}>
								<dt className="font-semibold">{label}</dt>
								<dd className="m-0 text-sm">{words}</dd>
							</div>
						))}
					</dl>
				</details>
			) : null}
		</div>
	);
}

function Statements({ statements }: Pick<WeekData, "statements">) {
	if (statements.length === 0) return null;
	return (
		<Section id="statements" title="What the statements say">
			<p className="text-quiet">
				As the fleet's books have it today. What changed after the week was published is corrected
				in a later week.
			</p>
			{statements.map((statement) => (
				<Statement key={statement.platform} statement={statement} />
			))}
		</Section>
	);
}

function Trips({ trips, hasMoreTrips }: Pick<WeekData, "trips" | "hasMoreTrips">) {
	return (
		<Section id="trips" title="Trips">
			{trips.length > 0 ? (
				<ul className={list}>
					{trips.map(({ id, day, miles, personal }) => (
						<Row
							key={id}
							what={
								<a className={link} href={`/history?open=mileage-${id}`}>
									{day}
								</a>
							}
							amount={miles}
							under={personal}
						/>
					))}
				</ul>
			) : (
				<p className="text-quiet">This week's trips are no longer in your history.</p>
			)}
			{hasMoreTrips ? <p className="text-quiet">There are more under History.</p> : null}
		</Section>
	);
}

/** Questions about the week, and the administrators' answers. */
function Questions({ data, answer }: { data: WeekData; answer: RefusedMessage | undefined }) {
	const { thread, messageKey, url } = data;
	return (
		<Section id="messages" title="Ask about this week">
			<MessageThread thread={thread} />
			<MessageForm
				action={`${url}#messages`}
				sendKey={messageKey}
				hint="The administrators get an email. You'll get one when they answer."
				button="Send question"
				failed={answer?.message}
			/>
		</Section>
	);
}

/** Where the money is. */
function Payment({ data: { payment, statementUrl, isOwed } }: { data: WeekData }) {
	if (payment && statementUrl)
		return (
			<a className={link} href={statementUrl}>
				{payment}
				<span className="sr-only">: statement</span>
			</a>
		);
	return isOwed ? <span>To be paid</span> : null;
}

export default function Week() {
	const data = useView<WeekData>();
	const answer = useAnswer<RefusedMessage>();
	const { agreement, charges, near } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/earnings"
			title={data.week}
			subtitle={
				<span className="flex flex-wrap items-center gap-x-3">
					{data.number}
					<Badge variant={data.tone}>{data.status}</Badge>
					<Payment data={data} />
				</span>
			}
			toast={answer?.toast}
		>
			<SettlementLines
				caption={`Lines of the week ${data.week}`}
				lines={data.lines}
				sums={data.sums}
			/>
			{near.length > 0 ? (
				<ul>
					{near.map(({ key, words, href, number, week }) => (
						<li key={key} className="flex flex-wrap items-center gap-x-1">
							{words}
							<a className={link} href={href}>
								{number}
							</a>
							<span className="text-quiet">{`(${week})`}</span>
						</li>
					))}
				</ul>
			) : null}
			<p className="text-sm text-quiet">{NOT_WORKED_OUT}</p>
			<div className="flex flex-wrap gap-3 print:hidden">
				<ButtonLink variant="outline" href={data.pdf}>
					Download PDF
				</ButtonLink>
				<ButtonLink variant="ghost" href="/earnings">
					All weeks
				</ButtonLink>
			</div>
			<Questions data={data} answer={answer} />
			<Statements statements={data.statements} />
			{data.paysMiles ? <Trips trips={data.trips} hasMoreTrips={data.hasMoreTrips} /> : null}
			{charges.length > 0 ? (
				<Section id="charges" title="Charges">
					<ul className={list}>
						{charges.map(({ id, kind, amount, under, note, receipt }) => (
							<Row
								key={id}
								what={
									<>
										{kind}
										{receipt ? (
											<a className={`ms-2 ${link}`} href={receipt}>
												Receipt<span className="sr-only">{` of ${kind}, ${amount}`}</span>
											</a>
										) : null}
									</>
								}
								amount={amount}
								under={note ? `${under} · ${note}` : under}
							/>
						))}
					</ul>
				</Section>
			) : null}
			{agreement ? (
				<Section id="agreement" title="Agreement">
					<Card>
						<p className="wrap-anywhere">{agreement.sentence}</p>
						<p className="text-sm text-quiet">{`From ${agreement.from}`}</p>
					</Card>
				</Section>
			) : null}
		</Portal>
	);
}
