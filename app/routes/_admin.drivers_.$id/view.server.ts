/** What a person's page shows: who they are, their month, and the latest of each kind. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { listAgreementsOf, selectAgreementFor } from "../../domain/agreements/queries.server.ts";
import { MAX_SHOWN } from "../../domain/agreements/rules.ts";
import { selectTotals } from "../../domain/analytics/queries.server.ts";
import { costPerMile, feeCents, requestCents, ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import { reportPath } from "../../domain/analytics/search.ts";
import { findCharge, listCharges } from "../../domain/charges/queries.server.ts";
import { PAGE_SIZE } from "../../domain/charges/rules.ts";
import { parsePosition } from "../../domain/charges/search.ts";
import { describePayment, payoutNumber } from "../../domain/fund-requests/payment.ts";
import { type FlaggedRequest, listFlagged } from "../../domain/fund-requests/queries.server.ts";
import { questionBadge } from "../../domain/fund-requests/question-badge.ts";
import {
	effectiveAmount,
	isLateRequest,
	LATE,
	PAID_BY_MILE,
	RECEIPT_EXPECTED_ABOVE_CENTS,
	requestNumber,
	requestPath,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/fund-requests/rules.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { isOfOffice, roleOf } from "../../domain/kernel/standing.ts";
import { selectBounceOf } from "../../domain/mail/bounces.server.ts";
import { listDriverEntries, type ReviewedLog } from "../../domain/mileage/review.server.ts";
import { flagLabels } from "../../domain/mileage/rules.ts";
import {
	listPayouts,
	selectPaidSince,
	selectPayoutTotals,
} from "../../domain/payouts/queries.server.ts";
import {
	describeOwed,
	STATUS_LABELS as PAYOUT_LABELS,
	STATUS_TONES as PAYOUT_TONES,
	unpaidOf,
} from "../../domain/payouts/rules.ts";
import { invitationNamedBy, onePerson } from "../../domain/people/rows.server.ts";
import { displayName } from "../../domain/people/rules.ts";
import { driverPath, PERSON_DIALOGS } from "../../domain/people/search.ts";
import { lastSignIn } from "../../domain/people/sessions.server.ts";
import { listSettlements } from "../../domain/settlements/queries.server.ts";
import { SHOWN_WEEKS } from "../../domain/settlements/rules.ts";
import { toSettlement } from "../../domain/settlements/settlement.ts";
import { type DriverWeek, listDriverWeeks } from "../../domain/statements/driver-weeks.server.ts";
import { platformLabel } from "../../domain/statements/platforms.ts";
import { listAliasesOf } from "../../domain/statements/queries.server.ts";
import { startingWeekday } from "../../domain/statements/settlement-week.ts";
import { type FeeWithDriver, signedCents } from "../../domain/uber-fees/json.ts";
import { listFees } from "../../domain/uber-fees/queries.server.ts";
import { categoryText } from "../../domain/uber-fees/rules.ts";
import { refusal } from "../../http/refusal.ts";
import { isAllowed } from "../../routing/routes.ts";
import { toViewer } from "../../ui/viewer.ts";
import {
	addDays,
	dateIn,
	formatDate,
	formatMoment,
	startOfYear,
} from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { clampPeriod, formatPeriod, lastMonths } from "../../values/period.ts";
import { toPerson } from "../_admin.drivers/people.ts";
import { pseudonymizingOf } from "./pseudonymize.server.ts";
import { toSettled } from "./settled.server.ts";
import { standingOf } from "./standing.ts";
import { weekView } from "./week-view.server.ts";

/** Rows per list, and rows searched for flags. */
const SHOWN = 5;
const LOOKED_AT = 20;
/** How far back the weeks of statements go. */
const DAYS_OF_WEEKS = 35;

/** Everything the page shows, in one trip to the database. */
export async function driverView(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const query = new URL(args.request.url).searchParams;
	const asked = query.get("dialog");
	const month = lastMonths(args.context.today, 1);
	const ever = clampPeriod(undefined, undefined, args.context.today);
	const { reader, found, ...read } = await requireReader(args, ({ build }) => ({
		found: onePerson(build, id),
		totals: selectTotals(id, month),
		unpaid: selectPayoutTotals(build, id),
		paid: selectPaidSince(build, id, startOfYear(args.context.today)),
		payouts: listPayouts(build, SHOWN, undefined, { driver: id }, SHOWN),
		trips: listDriverEntries(build, id, ever, LOOKED_AT),
		requests: listFlagged(build, id, LOOKED_AT),
		fees: listFees(build, id, SHOWN),
		weeks: listDriverWeeks(build, id, addDays(args.context.today, -DAYS_OF_WEEKS)),
		agreements: listAgreementsOf(build, id, MAX_SHOWN + 1),
		inForce: selectAgreementFor(build, id, args.context.today),
		charges: listCharges(build, id, PAGE_SIZE + 1, parsePosition(query)),
		removed: asked === "remove-charge" ? findCharge(build, query.get("id") ?? "") : undefined,
		signIn: lastSignIn(build, id),
		bounces: selectBounceOf(build, id),
		aliases: listAliasesOf(build, id),
		invited: invitationNamedBy(build, id),
		settlements: listSettlements(build, SHOWN_WEEKS, { driver: id }),
	}));
	const [user] = found;
	if (!user) throw refusal({ kind: "not-found" }, 404);
	const { timeZone, now } = reader;
	const { keepDriverYears: years } = reader.settings;
	const totals = read.totals[0] ?? ZERO_TOTALS;
	const [unpaid] = read.unpaid;
	const [signIn] = read.signIn;
	const [invited] = read.invited;
	const isApproved = user.approvalStatus === "approved" && !user.deletedAt;
	const isSelf = user.id === reader.user.id;
	const [latest] = read.trips;
	// A phone may be a day ahead of the fleet.
	const to = latest && latest.log.drivenOn > reader.today ? latest.log.drivenOn : reader.today;
	const shown = { from: ever.from, to };
	const person = toPerson(user, timeZone, now, read.bounces[0]?.reason ?? null);
	return {
		viewer: toViewer(reader),
		person,
		standing: standingOf(user),
		/** Whose invitation they would have accepted if their provider vouched for the email. */
		week: weekView(read, {
			...{ user, today: reader.today, now: reader.now, timeZone, query },
			startsOn: startingWeekday(reader.settings),
			receiptMegabytes: reader.settings.receiptMegabytes,
			mayChange: isAllowed(reader.role, "POST", driverPath(id)),
		}),
		invited: invited && { name: displayName(invited), path: driverPath(invited.id) },
		/** Someone whose application can be decided; if rejected, only to approve it. */
		isApplicant:
			user.role === "driver" &&
			user.approvalStatus !== "approved" &&
			!user.deletedAt &&
			person.hasName,
		isRejected: user.approvalStatus === "rejected",
		isApproved,
		isSelf,
		pseudonymizing: pseudonymizingOf(user, {
			timeZone,
			today: reader.today,
			years,
			decidedAt: signIn?.decidedAt ?? null,
		}),
		isAsking: asked === "pseudonymize",
		dialog: isApproved && !isSelf ? PERSON_DIALOGS.find((name) => name === asked) : undefined,
		lastSignIn: signIn?.at
			? formatMoment(timeZone, signIn.at)
			: signIn?.hasIdentity
				? `Not in the last ${isOfOffice(roleOf(user)) ? "day" : "30 days"}`
				: "Never",
		period: formatPeriod(month),
		miles: formatMiles(totals.miles),
		approved: formatDollars(requestCents(totals)),
		perMile: formatDollars(costPerMile(totals)),
		fees: formatDollars(feeCents(totals)),
		// Until a payout is paid, its requests and settlements are unpaid.
		unpaid: formatDollars(unpaidOf(unpaid).cents),
		owed: describeOwed(unpaid),
		paidThisYear: formatDollars(read.paid[0]?.cents ?? 0),
		payouts: read.payouts.map(toPayout),
		trips: read.trips.slice(0, SHOWN).map(toTrip),
		allTrips: reportPath(shown, { driver: id }),
		flaggedTrips: reportPath(shown, { driver: id, isFlaggedOnly: true }),
		requests: read.requests.slice(0, SHOWN).map((row) => toRequest(row, reader)),
		charges: read.fees.map(toFee),
		weeks: read.weeks.map(toWeek),
		settlements: read.settlements.map(toSettlement).map(toSettled),
		aliases: read.aliases.map((alias) => ({
			...alias,
			platform: platformLabel(alias.platform),
		})),
		flagged: [...read.trips.map(flaggedTrip), ...read.requests.map(flaggedRequest)].filter(
			({ words }) => words.length > 0,
		),
	};
}

function toTrip({ log }: ReviewedLog) {
	return {
		id: log.id,
		date: formatDate(log.drivenOn),
		readings: `${formatMiles(log.startMiles)} to ${formatMiles(log.endMiles)}`,
		miles: formatMiles(log.miles),
		isVoided: log.voidedAt !== null,
	};
}

function toRequest({ request, payout }: FlaggedRequest, { timeZone, today }: ReaderContext) {
	const inPayout = payout && `In ${payoutNumber(payout.number)}`;
	return {
		id: request.id,
		number: requestNumber(request.number),
		href: requestPath(request.number),
		type: SHORT_TYPE_LABELS[request.type],
		date: formatDate(dateIn(timeZone, request.createdAt)),
		amount: formatDollars(effectiveAmount(request)),
		status: STATUS_LABELS[request.status],
		tone: STATUS_TONES[request.status],
		question: questionBadge(request),
		/** Approved isn't paid yet. */
		payment: describePayment(payout, today) ?? inPayout,
	};
}

function toPayout({ payout, partCents }: Awaited<ReturnType<typeof listPayouts>>[number]) {
	const { id, number, status, paidOn, reference } = payout;
	return {
		id,
		number: payoutNumber(number),
		under: [paidOn && formatDate(paidOn), reference].filter(Boolean).join(" · "),
		amount: formatDollars(partCents),
		status: PAYOUT_LABELS[status],
		tone: PAYOUT_TONES[status],
	};
}

function toWeek({ from, fareCents, tipCents, tollCents, cashCents }: DriverWeek) {
	return {
		week: formatPeriod({ from, to: addDays(from, 6) }),
		fares: formatDollars(fareCents),
		under: [
			`Tips ${formatDollars(tipCents)}`,
			`tolls ${formatDollars(tollCents)}`,
			`cash collected ${formatDollars(-cashCents)}`,
		].join(" · "),
	};
}

function toFee({ fee }: FeeWithDriver) {
	return {
		id: fee.id,
		date: formatDate(fee.chargedOn),
		category: categoryText(fee.category),
		reference: fee.referenceNumber ?? "",
		amount: formatDollars(signedCents(fee)),
		isCredit: fee.isCredit,
	};
}

/** What is unusual about a trip or a request, and where it can be seen. */
type Flagged = {
	readonly id: string;
	readonly words: readonly string[];
	readonly of: string;
	readonly href: string;
};

const flaggedTrip = ({ log }: ReviewedLog): Flagged => ({
	id: log.id,
	words: flagLabels(log),
	of: `Trip on ${formatDate(log.drivenOn)}, ${formatMiles(log.miles)} ${inUnits("mi")}`,
	href: `${reportPath({ from: log.drivenOn, to: log.drivenOn }, { driver: log.driverId })}#log-${log.id}`,
});

function flaggedRequest({ request, twin, isPaidByMile }: FlaggedRequest): Flagged {
	const lacksReceipt =
		request.status === "pending" &&
		request.receiptId === null &&
		request.amountCents > RECEIPT_EXPECTED_ABOVE_CENTS;
	return {
		id: request.id,
		words: [
			...(request.isPossibleDuplicate ? ["Possible duplicate"] : []),
			...(isLateRequest(request) ? [LATE] : []),
			...(isPaidByMile ? [inUnits(PAID_BY_MILE)] : []),
			...(twin ? [`Same receipt as ${requestNumber(twin.number)}`] : []),
			...(lacksReceipt ? ["No receipt"] : []),
		],
		of: requestNumber(request.number),
		href: requestPath(request.number),
	};
}

export type DriverData = Awaited<ReturnType<typeof driverView>>;
