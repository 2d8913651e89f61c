/** The report's filters, as a plain GET form, and the export of what it shows. */
import { RANGE_LABELS, RANGES, reportPath } from "../../domain/analytics/search.ts";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainField, PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { PeriodLinks } from "../../ui/period-links.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import type { ReportData } from "./view.server.ts";

/**
 * The dates of a custom range are shown when it is chosen; a browser that can't do that always
 * shows them.
 */
function CustomDates({ view, today }: Pick<ReportData, "view" | "today">) {
	const fields = [
		["startDate", "Start Date", view.startDate],
		["endDate", "End Date", view.endDate],
	] as const;
	return (
		<div className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] supports-[selector(:has(*))]:hidden group-has-[option[value=custom]:checked]:grid">
			{fields.map(([name, label, value]) => (
				<PlainField
					key={name}
					id={name}
					label={label}
					hint={<span className="supports-[selector(:has(*))]:hidden">Custom range only</span>}
					errors={
						view.problem && (!value || (view.startDate && view.endDate))
							? [view.problem]
							: undefined
					}
				>
					{(control) => (
						<Input {...control} type="date" name={name} max={today} defaultValue={value} />
					)}
				</PlainField>
			))}
		</div>
	);
}

export function Filters({
	data: { view, today, window, choice, exportQuery },
}: {
	data: ReportData;
}) {
	const meanwhile = `The figures below aren't filtered yet. They're for ${choice.chosen?.label ?? "all drivers"}.`;
	return (
		<Card className="print:hidden">
			<form method="get" action="/mileage-reports" className="group grid gap-4">
				{view.problem ? (
					<Alert variant="wait" id="problem">
						<p>{`${view.problem}. The custom range wasn't applied. Showing ${window}.`}</p>
					</Alert>
				) : null}
				<div className="grid gap-4 sm:grid-cols-2">
					<PersonChoice
						name="driver"
						label="Driver"
						choice={choice}
						nobody={{ value: "all", label: "All drivers" }}
						meanwhile={meanwhile}
					/>
					<div className="grid content-start gap-4">
						<PlainSelect
							name="range"
							label="Date Range"
							hint={window}
							options={toOptions(RANGES, RANGE_LABELS)}
							chosen={view.range}
						/>
						<CustomDates view={view} today={today} />
					</div>
				</div>
				{view.isFlaggedOnly ? <input type="hidden" name="show" value="flagged" /> : null}
				<div className="flex flex-wrap gap-3 *:max-sm:grow">
					<div className="grow">
						<PeriodLinks
							today={today}
							href={(period) => reportPath(period, view.driver ? { driver: view.driver } : {})}
						/>
					</div>
					<ButtonLink
						variant="outline"
						className="max-sm:px-2"
						href={`/mileage-reports/export.csv${exportQuery}`}
					>
						Export Report
					</ButtonLink>
					<Button variant="outline">Apply</Button>
				</div>
			</form>
		</Card>
	);
}
