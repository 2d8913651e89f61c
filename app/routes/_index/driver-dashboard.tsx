/**
 * Driver Dashboard (docs/product.md §2): four figures, each with its window, recent activity, and
 * the two forms.
 */

import { clsx } from "clsx";
import { MONTH_DAYS, WEEK_DAYS } from "../../domain/analytics/rules.ts";
import { questionBadge } from "../../domain/fund-requests/question-badge.ts";
import { askedNote, effectiveAmount } from "../../domain/fund-requests/rules.ts";
import { describeItem, type HistoryItem } from "../../domain/history/rules.ts";
import type { Viewer } from "../../ui/navigation.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import {
	type CalendarDate,
	formatDate,
	formatDay,
	formatLongDate,
	formatRecentDay,
} from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { Period } from "../../values/period.ts";
import type { Dashboard } from "./driver-dashboard.server.ts";

/** Short, so that a narrow card shows it on one line; the year is in the screen's date. */
const formatDays = ({ from, to }: Period) => `${formatDay(from)} – ${formatDay(to)}`;

/** ` (asked $42.10)`, for a request approved for less. */
const askedSuffix = (item: Parameters<typeof askedNote>[0]) => {
	const note = askedNote(item);
	return note ? ` (${note})` : "";
};

/** A line of Recent Activity, which opens what it is about. */
function Activity({ item }: { item: HistoryItem }) {
	const { status, tone } = describeItem(item);
	const question = item.kind === "request" ? questionBadge(item) : undefined;
	const isVoided = item.kind === "mileage" && item.isVoided;
	const [title, detail] =
		item.kind === "request"
			? [
					`Fund request ${item.status}`,
					`${formatDollars(effectiveAmount(item))} for ${item.type} request${askedSuffix(item)}`,
				]
			: ["Mileage logged", `${formatMiles(item.miles)} ${inUnits("miles")} logged`];
	const isAsked = item.kind === "request" && item.question === "asked";
	return (
		<li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-1.5 hover:bg-sunken @max-[15rem]:grid-cols-1 sm:px-4">
			<h3 className="text-sm font-semibold">
				<a
					className="text-ink no-underline after:absolute after:inset-0"
					href={isAsked ? `/requests#request-${item.id}` : `/history?open=${item.kind}-${item.id}`}
				>
					{title}
				</a>
			</h3>
			<p className={clsx("text-sm tabular-nums", isVoided && "text-quiet")}>
				{isVoided ? <s>{detail}</s> : detail}
			</p>
			<p className="text-end text-sm text-quiet @max-[15rem]:text-start">{formatDate(item.date)}</p>
			<span className="col-start-2 row-start-1 justify-self-end @max-[15rem]:col-auto @max-[15rem]:row-auto @max-[15rem]:justify-self-start">
				{/* The title says that it is pending. */}
				{question ? (
					<Badge variant={question.tone}>{question.label}</Badge>
				) : (
					<Badge variant={tone}>{status}</Badge>
				)}
			</span>
		</li>
	);
}

/** What is to be paid, what was paid last, and on a separate line the last settled week. */
function Money({ payments, lastWeek }: Pick<Dashboard, "payments" | "lastWeek">) {
	if (payments.length === 0 && !lastWeek) return null;
	return (
		<div className="flex flex-wrap gap-3">
			{payments.length > 0 ? <Links links={payments} /> : null}
			{lastWeek ? <Links links={[lastWeek]} /> : null}
		</div>
	);
}

function Links({ links }: { links: Dashboard["payments"] }) {
	return (
		<p className="flex flex-wrap divide-x divide-line surface font-semibold tabular-nums max-sm:w-full">
			{links.map(({ words, href }) => (
				<a
					key={words}
					href={href}
					className="inline-flex min-h-11 grow basis-0 items-center px-3 py-1 text-accent sm:basis-auto sm:px-4"
				>
					{words}
				</a>
			))}
		</p>
	);
}

/** Days without a trip: each opens the form for that day, or is noted as a day off. */
function UnloggedDays({ days, viewerId }: { days: Dashboard["unlogged"]; viewerId: string }) {
	if (days.length === 0) return null;
	return (
		<section aria-labelledby="unlogged" className="grid gap-1">
			<h2 id="unlogged" className="text-sm font-semibold text-quiet">
				Not logged
			</h2>
			<ul className="divide-y divide-line surface sm:w-fit">
				{days.map(({ day, words }) => (
					<li key={day} className="flex flex-wrap items-center ps-3 sm:ps-4">
						<span className="min-w-24 grow tabular-nums">{words}</span>
						<ButtonLink variant="ghost" href={`/mileage?date=${day}`}>
							Log it<span className="sr-only">{`: ${words}`}</span>
						</ButtonLink>
						<form method="post" action="/mileage">
							<input type="hidden" name="intent" value="day-off" />
							<input type="hidden" name="asUser" value={viewerId} />
							<input type="hidden" name="date" value={day} />
							<Button variant="ghost">
								Day off<span className="sr-only">{`: ${words}`}</span>
							</Button>
						</form>
					</li>
				))}
			</ul>
		</section>
	);
}

export function DriverDashboard({
	viewer,
	today,
	dashboard,
}: {
	viewer: Viewer;
	today: CalendarDate;
	dashboard: Dashboard;
}) {
	const { week, month, recent, lastEnding } = dashboard;
	const questions = viewer.waiting?.questions ?? 0;
	return (
		<Portal viewer={viewer} current="/" title="Driver Dashboard" subtitle={formatLongDate(today)}>
			{questions > 0 ? (
				<Alert variant="wait" className="py-1.5">
					<div className="flex flex-wrap items-center gap-2">
						<p className="min-w-0 flex-1 basis-40">
							{questions === 1
								? "1 request needs your answer"
								: `${questions} requests need your answer`}
						</p>
						<ButtonLink href="/requests#recent" variant="outline">
							Answer
						</ButtonLink>
					</div>
				</Alert>
			) : null}
			<div className="grid gap-3 sm:grid-flow-col sm:justify-start">
				<div className="grid content-start gap-1">
					<ButtonLink href="/mileage" size="wide">
						Log Daily Mileage
					</ButtonLink>
					{lastEnding ? (
						<p className="text-sm text-quiet">
							{`Last reading ${formatMiles(lastEnding.endMiles)} on ${formatRecentDay(lastEnding.drivenOn, today)}`}
						</p>
					) : null}
				</div>
				<ButtonLink href="/requests#submit" size="wide" variant="outline" className="self-start">
					Submit New Fund Request
				</ButtonLink>
			</div>
			<Money payments={dashboard.payments} lastWeek={dashboard.lastWeek} />
			<UnloggedDays days={dashboard.unlogged} viewerId={viewer.id} />
			<Stats>
				<StatCard
					label="This Week"
					value={`${formatMiles(dashboard.weekMiles)} ${inUnits("mi")}`}
					note={formatDays(week)}
				/>
				<StatCard
					label="Pending Requests"
					value={String(dashboard.pending)}
					note="Awaiting a decision"
				/>
				<StatCard
					label="This Month"
					value={formatDollars(dashboard.monthCents)}
					note={`Approved, ${formatDays(month)}`}
				/>
				<StatCard
					label="Avg per Mile"
					value={formatDollars(dashboard.averageCents)}
					note={inUnits(`Approved $ (${MONTH_DAYS} days) ÷ miles (${WEEK_DAYS} days)`)}
				/>
			</Stats>
			<Section
				id="recent"
				title="Recent Activity"
				actions={
					<ButtonLink variant="ghost" href="/history" className="px-0">
						View all activity
					</ButtonLink>
				}
			>
				{recent.length > 0 ? (
					<ul className="@container divide-y divide-line surface">
						{recent.map((item) => (
							<Activity key={item.id} item={item} />
						))}
					</ul>
				) : (
					<Empty>No recent activity</Empty>
				)}
			</Section>
		</Portal>
	);
}
