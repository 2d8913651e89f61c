/** A driver's statement of a payout, as a PDF. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../auth/guard.server.ts";
import { statementDocument } from "../domain/payouts/documents.ts";
import {
	findOwnPayout,
	selectPaidRequests,
	selectPaidSettlements,
} from "../domain/payouts/queries.server.ts";
import { reportMeta } from "../domain/reports/figures.ts";
import { renderTooManyPage } from "../http/plain-page.ts";
import { isOverTransferLimit } from "../http/rate-limit.server.ts";
import { dateIn } from "../values/calendar-date.ts";
import { payoutNotFound, payoutPdf } from "./_admin.payouts_.$id/files.server.ts";

export async function loader(args: LoaderFunctionArgs) {
	const { context, params } = args;
	const id = params.id ?? "";
	const { driver, found, ...parts } = await requireDriver(args, ({ build, me }) => ({
		found: findOwnPayout(build, me, id),
		requests: selectPaidRequests(build, id, me),
		settlements: selectPaidSettlements(build, id, me),
	}));
	const [payout] = found;
	if (!payout) return payoutNotFound(context);
	if (await isOverTransferLimit(context.env, "downloads", driver.user.id))
		return renderTooManyPage(context.requestId);
	const { user, timeZone } = driver;
	const document = statementDocument(
		{ ...payout, madeOn: dateIn(timeZone, payout.createdAt), ...parts },
		user,
		reportMeta(driver, driver.settings.fleetName),
	);
	return payoutPdf(context, driver, payout.number, document, {
		action: "payout.statement",
		chosen: {},
	});
}
