/** The table of fees, and their sums by category. */

import { listUrl } from "../../domain/uber-fees/search.ts";
import { DataTable, DriverCell } from "../../ui/data-table.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Button, ButtonLink, RowButton, RowsForm } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { FeeView } from "./row.server.ts";
import type { FeesData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Date" },
	{ head: "Driver" },
	{ head: "Category" },
	{ head: "Amount", isNumber: true },
	{ head: "Reference" },
	{ head: "Actions", isNumber: true, isControl: true },
];
const rowButton =
	"inline-flex min-h-11 min-w-11 items-center justify-center px-2 font-semibold text-accent";

function FeeRow({ fee }: { fee: FeeView }) {
	const mayChange = useMay()("POST", "/uber-fees");
	const words = ` the ${fee.category} fee of ${fee.amount}, ${fee.name}, ${fee.date}`;
	return (
		<tr id={`fee-${fee.id}`}>
			<TableRowHead label="Date" className="font-normal whitespace-nowrap">
				{fee.date}
			</TableRowHead>
			<DriverCell id={fee.driverId} code={fee.driver} name={fee.name} />
			<TableCell label="Category">
				<span className="grid">
					<span>
						<span className="capitalize">{fee.category}</span>
						{fee.isCredit ? <span className="text-quiet">, credit</span> : null}
					</span>
					{fee.description ? (
						<span className="max-w-64 text-sm wrap-anywhere whitespace-pre-line text-quiet">
							{fee.description}
						</span>
					) : null}
				</span>
			</TableCell>
			<TableCell label="Amount" isNumber className="font-semibold">
				{fee.amount}
			</TableCell>
			<TableCell
				label="Reference"
				className={fee.reference === "-" ? "not-print:max-xl:hidden!" : "wrap-anywhere"}
			>
				{fee.reference}
			</TableCell>
			{mayChange ? (
				<TableCell isControl className="sm:py-0">
					<div className="-me-1.5 flex flex-1 justify-end">
						<RowButton dialog="edit" row={fee.id} className={rowButton}>
							Edit<span className="sr-only">{words}</span>
						</RowButton>
						<RowButton dialog="delete" row={fee.id} className={`${rowButton} text-bad`}>
							Delete<span className="sr-only">{words}</span>
						</RowButton>
					</div>
				</TableCell>
			) : null}
		</tr>
	);
}

/** Whose fees are listed, as a plain GET form. */
export function Filter({ data: { filter, place } }: { data: FeesData }) {
	return (
		<form method="get" action="/uber-fees#fees" className="grid gap-3 sm:flex print:hidden">
			<div className="max-w-xl flex-1">
				<PersonChoice
					name="driver"
					idPrefix="filter-"
					label="Fees of"
					choice={filter}
					nobody={{ value: "all", label: "All drivers" }}
					meanwhile={`The list below isn't filtered yet. It's for ${filter.chosen?.label ?? "all drivers"}.`}
				/>
			</div>
			{/* As high as the field, whose label is above and which may have a hint below. */}
			<div className="flex flex-wrap items-start gap-3 sm:mt-7">
				<Button variant="outline">Apply</Button>
				{place.driverId ? (
					<ButtonLink variant="ghost" href={`${listUrl()}#fees`}>
						All drivers
					</ButtonLink>
				) : null}
			</div>
		</form>
	);
}

export function Fees({ data }: { data: FeesData }) {
	const mayChange = useMay()("POST", "/uber-fees");
	if (data.rows.length === 0)
		return (
			<Empty>
				{data.place.position
					? "No Uber fees on this page"
					: data.place.driverId
						? "No Uber fees recorded for this driver"
						: "No Uber fees recorded yet"}
			</Empty>
		);
	return (
		<>
			<RowsForm href={listUrl(data.place)} />
			<DataTable
				caption="Uber fees"
				columns={COLUMNS.filter(({ isControl }) => !isControl || mayChange)}
				isDense
				lines="fees"
				phone="pairs"
			>
				{data.rows.map((fee) => (
					<FeeRow key={fee.id} fee={fee} />
				))}
			</DataTable>
			<p className="text-end font-semibold tabular-nums">{data.listed}</p>
		</>
	);
}

const BREAKDOWN_COLUMNS = [
	{ head: "Category" },
	{ head: "Entries", isNumber: true },
	{ head: "Total", isNumber: true },
];

export function Breakdown({ categories }: { categories: FeesData["categories"] }) {
	return (
		<DataTable labelledBy="breakdown" columns={BREAKDOWN_COLUMNS} isDense phone="pairs">
			{categories.map(({ category, total, entries }) => (
				<tr key={category}>
					<TableRowHead label="Category">
						<span className="capitalize">{category}</span>
					</TableRowHead>
					<TableCell label="Entries" isNumber className="tabular-nums">
						{entries}
					</TableCell>
					<TableCell label="Total" isNumber className="tabular-nums">
						{total}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}
