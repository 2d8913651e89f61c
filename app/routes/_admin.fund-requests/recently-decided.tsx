/** What the administrator decided in the last ten minutes, each with Undo. */
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { UndoFields } from "./undo.tsx";
import type { FundRequestsData } from "./view.server.ts";

export function RecentlyDecided({ data: { decided, undoUrl } }: { data: FundRequestsData }) {
	const { count, latest, others } = decided;
	if (latest.length === 0) return null;
	return (
		<details className="open:w-full surface print:hidden">
			<summary className="min-h-11 content-center px-4 font-semibold">
				{`Recently decided by you (${count})`}
			</summary>
			<ul className="divide-y divide-line border-t border-line px-4">
				{latest.map(({ id, number, amount, status, tone, decidedAt, when }) => (
					<li key={id} className="flex min-h-11 flex-wrap items-center gap-x-3">
						<span className="font-semibold">{number}</span>
						<span className="tabular-nums">{amount}</span>
						<Badge variant={tone}>{status}</Badge>
						<span className="text-sm text-quiet">{when}</span>
						<form method="post" action={undoUrl} className="ms-auto">
							<UndoFields id={id} decidedAt={decidedAt} />
							<Button variant="ghost" pending="Undoing..." data-key="u">
								Undo<span className="sr-only">{` your decision on ${number}`}</span>
							</Button>
						</form>
					</li>
				))}
			</ul>
			<p className="border-t border-line px-4 py-2 text-sm text-quiet">
				{others ? (
					<>
						{`${others} Undo the others in `}
						<a href="/fund-requests" className="font-semibold text-accent underline">
							the list of all requests
						</a>
						.{" "}
					</>
				) : null}
				You can undo a decision for 10 minutes. The driver isn't emailed before then.
			</p>
		</details>
	);
}
