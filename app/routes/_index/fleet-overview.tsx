/**
 * Fleet Overview (docs/product.md §2): the fleet at a glance: its figures, what needs attention,
 * the week's spending, top drivers.
 */

import { clsx } from "clsx";
import { type Alert, WEEK_DAYS } from "../../domain/analytics/rules.ts";
import { countParts } from "../../domain/payouts/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Viewer } from "../../ui/navigation.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useMay } from "../../ui/use-may.ts";
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { CostByDriver, MilesOfWeeks, RequestsByType } from "./charts.tsx";
import type { FirstSteps as FirstStepsView } from "./first-steps.server.ts";
import { FirstSteps } from "./first-steps.tsx";
import type { Overview } from "./fleet-overview.server.ts";
import { SpendTrends } from "./spend-trends.tsx";

const APPLICATIONS = { href: "/drivers", words: "Review applications" } as const;
const REQUESTS = { href: "/fund-requests?status=pending", words: "Review requests" } as const;
const PAYOUTS = { href: "/payouts", words: "Pay what is owed" } as const;
const QUESTIONS = { href: "/settlements#questions", words: "Answer drivers" } as const;
const FEES = { href: "/uber-fees", words: "Review fees" } as const;

const looks = {
	wait: { icon: "warning", line: "border-wait bg-wait-soft", mark: "text-wait" },
	good: { icon: "check", line: "border-good bg-good-soft", mark: "text-good" },
	note: { icon: "clock", line: "border-line bg-surface", mark: "text-quiet" },
} as const;

type Status = {
	readonly look: keyof typeof looks;
	readonly title: string;
	readonly text: string;
	/** What it is judged by, if the text doesn't say. */
	readonly basis?: string;
	readonly go?: { readonly href: string; readonly words: string };
};

const linesOfAlerts: Readonly<Record<Alert["kind"], Pick<Status, "look" | "go">>> = {
	pending: { look: "wait", go: REQUESTS },
	fees: { look: "wait", go: FEES },
	none: { look: "good" },
};

/** The alerts of docs/product.md §9, and whatever else is pending. */
function statusOf({
	alerts,
	pendingRequests,
	applications,
	unpaid,
	questions,
	thresholds: { pendingAlertOver, feeAlertOverCents },
}: Overview): Status[] {
	const lines: Status[] = alerts.map(({ kind, title, text }) => ({
		title,
		text,
		...linesOfAlerts[kind],
		...(kind === "fees" ? { basis: `Typical = up to ${formatDollars(feeAlertOverCents)}` } : {}),
	}));
	if (pendingRequests > 0 && pendingRequests <= pendingAlertOver)
		lines.push({
			look: "note",
			title:
				pendingRequests === 1
					? "1 fund request awaiting a decision"
					: `${pendingRequests} fund requests awaiting a decision`,
			text: `Up to ${pendingAlertOver} is within the normal range.`,
			go: REQUESTS,
		});
	if (questions > 0)
		lines.push({
			look: "note",
			title: `${pluralize(questions, "question")} about settled weeks`,
			text:
				questions === 1 ? "A driver is waiting for an answer." : "Drivers are waiting for answers.",
			go: QUESTIONS,
		});
	if (unpaid.cents > 0)
		lines.push({
			look: "note",
			title: `${formatDollars(unpaid.cents)} approved but unpaid`,
			text: `${countParts(unpaid)}${unpaid.openCents > 0 ? `, ${formatDollars(unpaid.openCents)} of it in open payouts` : ""}.`,
			go: PAYOUTS,
		});
	if (applications > 0)
		lines.push({
			look: "note",
			title:
				applications === 1
					? "1 driver application awaiting review"
					: `${applications} driver applications awaiting review`,
			text: "New drivers don't have access until they're approved.",
			go: APPLICATIONS,
		});
	return lines;
}

/** What needs doing, in a line above the charts; 'System Status' says more about each. */
function ToDo({ overview }: { overview: Overview }) {
	const may = useMay();
	const { pendingRequests, applications, unpaid, questions } = overview;
	const jobs = [
		{
			count: pendingRequests,
			words: `Decide ${pluralize(pendingRequests, "request")}`,
			go: REQUESTS,
		},
		{
			count: applications,
			words: `Review ${pluralize(applications, "application")}`,
			go: APPLICATIONS,
		},
		{
			count: questions,
			words: `Answer ${pluralize(questions, "question")}`,
			go: QUESTIONS,
		},
		{
			count: unpaid.requests + unpaid.settlements,
			words: `Pay ${formatDollars(unpaid.cents)}`,
			go: PAYOUTS,
		},
	].filter(({ count, go }) => count > 0 && may("POST", go.href));
	if (jobs.length === 0) return null;
	return (
		<nav aria-label="To do" className="no-print">
			<ul className="flex flex-wrap gap-2">
				{jobs.map(({ words, go }) => (
					<li key={go.href}>
						<a
							href={go.href}
							className="inline-flex min-h-11 items-center rounded-full border border-accent bg-accent-soft px-4 font-semibold text-accent no-underline"
						>
							{words}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
}

function StatusLine({ look, title, text, basis, go }: Status) {
	const may = useMay();
	const { icon, line, mark } = looks[look];
	return (
		<li
			className={clsx(
				"flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-s-4 p-3 sm:px-4",
				line,
			)}
		>
			<div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
				<Icon name={icon} className={clsx("mt-0.5 size-5", mark)} />
				<div className="min-w-0">
					<h3 className="font-semibold">{title}</h3>
					<p className="wrap-anywhere">{text}</p>
					{basis ? <p className="text-sm text-quiet">{basis}</p> : null}
				</div>
			</div>
			{go && may("POST", go.href) ? (
				<ButtonLink variant="outline" size="wide" className="no-print" href={go.href}>
					{go.words}
				</ButtonLink>
			) : null}
		</li>
	);
}

function TopDriver({ driver }: { driver: Overview["top"][number] }) {
	return (
		<li className="flex flex-wrap items-center gap-3 p-4">
			<span
				aria-hidden="true"
				className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent print:border"
			>
				{driver.initials}
			</span>
			<div className="grid min-w-0 flex-[1_1_5rem] gap-0.5">
				<h3 className="font-semibold wrap-anywhere">
					<a
						className="inline-flex min-h-11 items-center text-accent no-underline hover:underline"
						href={driverPath(driver.id)}
					>
						{driver.name}
					</a>
				</h3>
				<p className="text-sm text-quiet">{driver.code}</p>
			</div>
			<div className="grid shrink-0 justify-items-end gap-0.5 tabular-nums">
				<p className="font-semibold">{`${formatMiles(driver.miles)} ${inUnits("mi")}`}</p>
				<p className="text-sm text-quiet">{`${formatDollars(driver.costCents)} ${inUnits("per mile")}`}</p>
				<Badge variant={driver.label === "Efficient" ? "good" : "quiet"}>
					{inUnits(driver.label)}
				</Badge>
			</div>
		</li>
	);
}

export function FleetOverview({
	viewer,
	today,
	overview,
	firstSteps,
}: {
	viewer: Viewer;
	today: CalendarDate;
	overview: Overview;
	firstSteps: FirstStepsView | undefined;
}) {
	const { week, top } = overview;
	return (
		<Portal
			viewer={viewer}
			current="/"
			title="Fleet Overview"
			subtitle={`Week of ${formatDate(today)}`}
		>
			<FirstSteps view={firstSteps} isFirst />
			<Stats>
				<StatCard
					label="Total Drivers"
					value={String(overview.drivers)}
					note="Active and approved"
				/>
				<StatCard
					label="Pending Requests"
					value={String(overview.pendingRequests)}
					note="Awaiting a decision"
				/>
				<StatCard
					label="Total Uber Fees"
					value={formatDollars(overview.feeCents)}
					note="All time"
				/>
				<StatCard label="Total Miles" value={formatMiles(overview.miles)} note="All time" />
			</Stats>
			<ToDo overview={overview} />
			{/* Two columns on a desktop, as long as their contents. */}
			<div className="grid items-start gap-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)] xl:grid-rows-[auto_1fr]">
				<SpendTrends overview={overview} />
				<div className="grid gap-6 xl:row-span-2">
					<Section id="top-drivers" title="Top Drivers This Week">
						{top.length > 0 ? (
							<>
								<ol className="divide-y divide-line surface">
									{top.map((driver) => (
										<TopDriver key={driver.id} driver={driver} />
									))}
								</ol>
								<p className="text-sm text-quiet">
									{inUnits("Ranked by miles")}, last {WEEK_DAYS} days ({formatPeriod(week)}).
									Efficient = under{" "}
									{`${formatDollars(overview.thresholds.goodUnderCents)} ${inUnits("of fuel per mile.")}`}
								</p>
							</>
						) : (
							<Empty>No driver data available</Empty>
						)}
					</Section>
					<Section id="status" title="System Status">
						<ul className="grid gap-3">
							{statusOf(overview).map((line) => (
								<StatusLine key={line.title} {...line} />
							))}
						</ul>
					</Section>
					<CostByDriver {...overview} />
				</div>
				<div className="grid gap-6">
					<MilesOfWeeks weeks={overview.weeks} />
					<RequestsByType types={overview.types} />
				</div>
			</div>
			<FirstSteps view={firstSteps} isFirst={false} />
		</Portal>
	);
}
