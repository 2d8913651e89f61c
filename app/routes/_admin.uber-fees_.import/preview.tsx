/**
 * What an import would do: the columns it uses, the result for every row, and the button that does
 * it.
 */
import { COLUMN_LABELS, COLUMNS, OPTIONAL_COLUMNS } from "../../domain/fee-imports/rules.ts";
import { alwaysValue, columnField } from "../../domain/fee-imports/statement.ts";
import { categoryText, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { NativeSelect } from "../../ui/primitives/native-select.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import type { PreviewView } from "./preview.server.ts";

/** The file, carried from the preview to the import, which parses it again. */
function Carried({ preview }: { preview: PreviewView }) {
	return (
		<>
			<input type="hidden" name="key" value={preview.key} />
			<input type="hidden" name="fileName" value={preview.fileName} />
			<textarea name="csv" hidden readOnly aria-label="File contents" defaultValue={preview.text} />
		</>
	);
}

function ColumnsForm({ preview }: { preview: PreviewView }) {
	return (
		<form
			method="post"
			action="/uber-fees/import"
			encType="multipart/form-data"
			className="grid gap-4"
		>
			<Carried preview={preview} />
			<input type="hidden" name="intent" value="preview" />
			<div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-3">
				{COLUMNS.map((column) => (
					<PlainField
						key={column}
						id={columnField(column)}
						label={COLUMN_LABELS[column]}
						isOptional={OPTIONAL_COLUMNS.includes(column)}
					>
						{(control) => (
							<NativeSelect
								{...control}
								name={columnField(column)}
								defaultValue={preview.fields[columnField(column)]}
							>
								<option value="">
									{OPTIONAL_COLUMNS.includes(column) ? "None" : "Choose a column"}
								</option>
								{preview.head.map((name, position) => (
									// biome-ignore lint/suspicious/noArrayIndexKey: the position is what the option means
									<option key={position} value={String(position)}>
										{name}
									</option>
								))}
								{column === "category"
									? FEE_CATEGORIES.map((category) => (
											<option key={category} value={alwaysValue(category)}>
												{`Always: ${categoryText(category)}`}
											</option>
										))
									: null}
							</NativeSelect>
						)}
					</PlainField>
				))}
			</div>
			<div>
				<Button variant="outline" pending="Updating..." size="wide">
					Update preview
				</Button>
			</div>
		</form>
	);
}

const FATES = {
	add: ["good", "Will be added"],
	skip: ["quiet", "Skipped"],
	problem: ["bad", "Problem"],
} as const;
const ROW_COLUMNS = [
	{ head: "Row", isNumber: true },
	{ head: "Driver" },
	{ head: "Category" },
	{ head: "Amount", isNumber: true },
	{ head: "Date" },
	{ head: "Reference" },
	{ head: "Result" },
];

/** Text from the file may be one long word; our own is short and stays on one line. */
const cellClasses = (fate: keyof typeof FATES) =>
	fate === "add" ? "sm:whitespace-nowrap" : "wrap-break-word sm:max-w-40";

function Rows({ rows }: { rows: PreviewView["rows"] }) {
	return (
		<DataTable caption="Rows of the statement" columns={ROW_COLUMNS} isDense>
			{rows.map((row) => (
				<tr key={row.number} id={`statement-${row.number}`}>
					<TableRowHead label="Row" className="tabular-nums sm:text-end">
						{row.number}
					</TableRowHead>
					<TableCell label="Driver" className="wrap-anywhere">
						<span>
							{row.driver}
							{row.isInactive ? <span className="text-quiet">, inactive</span> : null}
						</span>
					</TableCell>
					<TableCell label="Category" className={cellClasses(row.fate)}>
						<span className="capitalize">{row.category}</span>
					</TableCell>
					<TableCell label="Amount" isNumber className={`tabular-nums ${cellClasses(row.fate)}`}>
						{row.amount}
					</TableCell>
					<TableCell label="Date" className={cellClasses(row.fate)}>
						{row.date}
					</TableCell>
					<TableCell label="Reference" className="wrap-anywhere">
						{row.reference}
					</TableCell>
					<TableCell label="Result">
						<span className="grid justify-items-end gap-1 sm:justify-items-start">
							<Badge variant={FATES[row.fate][0]}>{FATES[row.fate][1]}</Badge>
							{row.why ? <span className="text-sm wrap-anywhere">{row.why}</span> : null}
						</span>
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}

function Outcome({ preview }: { preview: PreviewView }) {
	const { counts } = preview;
	const faulty = preview.rows.filter(({ fate }) => fate === "problem");
	return (
		<>
			<p className="font-semibold">{`${counts.added}, ${counts.total}. ${counts.skipped}. ${counts.problems}.`}</p>
			{preview.hasProblems ? (
				<Alert variant="bad" id="row-problems">
					<p>Fix every row before importing: correct the file, or choose other columns.</p>
					<ul className="grid gap-1 font-normal">
						{faulty.slice(0, 10).map(({ number, why }) => (
							<li key={number}>{`Row ${number}: ${why}`}</li>
						))}
						{faulty.length > 10 ? <li>{`and ${faulty.length - 10} more below`}</li> : null}
					</ul>
				</Alert>
			) : null}
			{preview.earlier || preview.unmarked || preview.dates ? (
				<Alert variant="wait">
					{preview.earlier ? <p>{preview.earlier}</p> : null}
					{preview.unmarked ? <p>{preview.unmarked}</p> : null}
					{preview.dates ? <p>{preview.dates}</p> : null}
				</Alert>
			) : null}
			<div className="flex flex-wrap gap-3 print:hidden">
				{preview.isImportable ? (
					<form
						method="post"
						action="/uber-fees/import"
						encType="multipart/form-data"
						className="max-sm:w-full"
					>
						<Carried preview={preview} />
						{Object.entries(preview.fields).map(([name, value]) => (
							<input key={name} type="hidden" name={name} value={value} />
						))}
						<input type="hidden" name="intent" value="import" />
						<Button pending="Importing..." size="wide">
							{`Import ${preview.button}`}
						</Button>
					</form>
				) : null}
				<ButtonLink href="/uber-fees/import" variant="outline" size="wide">
					Choose another file
				</ButtonLink>
			</div>
			<Rows rows={preview.rows} />
		</>
	);
}

export function Preview({ preview }: { preview: PreviewView }) {
	return (
		<>
			<Section id="columns" title={`Columns in ${preview.fileName}`}>
				<Card>
					<ColumnsForm preview={preview} />
				</Card>
			</Section>
			<Section id="preview" title="Preview">
				{preview.missing.length > 0 ? (
					<Alert variant="bad" id="missing">
						{preview.missing.map((words) => (
							<p key={words}>{words}</p>
						))}
					</Alert>
				) : (
					<Outcome preview={preview} />
				)}
			</Section>
		</>
	);
}
