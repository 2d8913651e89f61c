/** The table of requests, with what can be done about each and about the ticked ones. */

import { AskedNote } from "../../ui/asked-note.tsx";
import { DataTable, DriverCell } from "../../ui/data-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { asGetForm, Button } from "../../ui/primitives/button.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { BULK_BUTTON, dialogUrl } from "./dialog-url.ts";
import { Flags } from "./flags.tsx";
import type { RequestView } from "./row.server.ts";
import type { FundRequestsData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Select", isHidden: true, isControl: true },
	{ head: "Request ID" },
	{ head: "Driver" },
	{ head: "Type" },
	{ head: "Amount", isNumber: true },
	{ head: "Date" },
	{ head: "Status" },
	{ head: "Actions", isControl: true },
];
const rowLink =
	"inline-flex size-11 items-center justify-center rounded-md text-accent hover:bg-sunken";
const BULK = "bulk";

/**
 * One form for all ticked rows: the boxes name it. It asks for the dialog that says what they add
 * up to. With a script the count is live and the one box ticks them all.
 */
function BulkForm({ data: { query, isAllSelected, rows } }: { data: FundRequestsData }) {
	if (!rows.some(({ isPending, isOwn }) => isPending && !isOwn)) return null;
	const other = isAllSelected ? query : `${query}${query ? "&" : "?"}select=all`;
	return (
		<form
			id={BULK}
			method="get"
			action="/fund-requests"
			data-select-rows="Bulk Approve"
			className="selection-bar flex flex-wrap items-center justify-between gap-x-3"
		>
			{asGetForm(query).fields.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			<input type="hidden" name="dialog" value="bulk" />
			<label
				hidden
				data-select-all
				className="inline-flex min-h-11 items-center gap-3 font-semibold"
			>
				<input type="checkbox" className="size-5" />
				Select all
			</label>
			<a
				data-select-link
				href={`/fund-requests${other}`}
				className="inline-flex min-h-11 items-center font-semibold text-accent"
			>
				{isAllSelected ? "Select none" : "Select all"}
			</a>
			<Button id={BULK_BUTTON}>Bulk Approve</Button>
		</form>
	);
}

/** What the toast offers after decisions: to take all of them back. */
export function UndoChanged({ undoAll }: Pick<FundRequestsData, "undoAll">) {
	if (!undoAll) return null;
	return (
		<form method="post" action={undoAll.address}>
			<input type="hidden" name="intent" value="undo-changed" />
			<Button variant="outline" pending="Undoing..." className="mt-2">
				Undo
				<span className="sr-only">
					{undoAll.count === 1 ? " the decision" : ` the ${undoAll.count} decisions`}
				</span>
			</Button>
		</form>
	);
}

function Decide({
	row,
	query,
	undoAddress,
}: {
	row: RequestView;
	query: string;
	undoAddress: string;
}) {
	if (row.isPending && row.isOwn) return <span className="text-quiet">Your own request</span>;
	if (row.isPending)
		return (
			<>
				<a
					className={`${rowLink} text-good`}
					href={dialogUrl(query, "approve", row.id)}
					title="Approve"
				>
					<Icon name="check" className="size-7" />
					<span className="sr-only">{`Approve ${row.number}`}</span>
				</a>
				<a
					className={`${rowLink} text-bad`}
					href={dialogUrl(query, "reject", row.id)}
					title="Reject"
				>
					<Icon name="cross" className="size-7" />
					<span className="sr-only">{`Reject ${row.number}`}</span>
				</a>
				<a className={rowLink} href={dialogUrl(query, "ask", row.id)} title="Ask">
					<Icon name="question" className="size-6" />
					<span className="sr-only">{`Ask about ${row.number}`}</span>
				</a>
			</>
		);
	return (
		<>
			<span className="text-sm text-quiet">Processed</span>
			{row.isUndoable ? (
				<form method="post" action={undoAddress}>
					<input type="hidden" name="intent" value="undo" />
					<input type="hidden" name="id" value={row.id} />
					<Button variant="ghost" pending="Undoing..." className="px-1 text-sm">
						Undo
						<span className="sr-only">{` the decision on ${row.number}`}</span>
					</Button>
				</form>
			) : null}
		</>
	);
}

function RequestRow({ row, data }: { row: RequestView; data: FundRequestsData }) {
	const { query } = data;
	const isTicked = data.isAllSelected || data.ticked.includes(row.id);
	return (
		<tr id={`request-${row.id}`}>
			{row.isPending && !row.isOwn ? (
				<TableCell label="Select" isControl className="max-sm:items-center sm:py-1">
					<label className="inline-grid size-11 place-items-center max-sm:-me-3">
						<span className="sr-only">{`Select ${row.number}`}</span>
						<input
							type="checkbox"
							form={BULK}
							name="ids"
							value={row.id}
							defaultChecked={isTicked}
							className="size-5"
						/>
					</label>
				</TableCell>
			) : (
				<TableCell isControl className="max-sm:hidden" />
			)}
			<TableRowHead label="Request ID" className="whitespace-nowrap">
				{row.number}
			</TableRowHead>
			<DriverCell id={row.driverId} code={row.driver} name={row.name} />
			<TableCell label="Type">{row.type}</TableCell>
			<TableCell label="Amount" isNumber>
				<span className="grid max-sm:text-end">
					{row.amount}
					<AskedNote note={row.asked} />
				</span>
			</TableCell>
			<TableCell label="Date" className="whitespace-nowrap">
				{row.date}
			</TableCell>
			<TableCell label="Status">
				<span className="flex flex-wrap items-center justify-end gap-1 sm:justify-start">
					<Badge variant={row.tone}>{row.status}</Badge>
					{row.question ? <Badge variant={row.question.tone}>{row.question.label}</Badge> : null}
					{row.payout ? (
						<a
							className="inline-flex min-h-11 items-center text-sm font-semibold text-accent sm:min-h-0"
							href={`/payouts/${row.payout.id}`}
						>
							{row.payout.words}
						</a>
					) : null}
					<Flags row={row} query={query} />
				</span>
			</TableCell>
			<TableCell isControl className="sm:py-1">
				<div className="flex w-full flex-wrap items-center justify-end sm:w-56 sm:justify-start">
					<Decide row={row} query={query} undoAddress={data.undoAddress} />
					{row.file ? (
						<a className={rowLink} href={dialogUrl(query, "receipt", row.id)} title="Receipt">
							<Icon name="receipt" className="size-6" />
							<span className="sr-only">{`Receipt of ${row.number}`}</span>
						</a>
					) : null}
					<a className={rowLink} href={dialogUrl(query, "timeline", row.id)} title="History">
						<Icon name="history" className="size-6" />
						<span className="sr-only">{`History of ${row.number}`}</span>
					</a>
					{row.receiptName ? (
						<span className="w-full text-end line-clamp-3 text-sm wrap-anywhere text-quiet sm:text-start">{`Receipt: ${row.receiptName}`}</span>
					) : null}
				</div>
			</TableCell>
		</tr>
	);
}

export function Requests({ data }: { data: FundRequestsData }) {
	return (
		// One block, in which the bar can stay in reach as long as the table is in sight.
		<div className="min-w-0">
			<BulkForm data={data} />
			<DataTable caption="Fund requests" columns={COLUMNS} isDense lines="requests">
				{data.rows.map((row) => (
					<RequestRow key={row.id} row={row} data={data} />
				))}
			</DataTable>
		</div>
	);
}
