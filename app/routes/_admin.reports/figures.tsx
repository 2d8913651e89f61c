/** The panels beside the forms: spending, miles and targets, each with the dates it covers. */
import { Badge } from "../../ui/primitives/badge.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import type { ReportsData } from "./view.server.ts";

type Line = readonly [label: string, value: string, note?: string];

function Lines({ lines }: { lines: readonly Line[] }) {
	return (
		<dl className="grid divide-y divide-line">
			{lines.map(([label, value, note]) => (
				<div
					key={label}
					className="flex flex-wrap items-baseline justify-between gap-x-4 py-3 first:pt-0 last:pb-0"
				>
					<dt className="grid min-w-0 flex-1 basis-32">
						<span>{label}</span>
						{note ? <span className="text-sm text-quiet">{note}</span> : null}
					</dt>
					<dd className="ms-auto max-w-full text-lg font-semibold wrap-anywhere tabular-nums">
						{value}
					</dd>
				</div>
			))}
		</dl>
	);
}

function Share({
	label,
	percent,
	fill,
}: {
	label: string;
	percent: number;
	fill: "fill-fuel" | "fill-fees";
}) {
	return (
		<div className="grid gap-1">
			<span className="flex justify-between gap-4 text-sm">
				<span>{label}</span>
				<span className="tabular-nums">{percent}%</span>
			</span>
			<ShareBar percent={percent} fill={fill} />
		</div>
	);
}

export function ExpenseBreakdown({ data }: { data: ReportsData }) {
	const { fuel, fees, spend, shares, windows } = data;
	return (
		<Card className="grid content-start gap-4">
			<p className="text-sm text-quiet">{windows.week}</p>
			<Lines
				lines={[
					["Fuel Expenses", fuel],
					["Uber Fees", fees],
					["Total", spend],
				]}
			/>
			<Share label="Fuel share" percent={shares.fuel} fill="fill-fuel" />
			<Share label="Uber fees share" percent={shares.fees} fill="fill-fees" />
		</Card>
	);
}

export function PerformanceTrends({ data }: { data: ReportsData }) {
	const { miles, activeDrivers, averageSpend, windows } = data;
	return (
		<Card>
			<Lines
				lines={[
					[inUnits("Total Miles"), miles, windows.month],
					["Active Drivers", activeDrivers, `At least one trip, ${windows.month}`],
					["Average Weekly Spend", averageSpend, windows.weeks],
				]}
			/>
		</Card>
	);
}

export function SummaryStatistics({ data }: { data: ReportsData }) {
	const { spend, miles, perMile, isAboveTarget, aboveTargetOver, shares, targetRatio, windows } =
		data;
	return (
		<Stats>
			<StatCard label="Total Weekly Spend" value={spend} note={windows.week} />
			<StatCard label="Total Miles" value={miles} note={windows.month} />
			<div className="grid content-start gap-1 surface p-3 sm:p-4">
				<dt className="text-sm text-quiet">{inUnits("Avg Cost per Mile")}</dt>
				<dd className="m-0 grid justify-items-start gap-1 *:whitespace-normal">
					<span className="figure font-semibold tabular-nums">{perMile}</span>
					<Badge variant={isAboveTarget ? "wait" : "good"}>
						{isAboveTarget ? "Above target" : "Within target"}
					</Badge>
					<span className="text-sm text-quiet">{`Above target = over ${aboveTargetOver}`}</span>
					<span className="text-sm text-quiet">{windows.month}</span>
				</dd>
			</div>
			<StatCard
				label="Fuel:Uber Ratio"
				value={`${shares.fuel}:${shares.fees}`}
				note={
					<>
						<span className="block">{`Target: ${targetRatio}`}</span>
						<span className="block">{windows.week}</span>
					</>
				}
			/>
		</Stats>
	);
}
