import { rangePeriod } from "../domain/reports/rules.ts";
import type { CalendarDate } from "../values/calendar-date.ts";
import type { Period } from "../values/period.ts";

const RANGES = [
	["Last week", "last_week"],
	["Last month", "last_month"],
] as const;

/**
 * Links that set both dates of a list's filter, to the reports' weeks and months.
 * @param today in the fleet's time zone
 * @param href the list's URL with these dates
 */
export function PeriodLinks({
	today,
	href,
}: {
	today: CalendarDate;
	href: (period: Period) => string;
}) {
	return (
		<p className="flex flex-wrap gap-x-4">
			{RANGES.map(([label, range]) => (
				<a
					key={range}
					className="inline-flex min-h-11 items-center font-semibold text-accent"
					href={href(rangePeriod(range, today))}
				>
					{label}
				</a>
			))}
		</p>
	);
}
