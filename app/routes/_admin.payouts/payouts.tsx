/** The list of payouts, latest first. */
import { listUrl } from "../../domain/payouts/search.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PlainField } from "../../ui/forms/plain-fields.tsx";
import { Pages } from "../../ui/pages.tsx";
import { PeriodLinks } from "../../ui/period-links.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button, ButtonLink } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import type { PayoutsData } from "./view.server.ts";

const COLUMNS = [
	{ head: "Payout" },
	{ head: "Created" },
	{ head: "Status" },
	{ head: "Paid" },
	{ head: "Drivers", isNumber: true },
	{ head: "Requests", isNumber: true },
	{ head: "Settlements", isNumber: true },
];

function Filters({ data: { filters, choice, exportUrl, today } }: { data: PayoutsData }) {
	return (
		<Card className="print:hidden">
			<form method="get" action="/payouts#payouts" className="grid gap-3">
				<input type="hidden" name="status" value={filters.status ?? "all"} />
				<div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-start gap-x-4 gap-y-3">
					<PersonChoice
						name="driver"
						label="Driver"
						choice={choice}
						nobody={{ value: "all", label: "All drivers" }}
						meanwhile="The list isn't filtered by driver yet."
					/>
					{(
						[
							["paidFrom", "Paid from", filters.paidFrom],
							["paidTo", "Paid to", filters.paidTo],
						] as const
					).map(([name, label, value]) => (
						<PlainField key={name} id={name} label={label}>
							{(control) => <Input {...control} type="date" name={name} defaultValue={value} />}
						</PlainField>
					))}
					<PlainField id="reference" label="Reference">
						{(control) => (
							<Input
								{...control}
								name="reference"
								maxLength={100}
								defaultValue={filters.reference}
							/>
						)}
					</PlainField>
				</div>
				<div className="flex flex-wrap items-center justify-end gap-3">
					<div className="grow">
						<PeriodLinks
							today={today}
							href={({ from, to }) =>
								listUrl({ isList: true, filters: { ...filters, paidFrom: from, paidTo: to } })
							}
						/>
					</div>
					<ButtonLink variant="outline" href={exportUrl}>
						Export
					</ButtonLink>
					<Button variant="outline">Apply</Button>
				</div>
			</form>
		</Card>
	);
}

export function Payouts({ data }: { data: PayoutsData }) {
	// For the driver of these payouts.
	const amount = data.choice.chosen ? "Driver's amount" : "Total";
	const hasSettlements = data.payouts.some(({ parts }) => parts.settlements > 0);
	return (
		<Section
			id="payouts"
			title={data.title}
			actions={
				data.total || data.clearUrl ? (
					<p className="flex flex-wrap items-center gap-x-3 font-semibold tabular-nums">
						{data.total}
						{data.clearUrl ? (
							<a
								className="inline-flex min-h-11 items-center text-accent"
								href={`${data.clearUrl}#payouts`}
							>
								Clear filters
							</a>
						) : null}
					</p>
				) : null
			}
		>
			<Filters data={data} />
			{data.payouts.length > 0 ? (
				<DataTable
					caption="Payouts, newest first"
					columns={[
						...COLUMNS.filter(({ head }) => hasSettlements || head !== "Settlements"),
						{ head: amount, isNumber: true },
					]}
					isDense
					phone="pairs"
				>
					{data.payouts.map((row) => (
						<tr key={row.id} id={`payout-${row.id}`}>
							<TableRowHead label="Payout" className="whitespace-nowrap sm:py-0">
								<a
									className="inline-flex min-h-11 items-center text-accent"
									href={`/payouts/${row.id}`}
								>
									{row.number}
								</a>
							</TableRowHead>
							<TableCell label="Created" className="whitespace-nowrap">
								{row.madeOn}
							</TableCell>
							<TableCell label="Status">
								<Badge variant={row.tone}>{row.status}</Badge>
							</TableCell>
							<TableCell label="Paid" className="max-sm:empty:hidden">
								{row.paidOn ? (
									<span className="grid">
										<span className="whitespace-nowrap">
											{/* Without columns: the other date is its creation. */}
											<span className="sm:hidden">Paid </span>
											{row.paidOn}
										</span>
										{row.reference ? (
											<span className="text-sm wrap-anywhere text-quiet">
												<bdi>{row.reference}</bdi>
											</span>
										) : null}
									</span>
								) : null}
							</TableCell>
							<TableCell label="Drivers" isNumber className="tabular-nums">
								{row.drivers}
							</TableCell>
							<TableCell label="Requests" isNumber className="tabular-nums">
								{row.parts.requests}
							</TableCell>
							{hasSettlements ? (
								<TableCell label="Settlements" isNumber className="tabular-nums">
									{row.parts.settlements}
								</TableCell>
							) : null}
							<TableCell label={amount} isNumber className="font-semibold tabular-nums">
								{row.amount}
							</TableCell>
						</tr>
					))}
				</DataTable>
			) : (
				<Empty pages={data.pages}>{data.empty}</Empty>
			)}
			<Pages links={data.pages} label="Pages of payouts" anchor="payouts" />
		</Section>
	);
}
