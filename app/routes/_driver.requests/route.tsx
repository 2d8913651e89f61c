/** Fund Requests (docs/product.md §2): the form, and everything its driver has asked for. */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asDriver } from "../../auth/guard.server.ts";
import { checkSender } from "../../auth/sender.server.ts";
import { requestCursors } from "../../domain/fund-requests/filters.ts";
import { listRequests, oneRequest } from "../../domain/fund-requests/queries.server.ts";
import { REFUSALS, type RefusalWords } from "../../domain/receipts/rules.ts";
import { Pages } from "../../ui/pages.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Card, Section } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { isRowId } from "../../values/row-id.ts";
import { type RequestAnswer, requestAction } from "./actions.server.ts";
import { listAddress } from "./address.ts";
import { RequestForm } from "./form.tsx";
import { Requests } from "./list.tsx";
import { shownRequest } from "./shown.ts";
import { WithdrawDialog } from "./withdraw-dialog.tsx";

export const handle = { title: "Fund Requests" };

const PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const isWithdrawal = query.get("dialog") === "withdraw";
	const named = query.get(isWithdrawal ? "id" : "correct") ?? "";
	const after = requestCursors.parse(query.get("after"));
	const { driver, rows, one } = await asDriver(args, ({ build, me }) => ({
		rows: listRequests(build, me, {}, "newest", PAGE + 1, after),
		one: oneRequest(build, me, isRowId(named) ? named : ""),
	}));
	const pending = one[0]?.request.status === "pending" ? shownRequest(one[0], driver.timeZone) : undefined;
	const shown = rows.slice(0, PAGE);
	const last = shown.at(-1);
	const unstored = query.get("receipt") ?? "";
	return {
		viewer: viewerOf(driver),
		/** Minted for this rendering of the form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		correcting: isWithdrawal ? undefined : pending,
		withdrawing: isWithdrawal ? pending : undefined,
		requests: shown.map((row) => shownRequest(row, driver.timeZone)),
		after: after && requestCursors.format(after),
		older: rows.length > PAGE && last ? requestCursors.format(last.request) : undefined,
		/** Why the file of the request that was just saved is not there. */
		unstored: Object.hasOwn(REFUSALS, unstored) ? REFUSALS[unstored as RefusalWords] : undefined,
	};
}

export type RequestsData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { driver } = await asDriver(args);
	await checkSender(args.context, driver);
	const answer = await requestAction(args.context, driver);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function FundRequests() {
	const data = useLoaderData() as RequestsData;
	const answer = useActionData() as RequestAnswer | undefined;
	return (
		<Portal viewer={data.viewer} current="/requests" title="Fund Requests" toast={answer?.toast}>
			<Section id="submit" title="Submit New Fund Request" className="print:hidden">
				<Card className="max-w-2xl">
					<RequestForm data={data} answer={answer} />
				</Card>
			</Section>
			<Section id="recent" title="Recent Requests">
				{data.unstored ? (
					<Alert tone="wait">
						<p>The request is saved, the file is not.</p>
						<p className="font-normal">{data.unstored}</p>
						<p className="font-normal">Choose Add receipt in the request below when you have it.</p>
					</Alert>
				) : null}
				<Requests data={data} failed={answer?.row} />
				<Pages
					label="Pages of requests"
					first={data.after && listAddress({}, "recent")}
					firstLabel="Newest requests"
					next={data.older && listAddress({ after: data.older }, "recent")}
					nextLabel="Older requests"
				/>
			</Section>
			{data.withdrawing ? <WithdrawDialog request={data.withdrawing} after={data.after} /> : null}
		</Portal>
	);
}
