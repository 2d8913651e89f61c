/** Recent imports, with Undo. */
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";
import { formatCount } from "../../values/count.ts";
import type { PageLinks } from "../../values/cursor.ts";
import type { ImportRow } from "./import-rows.server.ts";

const COLUMNS = [
	{ head: "When" },
	{ head: "Imported by" },
	{ head: "File" },
	{ head: "Fees", isNumber: true },
	{ head: "Actions", isHidden: true, isControl: true },
];

export function Imports({
	imports,
	pages,
	here,
}: {
	readonly imports: readonly ImportRow[];
	readonly pages: PageLinks;
	/** The URL of this page of them. */
	readonly here: string;
}) {
	const mayUndo = useMay()("POST", here);
	if (imports.length === 0) return <Empty pages={pages}>No statements imported yet</Empty>;
	return (
		<DataTable caption="Recent imports" columns={COLUMNS} isDense>
			{imports.map((each) => (
				<tr key={each.id} id={`import-${each.id}`}>
					<TableRowHead label="When" className="font-normal">
						{each.when}
					</TableRowHead>
					<TableCell label="Imported by" className="wrap-anywhere">
						{each.who}
					</TableCell>
					<TableCell label="File" className="wrap-anywhere">
						<span className="grid max-sm:justify-items-end">
							<span>{each.fileName}</span>
							{each.days ? <span className="text-sm text-quiet">{each.days}</span> : null}
							{each.leftOut ? <span className="text-sm">{each.leftOut}</span> : null}
							{each.settlements ? (
								<a
									className="inline-flex min-h-11 items-center text-sm font-semibold text-accent sm:min-h-6"
									href={each.settlements}
								>
									Settlements for this week
								</a>
							) : null}
						</span>
					</TableCell>
					<TableCell label="Fees" isNumber className="tabular-nums">
						{formatCount(each.fees)}
					</TableCell>
					<TableCell isControl className="max-sm:empty:hidden">
						{each.undone ? (
							<span className="grid justify-items-end gap-1 text-end">
								<Badge variant="quiet">Undone</Badge>
								<span className="text-sm text-quiet">{each.undone}</span>
							</span>
						) : null}
						{each.isUndoable && mayUndo ? (
							<form method="post" action={here} className="ms-auto w-fit">
								<input type="hidden" name="intent" value="undo" />
								<input type="hidden" name="id" value={each.id} />
								<Button variant="ghost" pending="Undoing..." className="px-1.5 sm:text-sm">
									Undo<span className="sr-only">{` the import of ${each.fileName}`}</span>
								</Button>
							</form>
						) : null}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}
