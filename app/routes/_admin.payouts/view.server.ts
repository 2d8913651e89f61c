/**
 * What the screen shows: what is approved and unpaid, by driver or request by request, the payouts,
 * and whether the books balance.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import type { StatementResult } from "../../db/client.server.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { requestNumber, requestPath, SHORT_TYPE_LABELS } from "../../domain/fund-requests/rules.ts";
import { MAX_COUNTED, selectFilterTotals } from "../../domain/payouts/filtered.server.ts";
import { sentIds } from "../../domain/payouts/input.ts";
import {
	listPayouts,
	selectLastCheck,
	selectPayoutTotals,
} from "../../domain/payouts/queries.server.ts";
import {
	countParts,
	MAX_REQUESTS,
	STATUS_LABELS,
	STATUS_TONES,
	standingOf,
} from "../../domain/payouts/rules.ts";
import {
	isFiltered,
	isNarrowed,
	listUrl,
	type PayoutFilters,
	type PayoutSearch,
	parseSearch,
} from "../../domain/payouts/search.ts";
import { listOwed, listUnpaid, listUnpaidSettlements } from "../../domain/payouts/unpaid.server.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import { displayName, shownDriverCode } from "../../domain/people/rules.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays, dateIn, formatDate, formatMoment } from "../../values/calendar-date.ts";
import { pluralize } from "../../values/count.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";

/** Rows per page: of payouts and drivers, and of requests to tick. */
const PAGE = 20;
const REQUESTS_PAGE = 50;

type Person = {
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
};
const personOf = (row: Person) => ({
	code: shownDriverCode(row.driverNumber),
	name: displayName({ ...row, email: null }),
});

/** Everything the screen shows, in one trip to the database. */
export async function payoutsView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const view = parseSearch(query);
	const { choose } = view;
	const isAllSelected = query.get("select") === "all";
	// A refused form's ticks are kept.
	const form = args.context.method === "POST" ? await args.context.form() : undefined;
	const ticked = form ? [...sentIds(form), ...sentIds(form, "settlementIds")] : [];
	const whose = choose === "all" ? undefined : choose;
	const { filters, isList } = view;
	const person = parsePerson(query, "driver");
	const { reader, all, own, owed, unpaid, weeks, payouts, checked, totals, opened, people } =
		await requireReader(args, ({ build }) => ({
			all: selectPayoutTotals(build),
			own: selectPayoutTotals(build, whose ?? ""),
			// One extra row shows whether there is a next page.
			owed: listOwed(build, choose || isList ? 0 : PAGE + 1, view.owed),
			unpaid: listUnpaid(build, whose, choose ? REQUESTS_PAGE + 1 : 0, view.unpaid),
			weeks: listUnpaidSettlements(build, whose, choose ? REQUESTS_PAGE + 1 : 0, view.unpaidWeeks),
			payouts: listPayouts(build, isList ? PAGE + 1 : 0, view.position, filters, MAX_COUNTED),
			totals: isFiltered(filters) ? selectFilterTotals(build, filters) : undefined,
			opened: isNarrowed(filters) ? undefined : selectFilterTotals(build, { status: "open" }),
			people: selectPersonChoices(build, "approvedDrivers", person),
			checked: selectLastCheck(build),
		}));
	const { timeZone } = reader;
	const choice = toPersonChoice(people, person);
	// A single match is used: the list is that driver's.
	if (choice.isOpen && choice.match && args.context.method !== "POST")
		throw redirect(listUrl({ isList, filters: { ...filters, driver: choice.match.id } }));
	const owedPage = toPage(owed, view.owed, PAGE, (row) => row);
	const unpaidPage = toPage(unpaid, view.unpaid, REQUESTS_PAGE, (row) => row);
	const weeksPage = toPage(weeks, view.unpaidWeeks, REQUESTS_PAGE, (row) => row);
	const payoutsPage = toPage(payouts, view.position, PAGE, ({ payout }) => payout);
	const fleet = sumsOf(all);
	const isTicked = (id: string) => isAllSelected || ticked.includes(id);
	return {
		viewer: toViewer(reader),
		today: reader.today,
		/** New for each rendering of the forms, so that a resend is recognized. */
		key: crypto.randomUUID(),
		fleet,
		choose,
		/** Whose requests are listed, and their unpaid sum. */
		chosen: whose === undefined ? fleet : sumsOf(own),
		isAllSelected,
		here: listUrl(view),
		owed: owedPage.rows.map((row) => ({
			id: row.driverId,
			...personOf(row),
			requests: row.readyRequests,
			settlements: row.readySettlements,
			amount: formatDollars(row.readyCents),
			cents: row.readyCents,
			/** More than fits into one payout. */
			isMany: row.readyRequests + row.readySettlements > MAX_REQUESTS,
			chooseUrl: listUrl({ choose: row.driverId }),
		})),
		owedPages: pageLinks(view.owed, owedPage, (at) => listUrl({ ...view, owed: at })),
		unpaid: unpaidPage.rows.map((row) => ({
			...toTickable(row, isTicked(row.id)),
			number: requestNumber(row.number),
			href: requestPath(row.number),
			facts: [SHORT_TYPE_LABELS[row.type], formatDate(row.requestedOn)],
		})),
		unpaidPages: pageLinks(view.unpaid, unpaidPage, (at) => listUrl({ ...view, unpaid: at })),
		unpaidWeeks: weeksPage.rows.map((row) => ({
			...toTickable(row, isTicked(row.id)),
			number: settlementNumber(row.number),
			href: settlementPath(row.id),
			facts: [formatPeriod({ from: row.weekFrom, to: addDays(row.weekFrom, 6) })],
		})),
		unpaidWeeksPages: pageLinks(view.unpaidWeeks, weeksPage, (at) =>
			listUrl({ ...view, unpaidWeeks: at }),
		),
		isList,
		tabs: tabsOf(view, opened[0]?.count),
		filters,
		choice,
		title:
			isNarrowed(filters) && !filters.status
				? "Payouts found"
				: `${LIST_NAMES[filters.status ?? "all"]} payouts`,
		/** The tab without the other filters, if there are any. */
		clearUrl: isNarrowed(filters)
			? listUrl({ isList: true, filters: { status: filters.status } })
			: undefined,
		empty: isNarrowed(filters)
			? "No payouts found"
			: filters.status
				? `No ${LIST_NAMES[filters.status].toLowerCase()} payouts`
				: "No payouts yet",
		/** The sum of the whole filter, if it finds any. */
		total:
			totals[0] && payoutsPage.rows.length > 0
				? describeTotal(totals[0], choice.chosen?.label)
				: undefined,
		exportUrl: listUrl({ filters }, "/payouts/export.csv"),
		payouts: payoutsPage.rows.map(({ payout, partCents, drivers, ...parts }) => ({
			id: payout.id,
			number: payoutNumber(payout.number),
			status: STATUS_LABELS[payout.status],
			tone: STATUS_TONES[payout.status],
			drivers,
			parts,
			amount: formatDollars(partCents),
			madeOn: formatDate(dateIn(timeZone, payout.createdAt)),
			paidOn: payout.paidOn && formatDate(payout.paidOn),
			reference: payout.reference,
		})),
		pages: pageLinks(view.position, payoutsPage, (at) => listUrl({ ...view, position: at })),
		books: booksFrom(checked, timeZone),
	};
}

/** What kind of payouts a tab lists. */
const LIST_NAMES = { ...STATUS_LABELS, all: "All" } as const;

/** `3 payouts · $586.05`, or of one driver `Dana Driver: $69.85 in 1 payout`. */
function describeTotal({ count, cents }: { count: number; cents: number }, driver?: string) {
	if (count > MAX_COUNTED) return `more than ${MAX_COUNTED} payouts`;
	const [payouts, sum] = [pluralize(count, "payout"), formatDollars(cents)];
	return driver === undefined ? `${payouts} · ${sum}` : `${driver}: ${sum} in ${payouts}`;
}

/**
 * What is still to be paid, and the payouts by status; the other filters stay.
 * @param open how many are open; not said if other filters reduce them, or if there are none
 */
function tabsOf({ filters, isList }: PayoutSearch, open: number | undefined) {
	const { status } = filters;
	const list = (chosen?: PayoutFilters["status"]) =>
		listUrl({ isList: true, filters: { ...filters, status: chosen } });
	const count = open ? ` ${open > MAX_COUNTED ? `${MAX_COUNTED}+` : open}` : "";
	return [
		{ words: "To pay", href: "/payouts", isHere: !isList },
		{ words: `Open${count}`, href: list("open"), isHere: status === "open" },
		{ words: STATUS_LABELS.paid, href: list("paid"), isHere: status === "paid" },
		{ words: "All", href: list(), isHere: isList && status !== "open" && status !== "paid" },
	];
}

/** What both kinds of rows with a box show. */
const toTickable = (
	row: Person & { id: string; driverId: string; cents: number },
	isTicked: boolean,
) => ({
	id: row.id,
	driverId: row.driverId,
	...personOf(row),
	cents: row.cents,
	amount: formatDollars(row.cents),
	isTicked,
});

/** What is unpaid, and how much of it is in open payouts. */
function sumsOf(rows: StatementResult<ReturnType<typeof selectPayoutTotals>>) {
	const [row] = rows;
	const [ready, open, paid] = [
		standingOf(row, "ready"),
		standingOf(row, "open"),
		standingOf(row, "paid"),
	];
	const readyCount = ready.requests + ready.settlements;
	return {
		ready: formatDollars(ready.cents),
		readyCents: ready.cents,
		/** Of both kinds. */
		readyCount,
		/** `3 requests and 1 settlement` */
		readyParts: countParts(ready),
		hasSettlements: ready.settlements > 0,
		isMany: readyCount > MAX_REQUESTS,
		open: formatDollars(open.cents),
		openParts: countParts(open),
		paid: formatDollars(paid.cents),
		paidParts: countParts(paid),
	};
}

/** What was settled, if anything was. */
function settledSums(found: Record<string, number>): string {
	const {
		settledCents = 0,
		settledPaidCents = 0,
		carriedCents = 0,
		settledUnpaidCents = 0,
	} = found;
	if (!settledCents && !settledPaidCents && !carriedCents && !settledUnpaidCents) return "";
	return `${formatDollars(settledCents)} settled = ${formatDollars(settledPaidCents)} paid + ${formatDollars(carriedCents)} carried + ${formatDollars(settledUnpaidCents)} unpaid; `;
}

/** The last check of the books, as text. */
function booksFrom(rows: StatementResult<ReturnType<typeof selectLastCheck>>, timeZone: string) {
	const [row] = rows;
	if (!row) return undefined;
	const found: Record<string, number> = JSON.parse(row.after ?? "{}");
	const { approvedCents = 0, paidCents = 0, unpaidCents = 0, differences = 0 } = found;
	return {
		at: formatMoment(timeZone, row.at),
		drivers: found.drivers ?? 0,
		differences,
		sums: `${settledSums(found)}${formatDollars(approvedCents)} approved = ${formatDollars(paidCents)} paid + ${formatDollars(unpaidCents)} unpaid`,
	};
}

export type PayoutsData = Awaited<ReturnType<typeof payoutsView>>;
