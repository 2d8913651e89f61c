/** A driver's downloads for a calendar year: their mileage log and a summary. */
import { PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import { YearTotals } from "./totals.tsx";
import type { HistoryData } from "./view.server.ts";

const LOG = "/history/tax-year";
const SUMMARY = "/history/year-summary";

/** A button for each file: its format, and its URL. */
function Download({ address, format, label }: { address: string; format: string; label: string }) {
	return (
		<Button variant="outline" name="format" value={format} formAction={address}>
			{label}
		</Button>
	);
}

export function YourYear({
	years,
	thisYear,
}: {
	years: readonly number[];
	thisYear: HistoryData["thisYear"];
}) {
	return (
		<>
			<h3 className="font-semibold">{`${thisYear.name} so far`}</h3>
			<YearTotals totals={thisYear.totals} />
			<Files years={years} />
		</>
	);
}

function Files({ years }: { years: readonly number[] }) {
	return (
		<Card className="grid gap-4 print:hidden">
			<p className="text-quiet">
				Your mileage log lists every trip of a calendar year with a line to sign. The summary adds
				up {inUnits("miles")}, fund requests by type and Uber fees by category. Not tax advice.
			</p>
			<form method="get" action={LOG} data-download="" className="grid gap-4">
				<div className="grid gap-4 sm:grid-cols-2">
					<PlainSelect
						name="year"
						label="Year"
						options={years.map((year) => [String(year), String(year)])}
						chosen={String(years[0])}
					/>
				</div>
				<div className="grid gap-3 sm:grid-cols-2 lg:flex lg:flex-wrap">
					<Download address={LOG} format="pdf" label="Mileage Log (PDF)" />
					<Download address={LOG} format="xlsx" label="Mileage Log (Excel)" />
					<Download address={SUMMARY} format="pdf" label="Year Summary (PDF)" />
					<Download address={SUMMARY} format="csv" label="Year Summary (CSV)" />
				</div>
			</form>
		</Card>
	);
}
