/** The table of requests, with the actions for each and for the selected ones. */
import { driverPath } from "../../domain/people/search.ts";
import { AskedNote } from "../../ui/asked-note.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { RowButton, RowsForm } from "../../ui/primitives/button.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { BulkForm, isDecidable, Tick } from "./bulk-form.tsx";
import { openUrl } from "./dialog-url.ts";
import { Flags } from "./flags.tsx";
import type { RowView } from "./row.server.ts";
import { UndoRow } from "./undo.tsx";
import type { FundRequestsData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Select", isHidden: true, isControl: true },
	{ head: "Request ID" },
	{ head: "Driver" },
	{ head: "Type" },
	{ head: "Amount", isNumber: true },
	{ head: "Date" },
	{ head: "Status" },
	{ head: "Payment" },
	{ head: "Actions", isNumber: true, isControl: true },
];
/** A row's icon that opens a dialog about it. */
function RowIcon({
	row,
	dialog,
	icon,
	title,
	label,
	className,
}: {
	row: RowView;
	dialog: "approve" | "reject" | "receipt";
	icon: IconName;
	title: string;
	/** The title and the request's number, for screen readers. */
	label: string;
	className: string;
}) {
	return (
		<RowButton
			dialog={dialog}
			row={row.id}
			title={title}
			className={`row-icon hover:bg-sunken ${className}`}
		>
			<Icon name={icon} className={icon === "receipt" ? "size-6" : "size-7"} />
			<span className="sr-only">{label}</span>
		</RowButton>
	);
}

/** A row's immediate actions; everything else is behind its number. */
function Decide({ row, data }: { row: RowView; data: FundRequestsData }) {
	const { undoUrl } = data;
	if (row.isPending && !data.mayDecide) return null;
	if (row.isPending && row.isOwn)
		return <span className="col-span-2 text-quiet">Your own request</span>;
	if (row.isPending)
		return (
			<>
				<RowIcon
					row={row}
					dialog="approve"
					icon="check"
					title="Approve"
					label={`Approve ${row.number}`}
					className="text-good"
				/>
				<RowIcon
					row={row}
					dialog="reject"
					icon="cross"
					title="Reject"
					label={`Reject ${row.number}`}
					className="text-bad"
				/>
			</>
		);
	return (
		<>
			<span className="sr-only">Processed</span>
			{row.isUndoable ? (
				<div className="col-span-2 justify-self-end">
					<UndoRow row={row} url={undoUrl} />
				</div>
			) : null}
		</>
	);
}

function RequestRow({ row, data }: { row: RowView; data: FundRequestsData }) {
	return (
		<tr id={`request-${row.id}`}>
			{data.mayDecide ? (
				<TableCell isControl className={isDecidable(row, data) ? "sm:py-0" : undefined}>
					{isDecidable(row, data) ? <Tick row={row} data={data} /> : null}
				</TableCell>
			) : null}
			<TableRowHead label="Request ID" className="whitespace-nowrap">
				<a
					href={openUrl(data.keptQuery, row.number)}
					className="inline-flex min-h-11 items-center text-accent sm:min-h-0"
				>
					{row.number}
				</a>
			</TableRowHead>
			<TableCell label="Driver" className="xl:min-w-32 print:min-w-36">
				<a
					href={driverPath(row.driverId)}
					className="flex flex-wrap gap-x-2 text-quiet no-underline hover:underline sm:grid sm:leading-tight"
				>
					<span className="font-semibold wrap-anywhere text-accent">
						<bdi>{row.name}</bdi>
					</span>
					<span className="xl:whitespace-nowrap">{row.driver}</span>
				</a>
			</TableCell>
			<TableCell label="Type">
				{row.type}
				<span className="hidden text-quiet wrap-anywhere xl:line-clamp-2">{row.description}</span>
			</TableCell>
			<TableCell label="Amount" isNumber>
				{row.amount}
				<AskedNote note={row.asked} />
			</TableCell>
			<TableCell label="Date" className="whitespace-nowrap">
				{row.day}
				{row.day === row.date ? null : (
					<span className="hidden print:inline">{row.date.slice(row.day.length)}</span>
				)}
			</TableCell>
			<TableCell label="Status">
				<span className="flex flex-wrap items-center gap-1 sm:py-1">
					<Badge variant={row.tone}>{row.status}</Badge>
					{row.question ? <Badge variant={row.question.tone}>{row.question.label}</Badge> : null}
					<Flags row={row} query={data.keptQuery} />
				</span>
			</TableCell>
			<TableCell label="Payment" className="xl:whitespace-nowrap print:whitespace-nowrap">
				{row.payout ? (
					<a
						className="grid min-h-11 content-center no-underline hover:underline sm:min-h-0"
						href={`/payouts/${row.payout.id}`}
					>
						<span>{row.payout.state}</span>
						<span className="font-semibold whitespace-nowrap text-accent">{row.payout.number}</span>
					</a>
				) : null}
				{row.isUnpaid ? <span className="text-quiet">Unpaid</span> : null}
			</TableCell>
			<TableCell isControl className="sm:py-0">
				{/* Receipt, Approve and Reject have the same place in every row. */}
				<div className="grid grid-cols-[repeat(3,2.75rem)] items-center justify-end">
					{row.hasReceipt ? (
						<RowIcon
							row={row}
							dialog="receipt"
							icon="receipt"
							title="Receipt"
							label={`Receipt of ${row.number}`}
							className="text-accent"
						/>
					) : (
						<span />
					)}
					<Decide row={row} data={data} />
				</div>
			</TableCell>
		</tr>
	);
}

/** The rows beside an opened request: its neighbors and itself. */
function RequestList({ data }: { data: FundRequestsData }) {
	const openId = data.desk?.request.id;
	return (
		<>
			<h2 className="sr-only">Requests</h2>
			<ol className="divide-y divide-line surface">
				{data.rows.map((row) => (
					<li
						key={row.id}
						id={`request-${row.id}`}
						className="flex items-center aria-[current]:bg-accent-soft"
						{...(row.id === openId ? { "aria-current": "true" as const } : {})}
					>
						{isDecidable(row, data) ? (
							<Tick row={row} data={data} />
						) : (
							<span className="w-11 shrink-0" />
						)}
						<div className="grid min-w-0 flex-1 grid-cols-[1fr_auto] items-center gap-x-2 py-2 pe-3 text-sm">
							<a
								href={openUrl(data.keptQuery, row.number)}
								className="inline-flex min-h-6 items-center font-semibold whitespace-nowrap text-accent"
							>
								{row.number}
							</a>
							<span className="text-end font-semibold tabular-nums">{row.amount}</span>
							<span className="truncate text-quiet">
								<bdi>{row.name}</bdi>
							</span>
							<span className="text-end">
								<Badge variant={row.tone}>{row.status}</Badge>
							</span>
						</div>
						{row.isUndoable ? <UndoRow row={row} url={data.undoUrl} /> : null}
					</li>
				))}
			</ol>
		</>
	);
}

export function Requests({ data }: { data: FundRequestsData }) {
	const hasRowButtons = data.rows.some((row) => row.hasReceipt || isDecidable(row, data));
	return (
		// One block, in which the bar stays visible while the table is.
		<div className="min-w-0">
			<BulkForm data={data} />
			{data.desk ? (
				<RequestList data={data} />
			) : (
				<>
					{hasRowButtons ? <RowsForm href={`/fund-requests${data.query}`} /> : null}
					<DataTable
						caption="Fund requests"
						columns={data.mayDecide ? COLUMNS : COLUMNS.slice(1)}
						isDense
						lines="requests"
					>
						{data.rows.map((row) => (
							<RequestRow key={row.id} row={row} data={data} />
						))}
					</DataTable>
				</>
			)}
		</div>
	);
}
