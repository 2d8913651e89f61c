/**
 * What the screen shows: Fund Requests (docs/product.md §2): the form, and everything its driver
 * has asked for.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import { toRequestView } from "../../domain/fund-requests/driver-view.ts";
import {
	findRequest,
	type ListedRequest,
	listRequests,
} from "../../domain/fund-requests/queries.server.ts";
import { whyNotWithdrawn } from "../../domain/fund-requests/refusals.ts";
import { COMMON_REQUESTS } from "../../domain/fund-requests/rules.ts";
import { parsePosition, positionParameters } from "../../domain/fund-requests/search.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { isRefusalWords, refusalSentence } from "../../domain/receipts/refusals.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { refused } from "../../values/outcome.ts";
import { isRowId } from "../../values/row-id.ts";
import { listUrl } from "./address.ts";

const PAGE = 20;

/** Everything the screen shows, in one trip to the database. */
export async function requestsView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const isWithdrawal = query.get("dialog") === "withdraw";
	const named = query.get(isWithdrawal ? "id" : "correct") ?? "";
	const position = parsePosition(query);
	const { driver, rows, one } = await requireDriver(args, ({ build, me }) => ({
		rows: listRequests(build, me, PAGE + 1, position),
		one: isRowId(named) ? findRequest(build, me, named) : undefined,
	}));
	const pending = one[0]?.request.status === "pending" ? toRequestView(one[0], driver) : undefined;
	const page = toPage(rows, position, PAGE, ({ request }) => request);
	const unstored = query.get("receipt") ?? "";
	const { receiptMegabytes } = driver.settings;
	return {
		viewer: toViewer(driver),
		today: driver.today,
		receiptMegabytes,
		/** New for each rendering of the form, so that a resend is recognized. */
		key: crypto.randomUUID(),
		correcting: isWithdrawal ? undefined : pending,
		/** What a chip asks for, as a plain link. */
		prefill: COMMON_REQUESTS.find(({ description }) => description === query.get("for")),
		withdrawing: isWithdrawal ? pending : undefined,
		/** Why a link's offer is no longer possible: an older page may still make it. */
		tooLate: one[0] && !pending ? tooLate(one[0].request, isWithdrawal, driver) : undefined,
		requests: page.rows.map((row) => toRequestView(row, driver)),
		/** The parameters of this page of the list. */
		here: positionParameters(position),
		pages: pageLinks(position, page, (at) => listUrl(positionParameters(at), "recent")),
		/** The request that was just saved without its file. */
		unstored: isRefusalWords(unstored)
			? {
					id: query.get("of"),
					reason: refusalSentence(unstored, receiptMegabytes),
					/** Whether it has the receipt of the one that it corrects. */
					hasPrevious: query.get("has") === "previous",
				}
			: undefined,
	};
}

function tooLate(request: ListedRequest["request"], isWithdrawal: boolean, driver: DriverContext) {
	const refusal = refused("not-pending", request);
	return {
		words: onForm(whyNotWithdrawn(refusal, driver)).message,
		advice: isWithdrawal
			? undefined
			: request.status === "withdrawn"
				? "If you corrected it, the new one is under Recent Requests."
				: "It can no longer be corrected. The form below sends a new request.",
	};
}

export type RequestsData = Awaited<ReturnType<typeof requestsView>>;
