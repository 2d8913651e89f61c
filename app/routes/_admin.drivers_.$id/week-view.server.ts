/** What a driver's page shows of their agreements and charges, and of the dialogs about them. */
import * as v from "valibot";
import { AGREEMENT_FIELDS } from "../../domain/agreements/fields.ts";
import { newAgreementInput } from "../../domain/agreements/input.ts";
import { agreementJson } from "../../domain/agreements/json.ts";
import { termsOf } from "../../domain/agreements/record.ts";
import {
	type Agreement,
	agreementFor,
	EVERYTHING,
	MAX_SHOWN,
	PRESETS,
	type Terms,
} from "../../domain/agreements/rules.ts";
import { describeAgreement, workExample } from "../../domain/agreements/sentence.ts";
import { describeInstalments } from "../../domain/charges/instalments.ts";
import { cursorOf } from "../../domain/charges/queries.server.ts";
import { type Charge, KIND_LABELS, PAGE_SIZE } from "../../domain/charges/rules.ts";
import { chargesUrl, parsePosition } from "../../domain/charges/search.ts";
import { receiptUrlOf } from "../../domain/fund-requests/input.ts";
import type { UserRow } from "../../domain/kernel/context.ts";
import { displayName } from "../../domain/people/rules.ts";
import { driverPath, WEEK_DIALOGS } from "../../domain/people/search.ts";
import { settlementWeek } from "../../domain/statements/settlement-week.ts";
import { type CalendarDate, dateIn, formatDate } from "../../values/calendar-date.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";

/** An agreement in words, with a worked example. */
export type Preview = {
	readonly sentence: string;
	readonly week: string;
	readonly lines: readonly { readonly text: string; readonly amount: string }[];
	readonly result: string;
};

type Named = Pick<UserRow, "firstName" | "lastName" | "email">;
const sentenceOf = (user: Named, terms: Terms) =>
	describeAgreement(user.firstName || displayName(user), terms);

/** What an agreement says and comes to. */
export function previewOf(user: Named, terms: Terms): Preview {
	const { week, lines, result } = workExample(terms);
	return {
		sentence: sentenceOf(user, terms),
		week,
		lines: lines.map(({ text, cents }) => ({ text, amount: formatDollars(cents) })),
		result: formatDollars(result),
	};
}

type Place = {
	/** Whether the reader may change what the page shows. */
	readonly mayChange: boolean;
	readonly user: UserRow;
	readonly today: CalendarDate;
	readonly now: number;
	/** The weekday that weeks start on, 0 for Sunday. */
	readonly startsOn: number;
	readonly timeZone: string;
	/** The largest receipt. */
	readonly receiptMegabytes: number;
	readonly query: URLSearchParams;
};

/** What a preset replaces. */
const MILEAGE_TERMS = new Set([
	"perMileMills",
	"thresholdMiles",
	"thereafterMills",
	"taxYearStart",
]);

/**
 * What the form of an agreement starts with: the current terms, and over them the rates of a
 * preset, from this week on.
 */
function startOf(current: Agreement | undefined, { user, today, startsOn, query }: Place) {
	const preset = Object.entries(PRESETS).find(([name]) => name === query.get("preset"))?.[1];
	const terms = Object.entries(current ? agreementJson(current) : EVERYTHING);
	const isAsked = (name: string) =>
		Object.hasOwn(AGREEMENT_FIELDS, name) && !(preset && MILEAGE_TERMS.has(name));
	const values: Record<string, string> = {
		...Object.fromEntries(
			terms.flatMap(([name, value]) => (isAsked(name) ? [[name, String(value)]] : [])),
		),
		...preset?.values,
		from: settlementWeek(today, startsOn).from,
	};
	const schema = newAgreementInput(today, startsOn);
	const agreement = v.parse(schema, { ...values, driverId: user.id });
	return { values, preview: previewOf(user, termsOf(agreement)) };
}

/** Where an agreement stands among the others. */
function badgeOf(agreement: Agreement, all: readonly Agreement[], current: Agreement | undefined) {
	if (agreement.id === current?.id) return { label: "In force", tone: "good" as const };
	if (agreementFor(all, agreement.startsOn)?.id !== agreement.id)
		return { label: "Replaced", tone: "quiet" as const };
	return current === undefined || agreement.startsOn > current.startsOn
		? { label: "Starts later", tone: "wait" as const }
		: undefined;
}

const toCharge = ({ user, today, startsOn }: Place, charge: Charge) => {
	const { id, kind, chargedOn, amountCents, direction, note, receiptId } = charge;
	return {
		id,
		kind: KIND_LABELS[kind],
		amount: formatDollars(direction === "for" ? amountCents : -amountCents),
		under: `${formatDate(chargedOn)} · ${describeInstalments(charge, today, startsOn)}`,
		note: note ?? "",
		receipt: receiptId === null ? undefined : receiptUrlOf(receiptId),
		isFor: direction === "for",
		driverId: user.id,
	};
};

/**
 * @param agreements latest start first; one more than is listed says that there are more
 * @param inForce this week's, which may not be among them
 * @param charges one more than a page says that there are more
 * @param removed the charge that the URL names
 */
export function weekView(
	{
		agreements,
		inForce: [current],
		charges,
		removed,
	}: {
		readonly agreements: readonly Agreement[];
		readonly inForce: readonly Agreement[];
		readonly charges: readonly Charge[];
		readonly removed: readonly Charge[];
	},
	place: Place,
) {
	const { mayChange, user, today, now, timeZone, receiptMegabytes, query } = place;
	const isDriver = user.role === "driver" && user.approvalStatus === "approved" && !user.deletedAt;
	// Nothing new is recorded about a pseudonymized driver.
	const mayAdd = mayChange && user.pseudonymizedAt === null;
	const asked = WEEK_DIALOGS.find((name) => name === query.get("dialog"));
	const isPossible = isDriver && (asked === "remove-charge" ? mayChange : mayAdd);
	const dialog = isPossible ? asked : undefined;
	const position = parsePosition(query);
	const page = toPage(charges, position, PAGE_SIZE, cursorOf);
	const [charge] = removed;
	return {
		/** Whether they can have an agreement and charges. */
		isDriver,
		mayChange,
		/** Whether more of them can be recorded. */
		mayAdd,
		dialog,
		newKey: crypto.randomUUID(),
		/** Tells which agreements the form was opened on. */
		openedAt: String(now),
		today,
		receiptMegabytes,
		current: current && sentenceOf(user, current),
		/** `All agreements (2)` */
		agreementsTitle:
			agreements.length > MAX_SHOWN
				? `The ${MAX_SHOWN} agreements that start last, of more than ${MAX_SHOWN}`
				: `All agreements (${agreements.length})`,
		agreements: agreements.slice(0, MAX_SHOWN).map((agreement) => ({
			id: agreement.id,
			sentence: sentenceOf(user, agreement),
			under: `From ${formatDate(agreement.startsOn)} · made ${formatDate(dateIn(timeZone, agreement.createdAt))}`,
			badge: badgeOf(agreement, agreements, current),
		})),
		start: dialog === "agreement" ? startOf(current, place) : undefined,
		charges: page.rows.map((row) => ({
			...toCharge(place, row),
			remove: chargesUrl(user.id, position, row.id),
		})),
		chargePages: pageLinks(position, page, (to) => chargesUrl(user.id, to)),
		removed: charge && charge.driverId === user.id ? toCharge(place, charge) : undefined,
		chargesPath: chargesUrl(user.id, position),
		agreementPath: driverPath(user.id, "agreement"),
	};
}
