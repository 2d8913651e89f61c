/** The rows of statements that a settlement's lines came from. */
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import type { SettlementData } from "./view.server.ts";

export function Rows({ data: { rows, status } }: { data: SettlementData }) {
	const [first] = rows.shown;
	if (!first) return null;
	const columns = [
		{ head: "File" },
		{ head: "Days" },
		...first.parts.map(({ label }) => ({ head: label, isNumber: true })),
	];
	return (
		<Section
			id="rows"
			title="Statement rows"
			actions={
				status === "draft" ? null : <p className="text-quiet">As the books have them today</p>
			}
		>
			<DataTable caption="Statement rows in this week" columns={columns} isDense>
				{rows.shown.map((row) => (
					<tr key={row.key}>
						<TableRowHead label="File" className="font-normal">
							<span className="grid justify-items-start max-sm:justify-items-end">
								<a className="font-semibold wrap-anywhere text-accent" href={row.href}>
									{row.file}
								</a>
								<span className="text-quiet">{`${row.platform}, row ${row.row}`}</span>
								{row.note ? <Badge variant="wait">{row.note}</Badge> : null}
							</span>
						</TableRowHead>
						<TableCell label="Days">{row.days}</TableCell>
						{row.parts.map(({ label, amount }) => (
							<TableCell
								key={label}
								label={label}
								isNumber
								className="whitespace-nowrap tabular-nums max-sm:empty:hidden"
							>
								{amount}
							</TableCell>
						))}
					</tr>
				))}
			</DataTable>
			{rows.hasMore ? (
				<p className="text-quiet">There are more rows. These are the first.</p>
			) : null}
		</Section>
	);
}
