/** The history's filters, as a plain GET form, and the export of what it shows. */
import { HISTORY_TYPES, RANGE_LABELS, RANGES, TYPE_LABELS } from "../../domain/history/search.ts";
import { toOptions } from "../../ui/forms/options.ts";
import { PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import type { HistoryData } from "./view.server.ts";

export function Filters({ data: { range, type, window, exportQuery } }: { data: HistoryData }) {
	return (
		<Card className="print:hidden">
			<form method="get" action="/history" className="grid gap-4">
				<div className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-4">
					<PlainSelect
						name="range"
						label="Date Range"
						hint={window}
						options={toOptions(RANGES, RANGE_LABELS)}
						chosen={range}
					/>
					<PlainSelect
						name="type"
						label="Type"
						options={toOptions(HISTORY_TYPES, TYPE_LABELS)}
						chosen={type}
					/>
				</div>
				<div className="flex flex-wrap gap-3 *:max-sm:grow">
					<Button variant="outline">Apply</Button>
					<Button type="button" variant="outline" disabled data-applied="">
						Filter Applied
					</Button>
					<ButtonLink
						variant="outline"
						className="max-sm:basis-full sm:ms-auto"
						href={`/history/export.csv${exportQuery}`}
					>
						Export CSV
					</ButtonLink>
				</div>
			</form>
		</Card>
	);
}
