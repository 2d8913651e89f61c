/** The table of the history. */
import { type HistoryItem, wordsOf } from "../../domain/history/rules.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Cell, RowHead, Table } from "../../ui/primitives/table.tsx";
import { showDate } from "../../values/calendar-date.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";

const COLUMNS = [{ head: "Date" }, { head: "Type" }, { head: "Description" }, { head: "Amount/Miles", isNumber: true }, { head: "Status" }];

function Line({ item }: { item: HistoryItem }) {
	const { type, description, status, tone } = wordsOf(item);
	const isVoided = item.kind === "mileage" && item.isVoided;
	return (
		<tr id={`${item.kind}-${item.id}`} className={isVoided ? "text-quiet line-through decoration-1" : ""}>
			<RowHead label="Date" className="whitespace-nowrap">
				{showDate(item.date)}
			</RowHead>
			<Cell label="Type">{type}</Cell>
			<Cell label="Description">{description}</Cell>
			<Cell label="Amount/Miles" isNumber className="tabular-nums">
				{item.kind === "request" ? dollars(item.amountCents) : `${showMiles(item.miles)} miles`}
			</Cell>
			<Cell label="Status">
				<Badge tone={tone}>{status}</Badge>
			</Cell>
		</tr>
	);
}

export function Activity({ items }: { items: readonly HistoryItem[] }) {
	return (
		<Table caption="Mileage logs and fund requests, the newest first" columns={COLUMNS}>
			{items.map((item) => (
				<Line key={item.id} item={item} />
			))}
		</Table>
	);
}
