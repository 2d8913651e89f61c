/** The sums of a driver's window or year, in a line of figures. */
import { feeCents, feeCount, requestCents, type Totals } from "../../domain/analytics/rules.ts";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { pluralize } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { HistoryData } from "./view.server.ts";

const approvedCount = ({ fuelRequests, maintenanceRequests, otherRequests }: Totals) =>
	fuelRequests + maintenanceRequests + otherRequests;

type Figure = { readonly label: string; readonly value: string; readonly note: string };

const milesOf = (totals: Totals): Figure => ({
	label: inUnits("Miles"),
	value: formatMiles(totals.miles),
	note: pluralize(totals.trips, "trip"),
});

const requestsOf = (totals: Totals): readonly Figure[] => [
	{
		label: "Approved",
		value: formatDollars(requestCents(totals)),
		note: pluralize(approvedCount(totals), "request"),
	},
	{
		label: "Pending",
		value: formatDollars(totals.pendingCents),
		note: pluralize(totals.pendingRequests, "request"),
	},
];

const paymentsOf = ({
	requests,
	paid,
	cents,
	paidCents,
}: NonNullable<HistoryData["paid"]>): readonly Figure[] => [
	{ label: "Paid", value: formatDollars(paidCents), note: pluralize(paid, "request") },
	{
		label: "To be paid",
		value: formatDollars(cents - paidCents),
		note: pluralize(requests - paid, "request"),
	},
];

/** Of everything that the filters show, on all pages. */
export function FilterTotals({
	totals,
	paid,
	type,
}: Pick<HistoryData, "totals" | "paid" | "type">) {
	const figures = [
		...(type === "requests" ? [] : [milesOf(totals)]),
		...(type === "mileage" ? [] : requestsOf(totals)),
		...(type === "mileage" || !paid ? [] : paymentsOf(paid)),
	];
	return (
		<div className="grid gap-2">
			<dl className="flex flex-wrap gap-y-3 overflow-hidden surface py-3">
				{figures.map(({ label, value, note }) => (
					<div
						key={label}
						className="-ms-px grid grow content-start border-s border-line px-3 sm:px-4"
					>
						<dt className="text-sm text-quiet">{label}</dt>
						<dd className="m-0 grid">
							<span className="text-base font-semibold whitespace-nowrap tabular-nums sm:text-lg">
								{value}
							</span>
							<span className="text-sm text-quiet">{note}</span>
						</dd>
					</div>
				))}
			</dl>
			<p className="text-sm text-quiet">
				Voided trips and rejected or withdrawn requests are listed but not counted.
			</p>
		</div>
	);
}

/** Of the calendar year so far. */
export function YearTotals({ totals }: { totals: Totals }) {
	const fees = {
		label: "Uber fees",
		value: formatDollars(feeCents(totals)),
		note: pluralize(feeCount(totals), "fee"),
	};
	return (
		<Stats columns={4}>
			{[milesOf(totals), ...requestsOf(totals), fees].map((figure) => (
				<StatCard key={figure.label} {...figure} />
			))}
		</Stats>
	);
}
