/**
 * History & Reports (docs/product.md §2): a driver's trips and requests of a window, the newest
 * first.
 */

import { Pages } from "../../ui/pages.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { Activity } from "./activity.tsx";
import { Filters } from "./filters.tsx";
import { type HistoryData, historyView } from "./view.server.ts";
import { YourYear } from "./your-year.tsx";

export const handle = { title: "History & Reports" };

export const loader = historyView;

export default function History() {
	const data = useView<HistoryData>();
	return (
		<Portal viewer={data.viewer} current="/history" title="History & Reports">
			<Filters data={data} />
			{data.items.length > 0 ? (
				<Activity items={data.items} today={data.today} />
			) : (
				<Empty>No activity found for the selected filters</Empty>
			)}
			<Pages links={data.pages} />
			<Section id="your-year" title="Your Year">
				<YourYear years={data.years} />
			</Section>
		</Portal>
	);
}
