/** The filters of the table, as a plain GET form, and the export of what they show. */

import {
	REQUEST_TYPES,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
} from "../../domain/fund-requests/rules.ts";
import { AMOUNT_BANDS, FILTER_STATUSES } from "../../domain/fund-requests/search.ts";
import { worded } from "../../ui/forms/options.ts";
import { PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import type { FundRequestsData } from "./view.server.ts";

const BAND_LABELS = { "0-50": "$0 - $50", "50-100": "$50 - $100", "100+": "$100+" } as const;

export function Filters({ data: { filters, order, exportQuery } }: { data: FundRequestsData }) {
	return (
		<Card className="print:hidden">
			<form method="get" action="/fund-requests" className="grid gap-4">
				<div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(7rem,40%)),1fr))] gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-4">
					<PlainSelect
						name="status"
						label="Status"
						chosen={filters.status ?? "all"}
						options={[["all", "All"], ...worded(FILTER_STATUSES, STATUS_LABELS)]}
					/>
					<PlainSelect
						name="type"
						label="Type"
						chosen={filters.type ?? "all"}
						options={[["all", "All"], ...worded(REQUEST_TYPES, SHORT_TYPE_LABELS)]}
					/>
					<PlainSelect
						name="amount"
						label="Amount Range"
						chosen={filters.amount ?? "all"}
						options={[["all", "All"], ...worded(AMOUNT_BANDS, BAND_LABELS)]}
					/>
					<PlainSelect
						name="order"
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
					<ButtonLink variant="outline" href={`/fund-requests/export.csv${exportQuery}`}>
						Export
					</ButtonLink>
				</div>
			</form>
		</Card>
	);
}
