/** The figures of a chart as a table, collapsed by default. */
import { DataTable } from "../../ui/data-table.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";

type Row = {
	readonly key: string;
	readonly name: string;
	readonly figures: readonly (string | number)[];
};

/**
 * @param of the heading of the first column
 * @param figures the headings of the other columns, in the order of each row's figures
 */
export function FiguresTable({
	caption,
	of,
	figures,
	rows,
	isDense = true,
}: {
	caption: string;
	of: string;
	figures: readonly string[];
	rows: readonly Row[];
	isDense?: boolean;
}) {
	return (
		<details className="printed">
			<summary className="py-2.5 font-semibold text-accent">Show as table</summary>
			<DataTable
				isDense={isDense}
				caption={caption}
				columns={[{ head: of }, ...figures.map((head) => ({ head, isNumber: true }))]}
			>
				{rows.map((row) => (
					<tr key={row.key}>
						<TableRowHead className="max-sm:justify-start max-sm:text-start">
							{row.name}
						</TableRowHead>
						{row.figures.map((figure, column) => (
							<TableCell key={figures[column]} label={figures[column] ?? ""} isNumber>
								{figure}
							</TableCell>
						))}
					</tr>
				))}
			</DataTable>
		</details>
	);
}
