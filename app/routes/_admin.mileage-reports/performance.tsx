/** The table 'Driver Performance Analysis', and its pages. */
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Cell, RowHead, Table } from "../../ui/primitives/table.tsx";
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
			<RowHead label="Driver" className="max-sm:items-center">
				<span className="grid">
					<a href={`/mileage-reports${row.query}`} className="inline-flex min-h-11 items-center wrap-anywhere text-accent">
						{row.name}
					</a>
					{row.isActive ? null : <span className="text-sm font-normal text-quiet">inactive</span>}
				</span>
			</RowHead>
			<Cell label="Driver ID" className="whitespace-nowrap">
				{row.code}
			</Cell>
			<Cell label="Total Miles" isNumber>
				{row.miles}
			</Cell>
			<Cell label="Fuel Cost" isNumber>
				{row.fuel}
			</Cell>
			<Cell label="Cost per Mile" isNumber>
				{row.cost}
			</Cell>
			<Cell label="Efficiency">
				<Badge tone={row.tone}>{row.tier}</Badge>
			</Cell>
		</tr>
	);
}

/** The address of another page of one of the screen's lists. */
export const placeIn = (anchor: "performance" | "entries", query: string | undefined) =>
	query === undefined ? undefined : `/mileage-reports${query}#${anchor}`;

export function Performance({ data }: { data: ReportData }) {
	const { from, to, of } = data.position;
	return (
		<>
			<Table caption="Driver Performance Analysis, the most miles first" columns={COLUMNS}>
				{data.rows.map((row) => (
					<DriverRow key={row.id} row={row} />
				))}
			</Table>
			{of > 1 ? <p className="text-end text-sm text-quiet">{`Drivers ${from} to ${to} of ${of}, the most miles first`}</p> : null}
			<Pages label="Pages of drivers" links={data.pages} anchor="performance" />
		</>
	);
}
