/** A week's settlements, with a box for each that can be published. */
import { DataTable, DriverCell } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import type { WeekData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Select", isHidden: true, isControl: true },
	{ head: "Settlement" },
	{ head: "Driver" },
	{ head: "Status" },
	{ head: "Carried in", isNumber: true },
	{ head: "Result", isNumber: true },
	{ head: "Payable", isNumber: true },
	{ head: "Payout" },
];
const CHOSEN = "chosen";
const link = "inline-flex min-h-11 items-center text-accent";

type Row = WeekData["rows"][number];

/** The bar over the table: with a script its button counts and its box ticks all. */
function PublishForm({ data }: { data: WeekData }) {
	const other = data.isAllSelected ? data.here : `${data.here}&select=all`;
	return (
		<form
			id={CHOSEN}
			method="post"
			action={data.here}
			data-select-rows="Publish"
			className="selection-bar flex flex-wrap items-center justify-between gap-x-3"
		>
			<input type="hidden" name="intent" value="publish" />
			<SelectAll
				isAllSelected={data.isAllSelected}
				href={`${other}#settlements`}
				isDisabled={data.selectable === 0}
			/>
			<output data-select-sum className="ms-auto font-semibold tabular-nums" />
			<Button pending="Publishing..." disabled={data.selectable === 0}>
				{data.selected > 0 ? `Publish (${data.selected})` : "Publish"}
			</Button>
		</form>
	);
}

function Tick({ row }: { row: Row }) {
	return (
		<label className="inline-grid size-11 place-items-center max-sm:-me-3">
			<span className="sr-only">{`Select ${row.number} of ${row.name}`}</span>
			<input
				type="checkbox"
				form={CHOSEN}
				name="chosen"
				value={row.chosen}
				defaultChecked={row.isChosen}
				data-cents={row.cents}
				className="size-5"
			/>
		</label>
	);
}

function SettlementRow({ row, hasBoxes }: { row: Row; hasBoxes: boolean }) {
	return (
		<tr id={`settlement-${row.id}`}>
			{hasBoxes ? (
				<TableCell
					label="Select"
					isControl
					className="max-sm:items-center max-sm:empty:hidden sm:py-0"
				>
					{row.chosen === undefined ? null : <Tick row={row} />}
				</TableCell>
			) : null}
			<TableRowHead label="Settlement" className="whitespace-nowrap sm:py-0">
				<a className={link} href={row.href}>
					{row.number}
				</a>
			</TableRowHead>
			<DriverCell id={row.driverId} code={row.code} name={row.name} />
			<TableCell label="Status">
				<span className="flex flex-wrap items-center gap-1">
					<Badge variant={row.tone}>{row.status}</Badge>
					{row.notes.map((note) => (
						<Badge key={note} variant="wait">
							{note}
						</Badge>
					))}
				</span>
			</TableCell>
			<TableCell label="Carried in" isNumber className="tabular-nums max-sm:empty:hidden">
				{row.carriedIn}
			</TableCell>
			<TableCell label="Result" isNumber className="tabular-nums">
				{row.result}
			</TableCell>
			<TableCell label="Payable" isNumber className="font-semibold tabular-nums">
				{row.payable}
			</TableCell>
			<TableCell label="Payout" className="whitespace-nowrap max-sm:empty:hidden">
				{row.payout ? (
					<a className={link} href={`/payouts/${row.payout.id}`}>
						{row.payout.number}
					</a>
				) : null}
			</TableCell>
		</tr>
	);
}

export function Settlements({ data, may }: { data: WeekData; may: boolean }) {
	const hasBoxes = may && data.selectable > 0;
	return (
		// One block, in which the bar stays visible while the table is.
		<div className="min-w-0">
			{hasBoxes ? <PublishForm data={data} /> : null}
			<DataTable
				caption="Settlements of the week"
				columns={hasBoxes ? COLUMNS : COLUMNS.slice(1)}
				isDense
			>
				{data.rows.map((row) => (
					<SettlementRow key={row.id} row={row} hasBoxes={hasBoxes} />
				))}
			</DataTable>
		</div>
	);
}
