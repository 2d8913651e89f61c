/**
 * Driver Dashboard (docs/product.md §2): four figures, each with its window, recent activity, and
 * the two forms.
 */
import { MONTH_DAYS, WEEK_DAYS } from "../../domain/analytics/rules.ts";
import { askedNote, effectiveAmount } from "../../domain/fund-requests/rules.ts";
import { questionBadge } from "../../domain/fund-requests/thread.ts";
import { describeItem, type HistoryItem } from "../../domain/history/rules.ts";
import type { Viewer } from "../../ui/navigation.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { cn } from "../../ui/primitives/cn.ts";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import {
	type CalendarDate,
	formatDate,
	formatDay,
	formatLongDate,
} from "../../values/calendar-date.ts";
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
			: ["Mileage logged", `${formatMiles(item.miles)} miles logged`];
	return (
		<li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-0.5 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-6">
			<h3 className="font-semibold max-sm:col-span-2">{title}</h3>
			<p className={cn("tabular-nums max-sm:col-span-2", isVoided && "text-quiet")}>
				{isVoided ? <s>{detail}</s> : detail}
			</p>
			<p className="text-sm text-quiet">{formatDate(item.date)}</p>
			<span className="flex flex-wrap justify-end gap-1 sm:col-start-2 sm:row-span-3 sm:row-start-1">
				<Badge variant={tone}>{status}</Badge>
				{question ? <Badge variant={question.tone}>{question.label}</Badge> : null}
			</span>
		</li>
	);
}

/** Days without a trip: each opens the form for that day, or is noted as a day off. */
function UnloggedDays({ days }: { days: Dashboard["unlogged"] }) {
	if (days.length === 0) return null;
	return (
		<section aria-labelledby="unlogged">
			<h2 id="unlogged" className="text-sm font-semibold text-quiet">
				Not logged
			</h2>
			<ul>
				{days.map(({ day, words }) => (
					<li key={day} className="flex flex-wrap items-center gap-x-2">
						<span className="min-w-24 tabular-nums">{words}</span>
						<ButtonLink variant="ghost" href={`/mileage?date=${day}`}>
							Log it<span className="sr-only">{`: ${words}`}</span>
						</ButtonLink>
						<form method="post" action="/mileage">
							<input type="hidden" name="intent" value="day-off" />
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
	const { week, month, recent } = dashboard;
	const payments = [...dashboard.payments, ...dashboard.lastPaid];
	const questions = viewer.waiting?.questions ?? 0;
	return (
		<Portal viewer={viewer} current="/" title="Driver Dashboard" subtitle={formatLongDate(today)}>
			{questions > 0 ? (
				<Alert variant="wait">
					<p>
						{questions === 1
							? "1 request needs your answer"
							: `${questions} requests need your answer`}
					</p>
					<ButtonLink href="/requests#recent" variant="outline" className="justify-self-start">
						Read and answer
					</ButtonLink>
				</Alert>
			) : null}
			<div className="grid gap-3 sm:flex sm:flex-wrap">
				<ButtonLink href="/mileage" size="wide">
					Log Daily Mileage
				</ButtonLink>
				<ButtonLink href="/requests#submit" size="wide" variant="outline">
					Submit New Fund Request
				</ButtonLink>
			</div>
			{payments.length > 0 ? (
				<p className="flex flex-wrap gap-x-4 font-semibold tabular-nums">
					{payments.map((words) => (
						<a
							key={words}
							href="/history"
							className="inline-flex min-h-11 items-center text-accent"
						>
							{words}
						</a>
					))}
				</p>
			) : null}
			<UnloggedDays days={dashboard.unlogged} />
			<Stats>
				<StatCard
					label="This Week"
					value={`${formatMiles(dashboard.weekMiles)} mi`}
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
					note={`Approved $ (${MONTH_DAYS} days) ÷ miles (${WEEK_DAYS} days)`}
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
					<ul className="divide-y divide-line rounded-lg border border-line bg-surface">
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
