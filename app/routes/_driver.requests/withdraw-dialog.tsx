/** Asks before a request is withdrawn. */

import type { RequestView } from "../../domain/fund-requests/driver-view.ts";
import { DialogForm, UrlDialog } from "../../ui/url-dialog.tsx";
import { listUrl } from "./address.ts";
import type { RequestsData } from "./view.server.ts";

export function WithdrawDialog({
	request,
	here,
}: {
	request: RequestView;
	here: RequestsData["here"];
}) {
	const close = listUrl(here, `request-${request.id}`);
	return (
		<UrlDialog id="withdraw" title="Withdraw this request?" back={close}>
			<p>{`${request.number}: ${request.dollars} for ${request.typeLabel}, submitted ${request.submittedOn}.`}</p>
			<p className="text-quiet">
				It stays in your list but won't be reviewed. To change it, choose Correct instead.
			</p>
			<DialogForm
				dialog="withdraw"
				action={listUrl(here, "")}
				hidden={{ intent: "withdraw", id: request.id }}
				submit={{ label: "Withdraw request", pending: "Withdrawing...", variant: "destructive" }}
			/>
		</UrlDialog>
	);
}
