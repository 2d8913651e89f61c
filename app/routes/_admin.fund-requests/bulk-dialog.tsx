/**
 * Asks before the selected requests are approved: how many, their sum, and which to check first.
 */
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
import type { BulkView } from "./bulk.server.ts";
import { BULK_BUTTON } from "./dialog-url.ts";
import { Flags } from "./flags.tsx";

function Flagged({ rows }: { rows: BulkView["flagged"] }) {
	return (
		<section aria-labelledby="flagged" className="grid gap-2">
			<h3 id="flagged" className="font-semibold">
				{rows.length === 1 ? "Check this one first" : `Check these ${rows.length} first`}
			</h3>
			<ul className="divide-y divide-line rounded-md border border-line">
				{rows.map((row) => (
					<li key={row.id} className="grid gap-1 p-3">
						<span className="flex flex-wrap justify-between gap-x-4">
							<span className="font-semibold">{row.number}</span>
							<span className="font-semibold tabular-nums">{row.amount}</span>
						</span>
						<span className="wrap-anywhere text-quiet">{`${row.name}, ${row.driver}`}</span>
						<span className="flex flex-wrap items-center gap-1">
							<Flags row={row} />
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}

export function BulkDialog({ bulk, query }: { bulk: BulkView; query: string }) {
	const ticked = new URLSearchParams(query);
	ticked.set("ids", bulk.ids.join(" "));
	const isPossible = bulk.approvable.length > 0;
	return (
		<UrlDialog
			id="bulk"
			title={isPossible ? `Approve ${bulk.count}?` : "Nothing to approve"}
			back={`/fund-requests?${ticked}#${BULK_BUTTON}`}
			startsAtTitle
		>
			<form method="post" action={`/fund-requests${query}`} className="grid gap-4">
				<input type="hidden" name="intent" value="bulk-approve" />
				<input type="hidden" name="ids" value={bulk.approvable.join(" ")} />
				{/* In the form, so that its buttons stay visible beside all of it. */}
				{isPossible ? (
					<p>
						Total <strong className="tabular-nums">{bulk.sum}</strong>
						{bulk.flagged.length > 0
							? "."
							: ". None are flagged as possible duplicates or missing a receipt."}
					</p>
				) : null}
				{bulk.flagged.length > 0 ? <Flagged rows={bulk.flagged} /> : null}
				{bulk.leftOut.length > 0 ? (
					<Alert variant="wait">
						<p>{isPossible ? "Not included:" : "None of the selected requests can be approved."}</p>
						{bulk.leftOut.map((words) => (
							<AlertDescription key={words}>{words}</AlertDescription>
						))}
					</Alert>
				) : null}
				<DialogButtons>
					<CloseButton dialog="bulk">Cancel</CloseButton>
					{isPossible ? (
						<Button pending="Processing...">{`Approve ${bulk.count} · ${bulk.sum}`}</Button>
					) : null}
				</DialogButtons>
			</form>
		</UrlDialog>
	);
}
