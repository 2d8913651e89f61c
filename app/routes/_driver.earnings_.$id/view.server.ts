/** What the page of one published week shows: its lines, and the rows that they come from. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import { describeAgreement } from "../../domain/agreements/sentence.ts";
import { describeInstalments } from "../../domain/charges/instalments.ts";
import { type Charge, KIND_LABELS } from "../../domain/charges/rules.ts";
import { receiptUrlOf } from "../../domain/fund-requests/input.ts";
import { describePayment } from "../../domain/fund-requests/payment.ts";
import { describeThread } from "../../domain/messages/rules.ts";
import { personalNote } from "../../domain/mileage/rules.ts";
import { displayName } from "../../domain/people/rules.ts";
import {
	allOwnTrips,
	findOwnWeek,
	MAX_TRIPS,
	type NearWeek,
	selectNearWeeks,
	selectOwnAgreement,
	selectOwnCharges,
	selectOwnMoney,
	selectOwnTrips,
} from "../../domain/settlements/own.server.ts";
import { statementTotals } from "../../domain/settlements/own-week.ts";
import { STATUS_LABELS, STATUS_TONES } from "../../domain/settlements/rules.ts";
import { EARNINGS } from "../../domain/settlements/search.ts";
import { toSettlement } from "../../domain/settlements/settlement.ts";
import { type Place, showLines, showSums } from "../../domain/settlements/shown.ts";
import type { Line, LineKind } from "../../domain/settlements/week.ts";
import {
	describeWeek,
	settlementNumber,
	startingWeekday,
} from "../../domain/statements/settlement-week.ts";
import { refusal } from "../../http/refusal.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { countMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";

/** Where on the page the rows of a kind of line are. */
const SECTIONS: Readonly<Record<Exclude<LineKind, "correction">, Place>> = {
	fares: { href: "#statements", words: "Statement" },
	tips: { href: "#statements", words: "Statement" },
	promotions: { href: "#statements", words: "Statement" },
	tolls: { href: "#statements", words: "Statement" },
	cash: { href: "#statements", words: "Statement" },
	transfers: { href: "#statements", words: "Statement" },
	miles: { href: "#trips", words: "Trips" },
	rent: { href: "#agreement", words: "Agreement" },
	fee: { href: "#agreement", words: "Agreement" },
	charge: { href: "#charges", words: "Charge" },
};

const toLink = ({ id, number }: Pick<NearWeek, "id" | "number">): Place => ({
	href: `${EARNINGS}/${id}`,
	words: settlementNumber(number),
});

/**
 * Where a line's rows are; a corrected week has its own page.
 * @param missing sections that the page doesn't have
 */
const placeIn =
	(near: readonly NearWeek[], missing: readonly (string | false)[]) =>
	({ kind, about }: Line): Place | undefined => {
		if (kind !== "correction") {
			const place = SECTIONS[kind];
			return missing.includes(place.href) ? undefined : place;
		}
		const corrected = near.find(({ weekFrom }) => weekFrom === about);
		return corrected && toLink(corrected);
	};

/** What other weeks have to do with this one. */
const relations = (near: readonly NearWeek[]) =>
	near.flatMap((each) => [
		...(each.isCarried === 1 ? [{ words: "Carried in from", of: each }] : []),
		...(each.isCarrier === 1 ? [{ words: "Carried out to", of: each }] : []),
		...(each.correctedCents === null
			? []
			: [{ words: `Corrected by ${formatDollars(each.correctedCents)} in`, of: each }]),
	]);

/** Everything the page shows, in one trip to the database. */
export async function weekView(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const { today } = args.context;
	const { driver, found, money, charges, agreement, near, ...own } = await requireDriver(
		args,
		({ build, me }) => ({
			found: findOwnWeek(build, me, id),
			money: selectOwnMoney(build, me, id),
			...selectOwnTrips(build, me, id),
			charges: selectOwnCharges(build, me, id),
			agreement: selectOwnAgreement(build, me, id),
			near: selectNearWeeks(build, me, id),
		}),
	);
	const [row] = found;
	if (!row) throw refusal({ kind: "not-found" }, 404);
	const settlement = toSettlement(row);
	const { number, status, week, lines, payout, payableCents } = settlement;
	const { user } = driver;
	const [terms] = agreement;
	const paysMiles = lines.some(({ kind }) => kind === "miles");
	const trips = paysMiles ? await allOwnTrips(driver, own, week.from) : [];
	const missing = [
		money.length === 0 && "#statements",
		charges.length === 0 && "#charges",
		terms === undefined && "#agreement",
	];
	const startsOn = startingWeekday(driver.settings);
	const toCharge = (charge: Charge) => ({
		id: charge.id,
		kind: KIND_LABELS[charge.kind],
		amount: formatDollars(charge.direction === "for" ? charge.amountCents : -charge.amountCents),
		under: `${formatDate(charge.chargedOn)} · ${describeInstalments(charge, today, startsOn)}`,
		note: charge.note ?? "",
		receipt: charge.receiptId === null ? undefined : receiptUrlOf(charge.receiptId),
	});
	return {
		viewer: toViewer(driver),
		week: formatPeriod(week),
		number: settlementNumber(number),
		status: STATUS_LABELS[status],
		tone: STATUS_TONES[status],
		payment: describePayment(payout, today),
		statementUrl: payout?.status === "paid" ? `/history/payouts/${payout.id}.pdf` : undefined,
		isOwed: status === "published" && payableCents > 0,
		url: `${EARNINGS}/${id}`,
		pdf: `${EARNINGS}/${id}.pdf`,
		lines: showLines(lines, placeIn(near, missing)),
		sums: showSums(settlement),
		statements: statementTotals(money),
		trips: trips.slice(0, MAX_TRIPS).map(({ id, drivenOn, miles, personalMiles }) => ({
			id,
			day: formatDate(drivenOn),
			miles: countMiles(miles - (personalMiles ?? 0)),
			personal: personalNote(personalMiles),
		})),
		hasMoreTrips: trips.length > MAX_TRIPS,
		paysMiles,
		charges: charges.map(toCharge),
		agreement: terms && {
			sentence: describeAgreement(user.firstName || displayName(user), terms),
			from: formatDate(terms.startsOn),
		},
		thread: describeThread(settlement, driver.timeZone),
		/** Makes the next message one message, however often it is sent. */
		messageKey: crypto.randomUUID(),
		near: relations(near).map(({ words, of }) => ({
			key: `${words} ${of.id}`,
			words,
			href: toLink(of).href,
			number: settlementNumber(of.number),
			week: describeWeek(of.weekFrom, today),
		})),
	};
}

export type WeekData = Awaited<ReturnType<typeof weekView>>;
