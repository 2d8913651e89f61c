import { STATE_LABELS, STATE_TONES } from "../../domain/webhooks/rules.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import type { WebhooksData } from "./view.server.ts";

const COLUMNS = [
	{ head: "When" },
	{ head: "Event" },
	{ head: "To" },
	{ head: "Status" },
	{ head: "Actions", isHidden: true, isControl: true },
];

/** What the webhooks were sent, newest first. */
export function Deliveries({
	deliveries,
	pages,
	here,
}: Pick<WebhooksData, "deliveries" | "pages" | "here">) {
	if (deliveries.length === 0)
		return <Empty pages={pages}>No events yet. They are sent within a minute of the change.</Empty>;
	return (
		<DataTable caption="Deliveries" columns={COLUMNS} isDense>
			{deliveries.map(({ id, when, event, number, host, state, detail, canSendAgain }) => (
				<tr key={id} id={`delivery-${id}`}>
					<TableCell label="When" className="sm:min-w-32">
						{when}
					</TableCell>
					<TableRowHead label="Event">
						<code className="wrap-anywhere">{event}</code> {number}
					</TableRowHead>
					<TableCell label="To" className="wrap-anywhere">
						{host}
					</TableCell>
					<TableCell label="Status">
						<span className="grid justify-items-end gap-1 sm:min-w-36 sm:justify-items-start">
							<Badge variant={STATE_TONES[state]}>{STATE_LABELS[state]}</Badge>
							<span className="text-sm wrap-anywhere text-quiet">{detail}</span>
						</span>
					</TableCell>
					<TableCell isControl>
						{canSendAgain ? (
							<form method="post" action={here} className="ms-auto w-fit sm:whitespace-nowrap">
								<input type="hidden" name="intent" value="send-again" />
								<input type="hidden" name="id" value={id} />
								<Button variant="outline" pending="Queuing...">
									Send again
									<span className="sr-only">
										{" "}
										{event} {number}
									</span>
								</Button>
							</form>
						) : null}
					</TableCell>
				</tr>
			))}
		</DataTable>
	);
}
