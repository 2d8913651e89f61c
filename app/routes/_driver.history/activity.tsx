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
	// The status says why, so it is not struck through.
	const read = (text: string) => (isVoided ? <s>{text}</s> : text);
	return (
		<tr id={`${item.kind}-${item.id}`} className={isVoided ? "text-quiet" : ""}>
			<RowHead label="Date" className="whitespace-nowrap">
				{read(showDate(item.date))}
			</RowHead>
			<Cell label="Type">{read(type)}</Cell>
			<Cell label="Description">{read(description)}</Cell>
			<Cell label="Amount/Miles" isNumber className="tabular-nums">
				{read(item.kind === "request" ? dollars(item.amountCents) : `${showMiles(item.miles)} miles`)}
			</Cell>
			<Cell label="Status">
				<span className="grid justify-items-end gap-1 sm:justify-items-start">
					<Badge tone={tone}>{status}</Badge>
					{item.kind === "mileage" && item.reason ? (
						<span className="max-w-64 text-sm wrap-anywhere whitespace-pre-line">{`By an administrator: ${item.reason}`}</span>
					) : null}
				</span>
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
