/**
 * 'Weekly Spend Trends' (docs/product.md §2): the week, rendered by the server with its numbers as
 * text, and the last 12 weeks as a chart and as a table.
 */
import { WEEK_DAYS } from "../../domain/analytics/rules.ts";
import { Island } from "../../islands/island.tsx";
import SpendChart from "../../islands/spend-chart.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { FiguresTable } from "./figures-table.tsx";
import type { Overview } from "./fleet-overview.server.ts";

function Share({
	label,
	cents,
	percent,
	fill,
}: {
	label: string;
	cents: number;
	percent: number;
	fill: "fill-fuel" | "fill-fees";
}) {
	return (
		<div className="grid gap-1.5">
			<dt className="font-semibold">{label}</dt>
			<dd className="m-0 grid gap-1.5">
				<span className="flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
					<span>{formatDollars(cents)}</span>
					<span className="text-quiet">{percent}% of total</span>
				</span>
				<ShareBar percent={percent} fill={fill} />
			</dd>
		</div>
	);
}

/** The week compared with the previous one, as text. */
function changeOf({ week, before }: Overview): string {
	const dates = `the previous ${WEEK_DAYS} days (${formatPeriod(before)})`;
	if (week.moreCents === 0) return `Same as ${dates}`;
	return `${formatDollars(Math.abs(week.moreCents))} ${week.moreCents > 0 ? "more" : "less"} than ${dates}`;
}

export function SpendTrends({ overview }: { overview: Overview }) {
	const { week, weeks } = overview;
	const isFirst = weeks.length === 1;
	const hasSpend = weeks.some(({ fuelCents, feeCents }) => fuelCents !== 0 || feeCents !== 0);
	return (
		<Section
			id="spend"
			title="Weekly Spend Trends"
			actions={<p className="text-quiet">{formatPeriod(week)}</p>}
		>
			<Card className="grid gap-6">
				<dl className="grid gap-5">
					<div className="grid gap-1">
						<dt className="font-semibold">Total Spend</dt>
						<dd className="m-0 grid gap-1">
							<span className="text-xl font-semibold wrap-anywhere tabular-nums sm:text-2xl">
								{formatDollars(week.spentCents)}
							</span>
							<span className="text-sm text-quiet">{changeOf(overview)}</span>
						</dd>
					</div>
					<Share
						label="Fuel Expenses"
						cents={week.fuelCents}
						percent={week.shares.fuel}
						fill="fill-fuel"
					/>
					<Share
						label="Uber Fees"
						cents={week.feeCents}
						percent={week.shares.fees}
						fill="fill-fees"
					/>
				</dl>
				<div className="grid gap-4 border-t border-line pt-4">
					<div className="grid gap-1">
						<h3 className="font-semibold">
							{isFirst ? "First week" : `Last ${weeks.length} weeks`}
						</h3>
						<p className="text-sm text-quiet">
							Approved fuel requests and Uber fees, in {WEEK_DAYS}-day weeks ending today.
						</p>
					</div>
					{hasSpend ? (
						<Island
							name="spend-chart"
							component={SpendChart}
							props={{
								weeks: weeks.map(({ miles: _, fuelCents, feeCents, ...period }) => ({
									dates: formatPeriod(period),
									begins: formatDate(period.from).replace(/,.*/, ""),
									fuelCents,
									feeCents,
								})),
							}}
						/>
					) : (
						<p>
							No spending in these weeks. Approved fuel and Uber fees will appear here week by week.
						</p>
					)}
					<FiguresTable
						caption={`Spend by week (${pluralize(weeks.length, "week")}), newest first`}
						of="Week"
						figures={["Fuel", "Fees", "Total"]}
						rows={weeks.toReversed().map(({ fuelCents, feeCents, ...period }) => ({
							key: period.from,
							name: formatPeriod(period),
							figures: [fuelCents, feeCents, fuelCents + feeCents].map(formatDollars),
						}))}
						isDense={false}
					/>
				</div>
			</Card>
		</Section>
	);
}
