/** What to check before a request is approved. */
import { LATE, PAID_BY_MILE } from "../../domain/fund-requests/rules.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import { openUrl } from "./dialog-url.ts";
import type { RowView } from "./row.server.ts";

/** @param query of the page, if the other request with the same receipt can be opened from here */
export function Flags({ row, query }: { row: RowView; query?: string }) {
	const twin = row.twin ? (
		<span>
			Same receipt as <span className="whitespace-nowrap">{row.twin.number}</span>
		</span>
	) : null;
	return (
		<>
			{row.isPossibleDuplicate ? <Badge variant="wait">Possible duplicate</Badge> : null}
			{row.isLate ? <Badge variant="wait">{LATE}</Badge> : null}
			{row.isPaidByMile ? <Badge variant="wait">{inUnits(PAID_BY_MILE)}</Badge> : null}
			{row.hasNoReceipt ? <Badge variant="wait">No receipt</Badge> : null}
			{row.twin && query !== undefined ? (
				<a
					href={openUrl(query, row.twin.number)}
					className="inline-flex min-h-11 items-center text-sm font-semibold text-wait underline sm:min-h-6"
				>
					{twin}
				</a>
			) : null}
			{row.twin && query === undefined ? <Badge variant="wait">{twin}</Badge> : null}
		</>
	);
}
