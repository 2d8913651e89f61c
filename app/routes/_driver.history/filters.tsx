/** What the history is asked for, as a plain GET form, and the export of what it shows. */
import { HISTORY_TYPES, RANGE_LABELS, RANGES, TYPE_LABELS } from "../../domain/history/rules.ts";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Select } from "../../ui/primitives/field.tsx";
import type { HistoryData } from "./route.tsx";

export function Filters({ data: { range, type, window, exportQuery } }: { data: HistoryData }) {
	return (
		<Card>
			<form method="get" action="/history" className="grid gap-4">
				<div className="grid gap-4 sm:grid-cols-2">
					<Field id="range" label="Date Range" hint={window}>
						{(control) => (
							<Select {...control} name="range" defaultValue={range}>
								{RANGES.map((value) => (
									<option key={value} value={value}>
										{RANGE_LABELS[value]}
									</option>
								))}
							</Select>
						)}
					</Field>
					<Field id="type" label="Type">
						{(control) => (
							<Select {...control} name="type" defaultValue={type}>
								{HISTORY_TYPES.map((value) => (
									<option key={value} value={value}>
										{TYPE_LABELS[value]}
									</option>
								))}
							</Select>
						)}
					</Field>
				</div>
				<div className="flex flex-wrap gap-3 *:whitespace-nowrap *:max-sm:flex-1">
					<Button>Apply</Button>
					<Button type="button" look="plain" disabled>
						Filter Applied
					</Button>
					<ButtonLink look="plain" className="max-sm:basis-full sm:ms-auto" href={`/history/export.csv${exportQuery}`}>
						Export CSV
					</ButtonLink>
				</div>
			</form>
		</Card>
	);
}
