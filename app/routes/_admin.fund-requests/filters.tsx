/** The filters of the table, as a plain GET form, and the export of what they show. */
import { AMOUNT_BANDS, FILTER_STATUSES } from "../../domain/fund-requests/filters.ts";
import { REQUEST_TYPES, SHORT_TYPE_LABELS, STATUS_LABELS } from "../../domain/fund-requests/rules.ts";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Select } from "../../ui/primitives/field.tsx";
import type { FundRequestsData } from "./route.tsx";

const BAND_LABELS = { "0-50": "$0 - $50", "50-100": "$50 - $100", "100+": "$100+" } as const;

type Choice = { id: string; label: string; chosen: string | undefined; options: readonly (readonly [value: string, label: string])[] };

function Choose({ id, label, chosen, options }: Choice) {
	return (
		<Field id={id} label={label}>
			{(control) => (
				<Select {...control} name={id} defaultValue={chosen ?? options[0]?.[0]}>
					{options.map(([value, words]) => (
						<option key={value} value={value}>
							{words}
						</option>
					))}
				</Select>
			)}
		</Field>
	);
}

export function Filters({ data: { filters, order, exportQuery } }: { data: FundRequestsData }) {
	return (
		<Card className="print:hidden">
			<form method="get" action="/fund-requests" className="grid gap-4">
				<div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-4">
					<Choose
						id="status"
						label="Status"
						chosen={filters.status}
						options={[["all", "All"], ...FILTER_STATUSES.map((value) => [value, STATUS_LABELS[value]] as const)]}
					/>
					<Choose
						id="type"
						label="Type"
						chosen={filters.type}
						options={[["all", "All"], ...REQUEST_TYPES.map((value) => [value, SHORT_TYPE_LABELS[value]] as const)]}
					/>
					<Choose
						id="amount"
						label="Amount Range"
						chosen={filters.amount}
						options={[["all", "All"], ...AMOUNT_BANDS.map((value) => [value, BAND_LABELS[value]] as const)]}
					/>
					<Choose
						id="order"
						label="Order"
						chosen={order}
						options={[
							["newest", "Newest first"],
							["oldest", "Oldest first"],
						]}
					/>
				</div>
				<div className="flex flex-wrap justify-between gap-3 *:max-sm:flex-1">
					<Button>Apply</Button>
					<ButtonLink look="plain" href={`/fund-requests/export.csv${exportQuery}`}>
						Export
					</ButtonLink>
				</div>
			</form>
		</Card>
	);
}
