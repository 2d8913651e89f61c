/** The table 'Driver Performance Analysis', and its pages. */

import { driverPath } from "../../domain/people/search.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { inUnits } from "../../values/fleet-units.ts";
import type { ReportData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Driver" },
	{ head: "Driver ID" },
	{ head: "Total Miles", isNumber: true },
	{ head: "Fuel Cost", isNumber: true },
	{ head: "Cost per Mile", isNumber: true },
	{ head: "Efficiency" },
];

function DriverRow({ row }: { row: ReportData["rows"][number] }) {
	return (
		<tr id={`driver-${row.id}`}>
			<TableRowHead label="Driver" className="sm:min-w-24 lg:min-w-32">
				<span className="grid">
					<a
						href={driverPath(row.id)}
						className="inline-flex min-h-11 items-center wrap-anywhere text-accent"
					>
						{row.name}
					</a>
					{row.isActive ? null : <span className="text-sm font-normal text-quiet">inactive</span>}
				</span>
			</TableRowHead>
			<TableCell label="Driver ID" className="whitespace-nowrap">
				<a
					href={`/mileage-reports${row.query}`}
					className="inline-flex min-h-11 items-center text-accent"
					title={`Entries of ${row.name}`}
				>
					{row.code}
				</a>
			</TableCell>
			<TableCell label="Total Miles" isNumber>
				{row.miles}
			</TableCell>
			<TableCell label="Fuel Cost" isNumber>
				{row.fuel}
			</TableCell>
			<TableCell label="Cost per Mile" isNumber>
				{row.cost}
			</TableCell>
			<TableCell label="Efficiency">
				<Badge variant={row.tone}>{inUnits(row.tier)}</Badge>
			</TableCell>
		</tr>
	);
}

export function Performance({ data }: { data: ReportData }) {
	const { from, to, of } = data.position;
	return (
		<>
			<DataTable
				caption={inUnits("Driver Performance Analysis, most miles first")}
				columns={COLUMNS}
				phone="pairs"
				isDense
			>
				{data.rows.map((row) => (
					<DriverRow key={row.id} row={row} />
				))}
			</DataTable>
			{of > 1 ? (
				<p className="text-end text-sm text-quiet">
					{inUnits(
						from === undefined ? `${of} drivers, by miles` : `${from}–${to} of ${of}, by miles`,
					)}
				</p>
			) : null}
			<Pages label="Drivers pagination" links={data.pages} anchor="performance" />
		</>
	);
}
