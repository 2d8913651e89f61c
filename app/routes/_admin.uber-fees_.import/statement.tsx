/** A platform's statement before it is imported: its questions and its preview. */
import { driverPath } from "../../domain/people/search.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { formatCount } from "../../values/count.ts";
import { StatementForm } from "./statement-form.tsx";
import type { StatementView } from "./statement-view.server.ts";

type Props = { statement: StatementView };

const FEE_COLUMNS = [
	{ head: "In the statement" },
	{ head: "Driver" },
	{ head: "Date" },
	{ head: "Category" },
	{ head: "Amount", isNumber: true },
	{ head: "What happens" },
];

const more = (count: number) => (count > 0 ? `and ${formatCount(count)} more` : "");

function More({ count }: { count: number }) {
	return count > 0 ? <p className="text-quiet">{more(count)}</p> : null;
}

function Fees({ statement }: Props) {
	return (
		<Section id="statement-fees" title="Fees">
			<DataTable caption="Fees of the statement" columns={FEE_COLUMNS} isDense phone="pairs">
				{statement.fees.map((fee) => (
					<tr key={fee.key}>
						<TableRowHead label="In the statement" className="wrap-anywhere">
							<span className="grid">
								<span>{fee.there}</span>
								{fee.place ? <span className="text-sm text-quiet">{fee.place}</span> : null}
							</span>
						</TableRowHead>
						<TableCell label="Driver" className="wrap-anywhere">
							<span>
								{fee.driverId ? (
									<a href={driverPath(fee.driverId)} className="text-accent">
										{fee.driver}
									</a>
								) : (
									fee.driver
								)}
								{fee.isInactive ? <span className="text-quiet">, inactive</span> : null}
							</span>
						</TableCell>
						<TableCell label="Date" className="sm:whitespace-nowrap">
							{fee.date}
						</TableCell>
						<TableCell label="Category">
							<span>
								<span className="capitalize">{fee.category}</span>
								{fee.isCredit ? <span className="text-quiet">, credit</span> : null}
							</span>
						</TableCell>
						<TableCell label="Amount" isNumber className="tabular-nums">
							<span className="grid justify-items-end">
								<span>{fee.amount}</span>
								{fee.recorded ? (
									<span className="text-sm text-quiet">{`Recorded: ${fee.recorded}`}</span>
								) : null}
							</span>
						</TableCell>
						<TableCell label="What happens">
							<span className="grid justify-items-end gap-1 sm:justify-items-start">
								<Badge variant={fee.tone}>{fee.state}</Badge>
								{fee.doubt ? <span className="text-sm">{fee.doubt}</span> : null}
							</span>
						</TableCell>
					</tr>
				))}
			</DataTable>
			<More count={statement.moreFees} />
		</Section>
	);
}

function LeftOut({ statement }: Props) {
	if (!statement.hasLeftOut) return null;
	return (
		<Section
			id="left-out"
			title="Left out"
			actions={
				<ButtonLink
					variant="outline"
					href={`/uber-fees/import/left-out.csv?statement=${statement.id}`}
				>
					Download CSV
				</ButtonLink>
			}
		>
			{statement.leftOut.length > 0 ? (
				<DataTable
					caption="Rows that aren't fees"
					columns={[{ head: "Row" }, { head: "Why" }, { head: "Amount", isNumber: true }]}
				>
					{statement.leftOut.map(({ row, why, amount }) => (
						<tr key={row}>
							<TableRowHead label="Row" className="tabular-nums">
								{row}
							</TableRowHead>
							<TableCell label="Why">{why}</TableCell>
							<TableCell label="Amount" isNumber className="tabular-nums">
								{amount}
							</TableCell>
						</tr>
					))}
				</DataTable>
			) : (
				<p>Only what is listed above.</p>
			)}
			<More count={statement.moreLeftOut} />
		</Section>
	);
}

function Columns({ statement }: Props) {
	return (
		<Section id="statement-columns" title="What each column becomes">
			<details>
				<summary className="py-2.5 font-semibold text-accent">
					{`${statement.columns.filter(({ isFee }) => isFee).length} of ${statement.columns.length} money columns hold fees`}
				</summary>
				<DataTable
					caption="Money columns of the statement"
					columns={[{ head: "Column" }, { head: "What it becomes" }]}
				>
					{statement.columns.map(({ name, becomes, isFee }) => (
						<tr key={name}>
							<TableRowHead label="Column" className="wrap-anywhere">
								{name}
							</TableRowHead>
							<TableCell label="What it becomes" className={isFee ? "font-semibold" : undefined}>
								{becomes}
							</TableCell>
						</tr>
					))}
				</DataTable>
			</details>
		</Section>
	);
}

export function Statement({ statement }: Props) {
	return (
		<>
			<Section
				id="statement"
				title={statement.title}
				actions={
					<ButtonLink href="/uber-fees/import" variant="ghost" className="px-0 print:hidden">
						Choose another file
					</ButtonLink>
				}
			>
				<Card className="grid gap-4">
					<p className="wrap-anywhere text-quiet">
						{[statement.fileName, statement.period].filter(Boolean).join(" · ")}
					</p>
					<ul className="grid gap-1 font-semibold">
						{statement.summary.map((words) => (
							<li key={words}>{words}</li>
						))}
					</ul>
					{statement.isAllCommission ? (
						<Alert>
							<AlertDescription>
								This file states only the sum of all fees, so all of it is taken for commission.
							</AlertDescription>
						</Alert>
					) : null}
					{statement.months ? <Alert variant="wait">{statement.months}</Alert> : null}
					{statement.nothingLeft ? <p>{statement.nothingLeft}</p> : null}
					{statement.nothingLeft && !statement.chosenColumns ? null : (
						<StatementForm statement={statement} />
					)}
				</Card>
			</Section>
			{statement.fees.length > 0 ? <Fees statement={statement} /> : null}
			<LeftOut statement={statement} />
			{statement.columns.length > 0 ? <Columns statement={statement} /> : null}
		</>
	);
}
