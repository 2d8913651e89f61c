/** The table of the history. */
import { askedNote, effectiveAmount } from "../../domain/fund-requests/rules.ts";
import { questionBadge } from "../../domain/fund-requests/thread.ts";
import { describeItem, type HistoryItem, paymentOf } from "../../domain/history/rules.ts";
import { AskedNote } from "../../ui/asked-note.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";

const COLUMNS = [
	{ head: "Date" },
	{ head: "Type" },
	{ head: "Description" },
	{ head: "Amount/Miles", isNumber: true },
	{ head: "Status" },
];

function Line({ item, today }: { item: HistoryItem; today: CalendarDate }) {
	const { type, description, status, tone } = describeItem(item);
	const question = item.kind === "request" ? questionBadge(item) : undefined;
	const payment = paymentOf(item, today);
	const isVoided = item.kind === "mileage" && item.isVoided;
	// The status says why, so it is not struck through.
	const read = (text: string) => (isVoided ? <s>{text}</s> : text);
	return (
		<tr id={`${item.kind}-${item.id}`} className={isVoided ? "text-quiet" : ""}>
			<TableRowHead label="Date" className="whitespace-nowrap">
				{read(formatDate(item.date))}
			</TableRowHead>
			<TableCell label="Type">{read(type)}</TableCell>
			<TableCell label="Description">{read(description)}</TableCell>
			<TableCell label="Amount/Miles" isNumber className="tabular-nums">
				<span className="grid max-sm:text-end">
					{read(
						item.kind === "request"
							? formatDollars(effectiveAmount(item))
							: `${formatMiles(item.miles)} miles`,
					)}
					{item.kind === "request" ? <AskedNote note={askedNote(item)} /> : null}
				</span>
			</TableCell>
			<TableCell label="Status">
				<span className="grid justify-items-end gap-1 sm:justify-items-start">
					<Badge variant={tone}>{status}</Badge>
					{question ? <Badge variant={question.tone}>{question.label}</Badge> : null}
					{item.kind === "request" && item.payout && payment ? (
						<a
							className="inline-flex min-h-11 items-center text-sm font-semibold text-accent sm:min-h-0"
							href={`/history/payouts/${item.payout.id}.pdf`}
						>
							{payment}
							<span className="sr-only">: statement</span>
						</a>
					) : null}
					{item.kind === "mileage" && item.reason ? (
						<span className="max-w-64 text-sm wrap-anywhere whitespace-pre-line">{`By an administrator: ${item.reason}`}</span>
					) : null}
				</span>
			</TableCell>
		</tr>
	);
}

export function Activity({ items, today }: { items: readonly HistoryItem[]; today: CalendarDate }) {
	return (
		<DataTable caption="Mileage logs and fund requests, the newest first" columns={COLUMNS}>
			{items.map((item) => (
				<Line key={item.id} item={item} today={today} />
			))}
		</DataTable>
	);
}
