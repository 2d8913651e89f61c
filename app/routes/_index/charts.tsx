/**
 * The overview's further charts: miles of 12 weeks, cost per mile by driver, requests by type. They
 * are drawn by the server and need no script; the numbers stand beside them and in tables.
 */
import type { ReactNode } from "react";
import { AVERAGE_WEEKS } from "../../domain/analytics/rules.ts";
import { driverPath } from "../../domain/drivers/search.ts";
import { TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import { formatMiles } from "../../values/miles.ts";
import { centsPerMile, formatDollars } from "../../values/money.ts";
import type { Overview } from "./fleet-overview.server.ts";
import { shownPeriod } from "./spend-trends.tsx";
import { Columns, type Week } from "./week-columns.tsx";

function AsTable({ children }: { children: ReactNode }) {
	return (
		<details>
			<summary className="py-2.5 font-semibold text-accent">Show as table</summary>
			{children}
		</details>
	);
}

const weekCents = ({ fuelCents, feeCents }: Week) => fuelCents + feeCents;

function MilesOfWeeks({ weeks }: { weeks: readonly Week[] }) {
	const miles = weeks.reduce((sum, week) => sum + week.miles, 0);
	const cents = weeks.reduce((sum, week) => sum + weekCents(week), 0);
	return (
		<Section id="miles" title="Miles and Cost">
			<Card className="grid gap-4">
				<p>
					<span className="text-xl font-semibold tabular-nums">{formatMiles(miles)} mi</span>{" "}
					<span className="text-quiet">
						in {AVERAGE_WEEKS} weeks, at {formatDollars(centsPerMile(cents, miles))} of fuel and
						fees per mile
					</span>
				</p>
				{miles > 0 ? <Columns weeks={weeks} /> : <p>No miles in these weeks.</p>}
				<AsTable>
					<DataTable
						isDense
						caption={`Miles and cost over the last ${AVERAGE_WEEKS} weeks, newest first`}
						columns={[
							{ head: "Week" },
							{ head: "Miles", isNumber: true },
							{ head: "Fuel and fees", isNumber: true },
							{ head: "Per mile", isNumber: true },
						]}
					>
						{weeks.toReversed().map((week) => (
							<tr key={week.from}>
								<TableRowHead className="max-sm:justify-start max-sm:text-start">
									{shownPeriod(week)}
								</TableRowHead>
								<TableCell label="Miles" isNumber>
									{formatMiles(week.miles)}
								</TableCell>
								<TableCell label="Fuel and fees" isNumber>
									{formatDollars(weekCents(week))}
								</TableCell>
								<TableCell label="Per mile" isNumber>
									{formatDollars(centsPerMile(weekCents(week), week.miles))}
								</TableCell>
							</tr>
						))}
					</DataTable>
				</AsTable>
			</Card>
		</Section>
	);
}

/** A line of a bar chart: whose or what, the number, and a bar as long as it is large. */
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
			<span className="flex items-baseline justify-between gap-4">
				<span className="min-w-0 wrap-anywhere">{label}</span>
				<span className="shrink-0 font-semibold tabular-nums">{value}</span>
			</span>
			<ShareBar percent={percent} fill={fill} />
		</li>
	);
}

/** Whole percent of the largest, at least 1 where there is anything. */
const percentOf = (part: number, most: number) =>
	part > 0 ? Math.max(1, Math.round((100 * part) / most)) : 0;

function CostByDriver({ costs, thresholds }: Pick<Overview, "costs" | "thresholds">) {
	const drivers = [...costs.lowest, ...costs.over];
	const most = Math.max(1, ...drivers.map(({ costCents }) => costCents));
	const bars = (some: Overview["costs"]["over"], fill: "fill-fuel" | "fill-fees") => (
		<ul className="grid gap-3">
			{some.map(({ id, name, costCents }) => (
				<Bar
					key={id}
					label={
						<a className="text-accent no-underline hover:underline" href={driverPath(id)}>
							{name}
						</a>
					}
					value={formatDollars(costCents)}
					percent={percentOf(costCents, most)}
					fill={fill}
				/>
			))}
		</ul>
	);
	return (
		<Section id="cost-by-driver" title="Cost per Mile by Driver">
			<Card className="grid gap-4">
				<p className="text-sm text-quiet">Fuel only, {shownPeriod(costs.period)}.</p>
				{drivers.length === 0 ? <p>No fuel was approved in this period.</p> : null}
				{costs.lowest.length > 0 ? (
					<div className="grid gap-3">
						<h3 className="font-semibold">Lowest</h3>
						{bars(costs.lowest, "fill-fuel")}
					</div>
				) : null}
				{costs.over.length > 0 ? (
					<div className="grid gap-3">
						<h3 className="font-semibold">
							Most over the {formatDollars(thresholds.targetCents)} target
						</h3>
						{bars(costs.over, "fill-fees")}
					</div>
				) : null}
				{drivers.length > 0 ? (
					<AsTable>
						<DataTable
							isDense
							caption="Cost per mile by driver, the lowest first, then those over the target"
							columns={[
								{ head: "Driver" },
								{ head: "Fuel", isNumber: true },
								{ head: "Miles", isNumber: true },
								{ head: "Per mile", isNumber: true },
							]}
						>
							{drivers.map((driver) => (
								<tr key={driver.id}>
									<TableRowHead className="max-sm:justify-start max-sm:text-start">
										{driver.name}
									</TableRowHead>
									<TableCell label="Fuel" isNumber>
										{formatDollars(driver.fuelCents)}
									</TableCell>
									<TableCell label="Miles" isNumber>
										{formatMiles(driver.miles)}
									</TableCell>
									<TableCell label="Per mile" isNumber>
										{formatDollars(driver.costCents)}
									</TableCell>
								</tr>
							))}
						</DataTable>
					</AsTable>
				) : null}
			</Card>
		</Section>
	);
}

function RequestsByType({ types }: { types: Overview["types"] }) {
	const most = Math.max(1, ...types.map(({ cents }) => cents));
	return (
		<Section id="requests-by-type" title="Requests by Type">
			<Card className="grid gap-4">
				<p className="text-sm text-quiet">Approved in the last {AVERAGE_WEEKS} weeks.</p>
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
				<AsTable>
					<DataTable
						isDense
						caption={`Approved requests by type over the last ${AVERAGE_WEEKS} weeks`}
						columns={[
							{ head: "Type" },
							{ head: "Requests", isNumber: true },
							{ head: "Approved", isNumber: true },
						]}
					>
						{types.map(({ type, requests, cents }) => (
							<tr key={type}>
								<TableRowHead>{TYPE_LABELS[type]}</TableRowHead>
								<TableCell label="Requests" isNumber>
									{requests}
								</TableCell>
								<TableCell label="Approved" isNumber>
									{formatDollars(cents)}
								</TableCell>
							</tr>
						))}
					</DataTable>
				</AsTable>
			</Card>
		</Section>
	);
}

export function Charts({ overview }: { overview: Overview }) {
	return (
		<div className="grid items-start gap-6 xl:grid-cols-2">
			<div className="grid gap-6">
				<MilesOfWeeks weeks={overview.weeks} />
				<RequestsByType types={overview.types} />
			</div>
			<CostByDriver {...overview} />
		</div>
	);
}
