/** The table of requests, with what can be done about each and about the ticked ones. */
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Cell, DriverCell, RowHead, Table } from "../../ui/primitives/table.tsx";
import { dialogAddress } from "./dialog-address.ts";
import type { FundRequestsData } from "./route.tsx";
import type { ShownRequest } from "./row.server.ts";

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
const rowLink = "inline-flex min-h-11 min-w-11 items-center justify-center gap-1 px-1 font-semibold whitespace-nowrap text-accent";
const BULK = "bulk";

/** One form for all ticked rows: the boxes name it. With a script the count is live and the one box ticks them all. */
function BulkForm({ data: { query, isAllSelected, rows } }: { data: FundRequestsData }) {
	if (!rows.some(({ isPending, isOwn }) => isPending && !isOwn)) return null;
	const other = isAllSelected ? query : `${query}${query ? "&" : "?"}select=all`;
	return (
		<form
			id={BULK}
			method="post"
			action={`/fund-requests${query}`}
			data-select-rows="Bulk Approve"
			className="flex flex-wrap items-center justify-between gap-3"
		>
			<input type="hidden" name="intent" value="bulk-approve" />
			<label hidden data-select-all className="inline-flex min-h-11 items-center gap-3 font-semibold">
				<input type="checkbox" className="size-5" />
				Select all
			</label>
			<a data-select-link href={`/fund-requests${other}`} className="inline-flex min-h-11 items-center font-semibold text-accent">
				{isAllSelected ? "Select none" : "Select all"}
			</a>
			<Button pending="Processing...">Bulk Approve</Button>
		</form>
	);
}

function Flags({ row, query }: { row: ShownRequest; query: string }) {
	return (
		<>
			{row.isPossibleDuplicate ? <Badge tone="wait">Possible duplicate</Badge> : null}
			{row.hasNoReceipt ? <Badge tone="wait">No receipt</Badge> : null}
			{row.twin ? (
				<a
					href={dialogAddress(query, "timeline", row.twin.id)}
					className="inline-flex min-h-11 items-center text-sm font-semibold text-wait"
				>
					{`Same receipt as ${row.twin.number}`}
				</a>
			) : null}
		</>
	);
}

function Decide({ row, query }: { row: ShownRequest; query: string }) {
	if (row.isPending && row.isOwn) return <span className="text-quiet">Your own request</span>;
	if (row.isPending)
		return (
			<>
				<a className={`${rowLink} text-good`} href={dialogAddress(query, "approve", row.id)}>
					<Icon name="check" className="size-7" />
					<span className="sr-only">{`Approve ${row.number}`}</span>
				</a>
				<a className={`${rowLink} text-bad`} href={dialogAddress(query, "reject", row.id)}>
					<Icon name="cross" className="size-7" />
					<span className="sr-only">{`Reject ${row.number}`}</span>
				</a>
			</>
		);
	return (
		<>
			<span className="text-quiet">Processed</span>
			{row.isUndoable ? (
				<form method="post" action={`/fund-requests${query}`}>
					<input type="hidden" name="intent" value="undo" />
					<input type="hidden" name="id" value={row.id} />
					<Button look="quiet" pending="Undoing..." className="px-2">
						Undo
						<span className="sr-only">{` the decision on ${row.number}`}</span>
					</Button>
				</form>
			) : null}
		</>
	);
}

function RequestRow({ row, query, isTicked }: { row: ShownRequest; query: string; isTicked: boolean }) {
	return (
		<tr id={`request-${row.id}`}>
			{row.isPending && !row.isOwn ? (
				<Cell label="Select" isControl className="max-sm:items-center sm:py-1">
					<label className="inline-grid size-11 place-items-center max-sm:-me-3">
						<span className="sr-only">{`Select ${row.number}`}</span>
						<input type="checkbox" form={BULK} name="ids" value={row.id} defaultChecked={isTicked} className="size-5" />
					</label>
				</Cell>
			) : (
				<Cell isControl className="max-sm:hidden" />
			)}
			<RowHead label="Request ID" className="whitespace-nowrap">
				{row.number}
			</RowHead>
			<DriverCell code={row.driver} name={row.name} />
			<Cell label="Type">{row.type}</Cell>
			<Cell label="Amount" isNumber>
				{row.amount}
			</Cell>
			<Cell label="Date" className="whitespace-nowrap">
				{row.date}
			</Cell>
			<Cell label="Status">
				<span className="flex flex-wrap items-center justify-end gap-1 sm:justify-start">
					<Badge tone={row.tone}>{row.status}</Badge>
					<Flags row={row} query={query} />
				</span>
			</Cell>
			<Cell isControl className="sm:py-1">
				<div className="flex w-full flex-wrap items-center justify-end gap-x-1 sm:justify-start lg:min-w-34">
					<Decide row={row} query={query} />
					{row.file ? (
						<a className={rowLink} href={dialogAddress(query, "receipt", row.id)}>
							Receipt<span className="sr-only">{` of ${row.number}`}</span>
						</a>
					) : null}
					<a className={rowLink} href={dialogAddress(query, "timeline", row.id)}>
						History<span className="sr-only">{` of ${row.number}`}</span>
					</a>
					{row.receiptName ? (
						<span className="w-full text-end line-clamp-3 text-sm wrap-anywhere text-quiet sm:max-w-40 sm:text-start">{`Receipt: ${row.receiptName}`}</span>
					) : null}
				</div>
			</Cell>
		</tr>
	);
}

export function Requests({ data }: { data: FundRequestsData }) {
	return (
		<>
			<BulkForm data={data} />
			<Table caption="Fund requests" columns={COLUMNS} isDense>
				{data.rows.map((row) => (
					<RequestRow key={row.id} row={row} query={data.query} isTicked={data.isAllSelected} />
				))}
			</Table>
		</>
	);
}
