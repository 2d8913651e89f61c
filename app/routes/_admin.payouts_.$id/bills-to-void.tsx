/** The bills of a payout that were downloaded, and are wrong in the books once it's canceled. */
import { Alert } from "../../ui/primitives/alert.tsx";
import { pluralize } from "../../values/count.ts";

/** @param isCanceled whether it is canceled already, not just about to be */
export function BillsToVoid({
	payout,
	downloadedAt,
	bills,
	isCanceled = false,
}: {
	payout: string;
	downloadedAt: string;
	bills: readonly string[];
	isCanceled?: boolean;
}) {
	const when = isCanceled ? `${payout} was canceled, but its bills` : "Its bills";
	return (
		<Alert variant="wait">
			<p>
				{`${when} were downloaded on ${downloadedAt}. If they are in Xero or QuickBooks, void ${bills.length === 1 ? "this one" : `these ${pluralize(bills.length, "bill")}`} there, or ${bills.length === 1 ? "it is" : "they are"} paid twice:`}
			</p>
			<ul className="flex max-h-40 flex-wrap gap-x-4 overflow-y-auto font-normal tabular-nums">
				{bills.map((bill) => (
					<li key={bill} className="whitespace-nowrap">
						{bill}
					</li>
				))}
			</ul>
		</Alert>
	);
}
