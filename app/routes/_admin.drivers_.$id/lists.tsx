/** The latest of each kind, each with a link to all of it. */
import type { ReactNode } from "react";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import type { PageLinks } from "../../values/cursor.ts";
import { inUnits } from "../../values/fleet-units.ts";
import type { DriverData } from "./view.server.ts";

type Props = { data: DriverData };

/** As high as a finger needs, in a line as high as its text. */
const link = "-my-2 inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-accent";

/** A list, or its message while it is empty. */
export function Latest({
	id,
	title,
	all,
	actions,
	empty,
	pages,
	children,
}: {
	id: string;
	title: string;
	all?: { href: string; words: string };
	/** Beside the heading, instead of the link to all of it. */
	actions?: ReactNode;
	empty: string;
	pages?: PageLinks;
	children: ReactNode[];
}) {
	return (
		<Section
			id={id}
			title={title}
			actions={
				actions ??
				(all && children.length > 0 ? (
					<ButtonLink variant="outline" href={all.href} className="no-print">
						{all.words}
					</ButtonLink>
				) : null)
			}
		>
			{children.length > 0 ? (
				<ul className="divide-y divide-line surface">{children}</ul>
			) : (
				<Empty {...(pages ? { pages } : {})}>{empty}</Empty>
			)}
		</Section>
	);
}

/** What and how much on one line, when and how below it. */
export function Item({
	what,
	amount,
	under,
	badge,
}: {
	what: ReactNode;
	amount?: string;
	under: string;
	badge?: ReactNode;
}) {
	return (
		<li className="grid gap-x-4 px-4 py-2">
			<span className="flex flex-wrap items-center justify-between gap-x-4">
				<span className="min-w-0 flex-[1_1_7rem] wrap-anywhere">{what}</span>
				<span className="ms-auto text-end font-semibold tabular-nums">{amount}</span>
			</span>
			<span className="flex flex-wrap items-center justify-between gap-x-4">
				<span className="min-w-0 text-sm wrap-anywhere text-quiet">{under}</span>
				{badge ? <span className="ms-auto flex flex-wrap justify-end gap-1">{badge}</span> : null}
			</span>
		</li>
	);
}

export function Requests({ data: { requests, person } }: Props) {
	return (
		<Latest
			id="requests"
			title="Latest fund requests"
			all={{ href: `/fund-requests?driver=${person.id}`, words: "All requests" }}
			empty="No fund requests yet"
		>
			{requests.map((row) => (
				<Item
					key={row.id}
					what={
						<>
							<a className={link} href={row.href}>
								{row.number}
							</a>
							{` ${row.type}`}
						</>
					}
					amount={row.amount}
					under={[row.date, row.payment].filter(Boolean).join(" · ")}
					badge={
						<>
							<Badge variant={row.tone}>{row.status}</Badge>
							{row.question ? (
								<Badge variant={row.question.tone}>{row.question.label}</Badge>
							) : null}
						</>
					}
				/>
			))}
		</Latest>
	);
}

export function Trips({ data: { trips, allTrips } }: Props) {
	return (
		<Latest
			id="trips"
			title="Latest trips"
			all={{ href: allTrips, words: "All mileage" }}
			empty={inUnits("No miles logged yet")}
		>
			{trips.map((row) => (
				<Item
					key={row.id}
					what={row.date}
					amount={`${row.miles} ${inUnits("mi")}`}
					under={row.readings}
					badge={row.isVoided ? <Badge>Voided</Badge> : null}
				/>
			))}
		</Latest>
	);
}

export function Payouts({ data: { payouts, person } }: Props) {
	return (
		<Latest
			id="payouts"
			title="Latest payouts"
			all={{ href: `/payouts?driver=${person.id}#payouts`, words: "All payouts" }}
			empty="No payouts yet"
		>
			{payouts.map((row) => (
				<Item
					key={row.id}
					what={
						<a className={link} href={`/payouts/${row.id}`}>
							{row.number}
						</a>
					}
					amount={row.amount}
					under={row.under}
					badge={<Badge variant={row.tone}>{row.status}</Badge>}
				/>
			))}
		</Latest>
	);
}

export function Fees({ data: { charges, person } }: Props) {
	return (
		<Latest
			id="fees"
			title="Latest Uber fees"
			all={{ href: `/uber-fees?driver=${person.id}#fees`, words: "All fees" }}
			empty="No Uber fees yet"
		>
			{charges.map((row) => (
				<Item
					key={row.id}
					what={<span className="capitalize">{row.category}</span>}
					amount={row.amount}
					under={[row.date, row.reference].filter(Boolean).join(" · ")}
					badge={row.isCredit ? <Badge>Credit</Badge> : null}
				/>
			))}
		</Latest>
	);
}

/** Their latest weeks, in any state. */
export function Settlements({ data: { settlements } }: Props) {
	if (settlements.length === 0) return null;
	return (
		<Latest
			id="settlements"
			title="Settlements"
			all={{ href: "/settlements", words: "All settlements" }}
			empty=""
		>
			{settlements.map(({ id, number, href, week, result, status, tone }) => (
				<Item
					key={id}
					what={
						<a className={link} href={href}>
							{number}
						</a>
					}
					amount={result}
					under={week}
					badge={<Badge variant={tone}>{status}</Badge>}
				/>
			))}
		</Latest>
	);
}

/** Weeks of imported statements, if there are any: fares, with the rest below. */
export function Weeks({ data: { weeks } }: Props) {
	if (weeks.length === 0) return null;
	return (
		<Latest id="weeks" title="Fares by week" empty="">
			{weeks.map(({ week, fares, under }) => (
				<Item key={week} what={week} amount={fares} under={under} />
			))}
		</Latest>
	);
}

/** What is unusual about the latest trips and requests, if anything. */
export function Flags({ data: { flagged, flaggedTrips } }: Props) {
	if (flagged.length === 0) return null;
	return (
		<Latest
			id="flags"
			title="Flags"
			all={{
				href: `${flaggedTrips}#entries`,
				words: "Flagged trips",
			}}
			empty=""
		>
			{flagged.map(({ id, words, of, href }) => (
				<li
					key={id}
					className="flex flex-wrap items-center gap-x-3 px-4 py-2 [&>span]:whitespace-normal"
				>
					<a className="inline-flex min-h-11 items-center font-semibold text-accent" href={href}>
						{of}
					</a>
					{words.map((word) => (
						<Badge key={word} variant="wait">
							{word}
						</Badge>
					))}
				</li>
			))}
		</Latest>
	);
}
