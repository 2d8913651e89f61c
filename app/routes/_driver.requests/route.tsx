/** Fund Requests (docs/product.md §2): the form, and everything its driver has asked for. */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { checkSender } from "../../auth/form-owner.server.ts";
import { requireDriver } from "../../auth/guard.server.ts";
import { toResponse } from "../../http/intent.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { TooLate } from "../../ui/too-late.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { requestAction } from "./actions.server.ts";
import { RequestForm } from "./form.tsx";
import { Requests } from "./list.tsx";
import type { RequestAnswer } from "./request-answer.ts";
import { type RequestsData, requestsView } from "./view.server.ts";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

export const handle = { title: "Fund Requests" };

export const loader = requestsView;

export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	await checkSender(args.context, driver);
	const answer = await requestAction(args.context, driver);
	return toResponse(answer);
}

export default function FundRequests() {
	const data = useView<RequestsData>();
	const answer = useAnswer<RequestAnswer>();
	return (
		<Portal viewer={data.viewer} current="/requests" title="Fund Requests" toast={answer?.toast}>
			<TooLate reason={data.tooLate} />
			<Section id="submit" title="Submit New Fund Request" className="max-sm:gap-2 print:hidden">
				<Card className="max-w-2xl max-sm:pt-2">
					<RequestForm data={data} answer={answer} />
				</Card>
			</Section>
			<Section id="recent" title="Recent Requests">
				<Requests data={data} answer={answer} />
				<Pages
					label="Requests pagination"
					links={data.pages}
					words={{ first: "Newest requests", previous: "Newer requests", next: "Older requests" }}
				/>
			</Section>
			{data.withdrawing ? <WithdrawDialog request={data.withdrawing} here={data.here} /> : null}
		</Portal>
	);
}
