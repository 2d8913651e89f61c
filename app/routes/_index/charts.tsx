/**
 * The overview's further charts: miles of 12 weeks, cost per mile by driver, requests by type. They
 * are rendered by the server and need no script; the numbers are beside them and in tables.
 */
import type { ReactNode } from "react";
import { AVERAGE_WEEKS } from "../../domain/analytics/rules.ts";
import { TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import { pluralize } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { centsPerMile, formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { FiguresTable } from "./figures-table.tsx";
import type { Overview } from "./fleet-overview.server.ts";
import { Columns, CutColumns, type Week } from "./week-columns.tsx";

const weekCents = ({ fuelCents, feeCents }: Week) => fuelCents + feeCents;

export function MilesOfWeeks({ weeks }: { weeks: readonly Week[] }) {
	const miles = weeks.reduce((sum, week) => sum + week.miles, 0);
	const cents = weeks.reduce((sum, week) => sum + weekCents(week), 0);
	return (
		<Section id="miles" title={inUnits("Miles and Cost")}>
			<Card className="grid gap-4">
				<p>
					<span className="text-xl font-semibold tabular-nums">{`${formatMiles(miles)} ${inUnits("mi")}`}</span>{" "}
					<span className="text-quiet">
						in {pluralize(weeks.length, "week")}, at {formatDollars(centsPerMile(cents, miles))} of
						fuel and {inUnits("fees per mile")}
					</span>
				</p>
				{miles > 0 ? (
					<>
						<Columns weeks={weeks} />
						<CutColumns weeks={weeks} />
					</>
				) : (
					<p>{inUnits("No miles in these weeks. Drivers' miles will appear here week by week.")}</p>
				)}
				<FiguresTable
					caption={`${inUnits("Miles")} and cost by week (${pluralize(weeks.length, "week")}), newest first`}
					of="Week"
					figures={["Miles", "Fuel and fees", "Per mile"].map(inUnits)}
					rows={weeks.toReversed().map((week) => ({
						key: week.from,
						name: formatPeriod(week),
						figures: [
							formatMiles(week.miles),
							formatDollars(weekCents(week)),
							formatDollars(centsPerMile(weekCents(week), week.miles)),
						],
					}))}
				/>
			</Card>
		</Section>
	);
}

/** A line of a bar chart: its label, the number, and a proportional bar. */
function Bar({
	label,
	value,
	percent,
	fill,
}: {
	label: ReactNode;
	value: string;
	percent: number;
	fill: "fill-fuel" | "fill-fees";
}) {
	return (
		<li className="grid gap-1">
			<span className="flex flex-wrap items-baseline justify-between gap-x-4">
				<span className="min-w-0 flex-1 basis-32 wrap-anywhere">{label}</span>
				<span className="max-w-full shrink-0 font-semibold tabular-nums">{value}</span>
			</span>
			<ShareBar percent={percent} fill={fill} />
		</li>
	);
}

/** Whole percent of the largest, at least 1 if there is anything. */
const percentOf = (part: number, most: number) =>
	part > 0 ? Math.max(1, Math.round((100 * part) / most)) : 0;

type CostBar = Overview["costs"]["over"][number];

export function CostByDriver({ costs, thresholds }: Pick<Overview, "costs" | "thresholds">) {
	const drivers = [...costs.lowest, ...costs.over];
	const most = Math.max(1, ...drivers.map(({ costCents }) => costCents));
	const overBy = ({ fuelCents, miles }: CostBar) => fuelCents - thresholds.targetCents * miles;
	const mostOver = Math.max(1, ...costs.over.map(overBy));
	const bars = (
		some: readonly CostBar[],
		fill: "fill-fuel" | "fill-fees",
		show: (driver: CostBar) => { value: string; percent: number },
	) => (
		<ul className="grid gap-3">
			{some.map((driver) => (
				<Bar
					key={driver.id}
					label={
						<a className="text-accent no-underline hover:underline" href={driverPath(driver.id)}>
							{driver.name}
						</a>
					}
					{...show(driver)}
					fill={fill}
				/>
			))}
		</ul>
	);
	return (
		<Section id="cost-by-driver" title={inUnits("Cost per Mile by Driver")}>
			<Card className="grid gap-4">
				<p className="text-sm text-quiet">Fuel only, {formatPeriod(costs.period)}.</p>
				{drivers.length === 0 ? (
					<p>{inUnits("No driver has both miles and approved fuel in this period.")}</p>
				) : null}
				{costs.lowest.length > 0 ? (
					<div className="grid gap-3">
						<h3 className="font-semibold">Lowest</h3>
						{bars(costs.lowest, "fill-fuel", ({ costCents }) => ({
							value: formatDollars(costCents),
							percent: percentOf(costCents, most),
						}))}
					</div>
				) : null}
				{costs.over.length > 0 ? (
					<div className="grid gap-3">
						<h3 className="font-semibold">
							Most over the {formatDollars(thresholds.targetCents)} target
						</h3>
						{/* Ordered by dollars, which are shown first. */}
						{bars(costs.over, "fill-fees", (driver) => ({
							value: `+${formatDollars(overBy(driver))} (${formatDollars(driver.costCents)}/${inUnits("mi")})`,
							percent: percentOf(overBy(driver), mostOver),
						}))}
					</div>
				) : null}
				{drivers.length > 0 ? (
					<FiguresTable
						caption={inUnits(
							"Cost per mile by driver, the lowest first, then those over the target",
						)}
						of="Driver"
						figures={["Fuel", "Miles", "Per mile"].map(inUnits)}
						rows={drivers.map((driver) => ({
							key: driver.id,
							name: driver.name,
							figures: [
								formatDollars(driver.fuelCents),
								formatMiles(driver.miles),
								formatDollars(driver.costCents),
							],
						}))}
					/>
				) : null}
			</Card>
		</Section>
	);
}

export function RequestsByType({ types }: { types: Overview["types"] }) {
	const most = Math.max(1, ...types.map(({ cents }) => cents));
	return (
		<Section id="requests-by-type" title="Requests by Type">
			<Card className="grid gap-4">
				<p className="text-sm text-quiet">Approved in the last {AVERAGE_WEEKS} weeks.</p>
				{types.every(({ requests }) => requests === 0) ? (
					<p>No requests were approved in this period.</p>
				) : null}
				<ul className="grid gap-3">
					{types.map(({ type, cents }) => (
						<Bar
							key={type}
							label={TYPE_LABELS[type]}
							value={formatDollars(cents)}
							percent={percentOf(cents, most)}
							fill="fill-fuel"
						/>
					))}
				</ul>
				<FiguresTable
					caption={`Approved requests by type over the last ${AVERAGE_WEEKS} weeks`}
					of="Type"
					figures={["Requests", "Approved"]}
					rows={types.map(({ type, requests, cents }) => ({
						key: type,
						name: TYPE_LABELS[type],
						figures: [requests, formatDollars(cents)],
					}))}
				/>
			</Card>
		</Section>
	);
}
