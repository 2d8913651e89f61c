/** Asks before a request is withdrawn. */

import type { RequestView } from "../../domain/fund-requests/driver-view.ts";
import { Button } from "../../ui/primitives/button.tsx";
import { CloseButton, DialogButtons, UrlDialog } from "../../ui/url-dialog.tsx";
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
			<form method="post" action={listUrl(here, "")}>
				<input type="hidden" name="intent" value="withdraw" />
				<input type="hidden" name="id" value={request.id} />
				<DialogButtons>
					<CloseButton dialog="withdraw">Cancel</CloseButton>
					<Button variant="destructive" pending="Withdrawing...">
						Withdraw request
					</Button>
				</DialogButtons>
			</form>
		</UrlDialog>
	);
}
