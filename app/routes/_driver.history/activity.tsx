/** The table of the history. */

import { clsx } from "clsx";
import { questionBadge } from "../../domain/fund-requests/question-badge.ts";
import { askedNote, effectiveAmount } from "../../domain/fund-requests/rules.ts";
import { describeItem, type HistoryItem, paymentOf } from "../../domain/history/rules.ts";
import { personalNote } from "../../domain/mileage/rules.ts";
import { AskedNote } from "../../ui/asked-note.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { type CalendarDate, formatDate } from "../../values/calendar-date.ts";
import { countMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";

const COLUMNS = [
	{ head: "Date" },
	{ head: "Type" },
	{ head: "Description" },
	{ head: "Amount/Miles", isNumber: true },
	{ head: "Status" },
];

type Props = {
	readonly items: readonly HistoryItem[];
	readonly today: CalendarDate;
	/** The query of this page, over which a row opens. */
	readonly here: string;
};

function Line({ item, today, here }: Omit<Props, "items"> & { item: HistoryItem }) {
	const open = `/history${here}${here ? "&" : "?"}open=${item.kind}-${item.id}`;
	const { type, description, status, tone } = describeItem(item);
	const question = item.kind === "request" ? questionBadge(item) : undefined;
	const payment = paymentOf(item, today);
	const isVoided = item.kind === "mileage" && item.isVoided;
	// The status says why, so it isn't struck through.
	const strikeVoided = (text: string) => (isVoided ? <s>{text}</s> : text);
	const about =
		item.kind === "mileage" ? item.purpose : item.spentOn && `Spent on ${formatDate(item.spentOn)}`;
	const personal = item.kind === "mileage" ? personalNote(item.personalMiles) : undefined;
	return (
		<tr id={`${item.kind}-${item.id}`} className={isVoided ? "text-quiet" : undefined}>
			<TableRowHead label="Date" className="font-normal whitespace-nowrap">
				{strikeVoided(formatDate(item.date))}
			</TableRowHead>
			<TableCell label="Type" className="sm:whitespace-nowrap">
				{strikeVoided(type)}
			</TableCell>
			<TableCell label="Description">
				<a
					className={clsx(
						"inline-block font-semibold text-accent no-underline first-letter:uppercase hover:underline md:whitespace-nowrap",
						// What it was for is close below its name, in the same target.
						about ? "-mb-5 pt-1 pb-5" : "min-h-11 content-center",
					)}
					href={open}
				>
					{strikeVoided(description)}
				</a>
				{about ? (
					<span className="block text-sm wrap-anywhere text-quiet">{strikeVoided(about)}</span>
				) : null}
			</TableCell>
			<TableCell label="Amount/Miles" isNumber className="tabular-nums">
				<span className="grid max-sm:text-end">
					{strikeVoided(
						item.kind === "request" ? formatDollars(effectiveAmount(item)) : countMiles(item.miles),
					)}
					{personal ? <span className="text-sm font-normal">{strikeVoided(personal)}</span> : null}
					{item.kind === "request" ? <AskedNote note={askedNote(item)} /> : null}
				</span>
			</TableCell>
			<TableCell label="Status">
				<span className="flex flex-wrap justify-end gap-1 sm:justify-start">
					<Badge variant={tone}>{status}</Badge>
					{question ? <Badge variant={question.tone}>{question.label}</Badge> : null}
					{item.kind === "request" && item.payout && payment ? (
						<a
							className="-my-1 inline-flex min-h-11 items-center text-sm font-semibold text-balance text-accent max-sm:text-end sm:my-0 sm:min-h-0"
							href={`/history/payouts/${item.payout.id}.pdf`}
						>
							{payment}
							<span className="sr-only">: statement</span>
						</a>
					) : null}
					{item.kind === "mileage" && item.reason ? (
						<span className="w-full max-w-64 text-sm wrap-anywhere whitespace-pre-line">{`Administrator's reason: ${item.reason}`}</span>
					) : null}
				</span>
			</TableCell>
		</tr>
	);
}

export function Activity({ items, today, here }: Props) {
	return (
		<DataTable
			caption="Mileage logs and fund requests, newest first"
			columns={COLUMNS}
			isDense
			phone="history"
		>
			{items.map((item) => (
				<Line key={item.id} item={item} today={today} here={here} />
			))}
		</DataTable>
	);
}
