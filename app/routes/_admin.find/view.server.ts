/** What the search box finds: people, a request, a payout, a settlement. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { parseFind } from "../../domain/find/search.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { findRequests, type ListedRequest } from "../../domain/fund-requests/queries.server.ts";
import {
	effectiveAmount,
	STATUS_LABELS as REQUEST_LABELS,
	requestNumber,
	requestPath,
	SHORT_TYPE_LABELS,
} from "../../domain/fund-requests/rules.ts";
import { findPayoutByNumber } from "../../domain/payouts/queries.server.ts";
import { STATUS_LABELS as PAYOUT_LABELS } from "../../domain/payouts/rules.ts";
import { searchPeople } from "../../domain/people/choice.server.ts";
import { resultCount, searchText, toPersonChoice } from "../../domain/people/choice.ts";
import { displayName, nameWithCode } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { findSettlementByNumber } from "../../domain/settlements/queries.server.ts";
import { STATUS_LABELS as SETTLEMENT_LABELS } from "../../domain/settlements/rules.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays, dateIn, formatDate } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";

/** One result. */
type Hit = {
	readonly href: string;
	readonly title: string;
	readonly text: string;
};

/** Everything the page shows, in one trip; a single match is opened at once. */
export async function findView(args: LoaderFunctionArgs) {
	const asked = parseFind(new URL(args.request.url).searchParams);
	const text = asked.isPerson ? searchText(asked.text.replace(/^#\s*/, "")) : "";
	const { reader, people, requests, payouts, settlements } = await requireReader(
		args,
		({ build }) => ({
			...(text ? { people: searchPeople(build, "everybody", text) } : {}),
			...(asked.requestNumber === undefined
				? {}
				: { requests: findRequests(build, "number", [asked.requestNumber]) }),
			...(asked.payoutNumber === undefined
				? {}
				: { payouts: findPayoutByNumber(build, asked.payoutNumber) }),
			...(asked.settlementNumber === undefined
				? {}
				: { settlements: findSettlementByNumber(build, asked.settlementNumber) }),
		}),
	);
	const found = toPersonChoice(people ?? [], { id: "", text, answered: "" }, "everybody");
	const others = [
		...(requests ?? []).map((row) => requestHit(row, reader.timeZone)),
		...(payouts ?? []).map(payoutHit),
		...(settlements ?? []).map(settlementHit),
	];
	const { match } = found;
	if (match && others.length === 0) throw redirect(driverPath(match.id));
	const [only] = others;
	if (only && others.length === 1 && found.people.length === 0) throw redirect(only.href);
	return {
		viewer: toViewer(reader),
		text: asked.text,
		people: found.people.map(
			({ id, label, email }): Hit => ({ href: driverPath(id), title: label, text: email ?? "" }),
		),
		/** How many people that is, and of what kind. */
		found: found.people.length > 0 ? resultCount(found) : "",
		others,
	};
}

function requestHit({ request, driver }: ListedRequest, timeZone: string): Hit {
	return {
		href: requestPath(request.number),
		title: requestNumber(request.number),
		text: [
			nameWithCode(driver),
			SHORT_TYPE_LABELS[request.type],
			formatDollars(effectiveAmount(request)),
			REQUEST_LABELS[request.status],
			formatDate(dateIn(timeZone, request.createdAt)),
		].join(" · "),
	};
}

type FoundPayout = Awaited<ReturnType<typeof findPayoutByNumber>>[number];

function payoutHit({ id, number, status, totalCents, driverCount }: FoundPayout): Hit {
	return {
		href: `/payouts/${id}`,
		title: payoutNumber(number),
		text: [PAYOUT_LABELS[status], formatDollars(totalCents), pluralize(driverCount, "driver")].join(
			" · ",
		),
	};
}

type FoundSettlement = Awaited<ReturnType<typeof findSettlementByNumber>>[number];

const settlementHit = ({ id, number, status, weekFrom, ...names }: FoundSettlement): Hit => ({
	href: settlementPath(id),
	title: settlementNumber(number),
	text: [
		displayName({ ...names, email: null }),
		formatPeriod({ from: weekFrom, to: addDays(weekFrom, 6) }),
		SETTLEMENT_LABELS[status],
	].join(" · "),
});

export type FindData = Awaited<ReturnType<typeof findView>>;
