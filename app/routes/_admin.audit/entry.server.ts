/** An audit entry on screen: a sentence, and what changed. */
import { formatMills } from "../../domain/agreements/rules.ts";
import { reportPath } from "../../domain/analytics/search.ts";
import { isErased } from "../../domain/audit/digest.ts";
import type { AuditRow } from "../../domain/audit/queries.server.ts";
import { payoutNumber } from "../../domain/fund-requests/payment.ts";
import { requestNumber, requestPath } from "../../domain/fund-requests/rules.ts";
import { KINDS, SYSTEM_ACTORS } from "../../domain/kernel/audit-kinds.ts";
import { REMINDER_SUBJECTS } from "../../domain/people/email-choices.ts";
import { displayName, formatDriverCode } from "../../domain/people/rules.ts";
import { driverPath } from "../../domain/people/search.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { formatDate, formatMoment, isCalendarDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { labelOf } from "./labels.ts";
import { wordsFor } from "./words.ts";

type Values = Readonly<Record<string, unknown>>;

function valuesIn(json: string | null): Values {
	const values: unknown = json === null || isErased(json) ? null : JSON.parse(json);
	return typeof values === "object" && values !== null ? (values as Values) : {};
}

/** Reminders that are on, off, or left to the fleet. */
const SWITCHES = new Set<string>([...REMINDER_SUBJECTS.driver, ...REMINDER_SUBJECTS.admin]);
/** Ids: the sentence names what they refer to. */
const HIDDEN = new Set(["driverId", "receiptId", "id", "unitsOpen"]);

function shownValue(name: string, value: unknown, timeZone: string): string {
	if (SWITCHES.has(name)) return value === null ? "as the fleet" : value ? "on" : "off";
	if (value === null || value === undefined || value === "") return "none";
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (typeof value === "number") {
		if (/cents$/i.test(name)) return formatDollars(value);
		if (name.endsWith("Mills")) return formatMills(value);
		if (name === "driverNumber") return formatDriverCode(value) ?? "none";
		if (name.endsWith("At")) return formatMoment(timeZone, value);
		if (name === "isActive") return value ? "yes" : "no";
		if (name === "year") return String(value);
		return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
	}
	const text = String(value);
	if (["date", "spentOn", "from", "to", "week"].includes(name) && isCalendarDate(text))
		return formatDate(text);
	return wordsFor(name, text) ?? text;
}

/**
 * What changed, a line per value: `Status: Pending → Approved`. Equal values aren't a change, and
 * what was erased with a driver's personal data is just called erased.
 */
function changes(row: AuditRow, timeZone: string): { label: string; text: string }[] {
	const [before, after] = [valuesIn(row.before), valuesIn(row.after)];
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
		(name) => !HIDDEN.has(name) && !name.endsWith("Id"),
	);
	const lines = names.flatMap((name) => {
		const was = shownValue(name, before[name], timeZone);
		const is = shownValue(name, after[name], timeZone);
		const isKnown = Object.hasOwn(before, name);
		if (!Object.hasOwn(after, name))
			return was === "none" ? [] : [{ label: labelOf(name), text: was }];
		if (!isKnown) return is === "none" ? [] : [{ label: labelOf(name), text: is }];
		return was === is ? [] : [{ label: labelOf(name), text: `${was} → ${is}` }];
	});
	if (isErased(row.before) || isErased(row.after)) lines.push({ label: "Details", text: "erased" });
	if (row.reason)
		lines.push({ label: "Reason", text: isErased(row.reason) ? "erased" : row.reason });
	return lines;
}

/** A trip's URL: the report of its day. */
function tripPath(row: AuditRow): string | undefined {
	// An archived trip's date is in the entry: after logging it, or before voiding it.
	const date = row.tripDate ?? String(valuesIn(row.after).date ?? valuesIn(row.before).date);
	if (!row.subjectId || !isCalendarDate(date)) return undefined;
	return `${reportPath({ from: date, to: date }, { driver: row.subjectId })}#log-${row.entityId}`;
}

/** The thing an entry is about, and its URL. */
function describeSubject(row: AuditRow): {
	words: string;
	href: string | undefined;
	owner: string;
} {
	const code = formatDriverCode(row.subjectNumber);
	const name = displayName({
		firstName: row.subjectFirstName ?? "",
		lastName: row.subjectLastName ?? "",
		email: row.subjectEmail,
	});
	const person = `${name}${code ? ` (${code})` : ""}`;
	const owner = row.subjectFirstName === null ? "" : person;
	switch (row.entity) {
		case "user":
			return { words: person, href: driverPath(row.entityId), owner: "" };
		case "fund-request":
		case "request-message":
			return {
				words: requestNumber(row.requestNumber ?? 0),
				href: row.requestNumber === null ? undefined : requestPath(row.requestNumber),
				owner,
			};
		case "receipt":
			// It is gone with its owner's personal data.
			if (row.receiptName === null) return { words: "a receipt", href: undefined, owner };
			return {
				words: `the receipt ${row.receiptName}`,
				href: `/api/receipts/${row.entityId}`,
				owner,
			};
		case "file":
			return { words: row.entityId, href: undefined, owner: "" };
		case "payout":
			return {
				words: payoutNumber(row.payoutNumber ?? 0),
				href: `/payouts/${row.entityId}`,
				owner: "",
			};
		case "api-token":
			return {
				words: `the token ${row.tokenName ?? ""}`,
				href: `/settings/tokens#token-${row.entityId}`,
				owner: "",
			};
		case "webhook":
			return {
				words: `the webhook ${row.webhookUrl ?? ""}`,
				href: `/settings/webhooks#webhook-${row.entityId}`,
				owner: "",
			};
		case "webhook-delivery":
			return {
				words: "an event of a webhook",
				href: row.keptId === null ? undefined : `/settings/webhooks#delivery-${row.entityId}`,
				owner: "",
			};
		case "books":
			return { words: "the books", href: "/payouts", owner: "" };
		case "backup":
			return { words: "the nightly export", href: undefined, owner: "" };
		case "fund-requests":
			return { words: "fund requests", href: undefined, owner: "" };
		case "email":
			return {
				words: "an email",
				href: row.keptId === null ? undefined : `/email#mail-${row.entityId}`,
				owner: "",
			};
		case "receipt-files":
			return { words: "unused receipt files", href: undefined, owner: "" };
		case "settings":
			return { words: "the settings", href: "/settings", owner: "" };
		case "reminders":
			return { words: "the day's reminders", href: undefined, owner: "" };
		case "year":
			return { words: `the year ${row.entityId}`, href: undefined, owner: "" };
		case "mileage-log":
			return { words: "a mileage log", href: tripPath(row), owner };
		case "uber-fee":
			return {
				words: "an Uber fee",
				href: row.subjectId ? `/uber-fees?driver=${row.subjectId}#fees` : undefined,
				owner,
			};
		case "agreement":
			return {
				words: "an agreement",
				href: row.subjectId ? `${driverPath(row.subjectId)}#agreement` : undefined,
				owner,
			};
		case "charge":
			return {
				words: "a charge",
				href: row.subjectId ? `${driverPath(row.subjectId)}#charges` : undefined,
				owner,
			};
		case "settlement":
		case "settlement-message":
			return {
				words: settlementNumber(row.settlementNumber ?? 0),
				href: row.settlementId === null ? undefined : settlementPath(row.settlementId),
				owner,
			};
		case "fee-import":
			return {
				words: `the fee statement ${row.importName ?? ""}`,
				href: `/uber-fees/import#import-${row.entityId}`,
				owner: "",
			};
		case "platform-driver":
			return {
				words: "a platform's driver",
				href: "/uber-fees/import#remembered",
				owner: "",
			};
		default:
			return { words: row.entity, href: undefined, owner };
	}
}

export function toEntryView(row: AuditRow, timeZone: string) {
	const kind = KINDS[row.action];
	const { words, href, owner } = describeSubject(row);
	const common = {
		id: row.id,
		when: formatMoment(timeZone, row.at),
		verb: kind?.verb ?? row.action,
		changes: changes(row, timeZone),
	};
	if (kind?.isOwn)
		return {
			...common,
			actor: words,
			actorHref: href,
			byToken: row.byToken ?? undefined,
			thing: "",
			href: undefined,
			owner: undefined,
			rest: "",
		};
	const actor =
		row.actorId === null
			? (SYSTEM_ACTORS[row.actorRole] ?? "Milepost")
			: displayName({
					firstName: row.actorFirstName ?? "",
					lastName: row.actorLastName ?? "",
					email: row.actorEmail,
				});
	const isOwn = row.actorId !== null && row.actorId === row.subjectId;
	return {
		...common,
		actor,
		actorHref: row.actorId === null ? undefined : driverPath(row.actorId),
		byToken: row.byToken ?? undefined,
		thing: words,
		href,
		/** Whose thing it is, if someone else acted. */
		owner:
			owner && !isOwn && row.subjectId
				? { words: owner, href: driverPath(row.subjectId) }
				: undefined,
		rest: kind?.rest ?? "",
	};
}
export type EntryView = ReturnType<typeof toEntryView>;
