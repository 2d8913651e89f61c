/**
 * History & Reports (docs/product.md §2): a driver's trips and requests in a window, newest first,
 * and their sums.
 */

import { TYPE_LABELS } from "../../domain/history/search.ts";
import { Pages } from "../../ui/pages.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { Activity } from "./activity.tsx";
import { Details } from "./details.tsx";
import { Filters } from "./filters.tsx";
import { FilterTotals } from "./totals.tsx";
import { type HistoryData, historyView } from "./view.server.ts";
import { YourYear } from "./your-year.tsx";

export const handle = { title: "History & Reports" };

export const loader = historyView;

export default function History() {
	const data = useView<HistoryData>();
	return (
		<Portal
			viewer={data.viewer}
			current="/history"
			title="History & Reports"
			subtitle={
				<a
					className="inline-flex min-h-11 items-center font-semibold text-accent print:hidden"
					href="#your-year"
				>
					Your Year: tax log and summary
				</a>
			}
		>
			{/* Paper has no filters: it says whose these are and when. */}
			<p className="hidden print:block">
				{`${data.viewer.firstName} ${data.viewer.lastName} · ${data.driverId} · ${TYPE_LABELS[data.type]}, ${data.window}`}
			</p>
			<Filters data={data} />
			{data.items.length > 0 ? (
				<>
					<FilterTotals totals={data.totals} paid={data.paid} type={data.type} />
					<Activity items={data.items} today={data.today} here={data.here} />
				</>
			) : (
				<Empty pages={data.pages}>No activity found for the selected filters</Empty>
			)}
			<Pages links={data.pages} />
			<Section id="your-year" title="Your Year">
				<YourYear years={data.years} thisYear={data.thisYear} />
			</Section>
			<Details data={data} />
		</Portal>
	);
}
