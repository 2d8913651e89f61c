/** The list of payouts, latest first. */
import { DataTable } from "../../ui/data-table.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
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
	{ head: "Total", isNumber: true },
];

export function Payouts({ data }: { data: PayoutsData }) {
	return (
		<Section id="payouts" title="All payouts">
			{data.payouts.length > 0 ? (
				<DataTable caption="Payouts, newest first" columns={COLUMNS} isDense phone="pairs">
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
										<span className="whitespace-nowrap">{row.paidOn}</span>
										{row.reference ? (
											<bdi className="text-sm wrap-anywhere text-quiet">{row.reference}</bdi>
										) : null}
									</span>
								) : null}
							</TableCell>
							<TableCell label="Drivers" isNumber className="tabular-nums">
								{row.drivers}
							</TableCell>
							<TableCell label="Requests" isNumber className="tabular-nums">
								{row.requests}
							</TableCell>
							<TableCell label="Total" isNumber className="font-semibold tabular-nums">
								{row.amount}
							</TableCell>
						</tr>
					))}
				</DataTable>
			) : (
				<Empty>No payouts yet</Empty>
			)}
			<Pages links={data.pages} label="Pages of payouts" anchor="payouts" />
		</Section>
	);
}
