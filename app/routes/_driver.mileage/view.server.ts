/**
 * What the screen shows: Log Daily Mileage (docs/product.md §2): the form, and the entries the
 * driver can still edit.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { onForm } from "../../domain/kernel/refusal-table.ts";
import { selectBeside, selectMissingDays } from "../../domain/mileage/beside.server.ts";
import {
	EDITABLE_PAGE,
	editableEntries,
	findOwnEntry,
	selectLastEnding,
	selectPurposes,
} from "../../domain/mileage/queries.server.ts";
import { whyNotVoided } from "../../domain/mileage/refusals.ts";
import { CORRECTED, canDriverEdit, describeBeside } from "../../domain/mileage/rules.ts";
import { mileageUrl, parsePosition } from "../../domain/mileage/search.ts";
import { formatDriverCode } from "../../domain/people/rules.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays, type CalendarDate, dateIn, formatDate } from "../../values/calendar-date.ts";
import { describeCapture } from "../../values/captured.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { firstEntryDate, queryDate } from "../../values/date-input.ts";
import { refused } from "../../values/outcome.ts";
import { isRowId } from "../../values/row-id.ts";

/** The date before today that the URL names, if a trip can be logged for it. */
function dateOf(query: URLSearchParams, today: CalendarDate): CalendarDate | undefined {
	const date = queryDate(query.get("date"));
	return date && date < today && date >= firstEntryDate(today) ? date : undefined;
}

/** Everything the screen shows, in one trip to the database. */
export async function mileageView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const isVoiding = query.get("dialog") === "void";
	const named = query.get(isVoiding ? "id" : "correct") ?? "";
	const position = parsePosition(query);
	const found = await requireDriver(args, ({ build, me, now, today }) => {
		const date = dateOf(query, today);
		return {
			...(date && selectBeside(build, me, date)),
			missing: selectMissingDays(build, me, today),
			last: selectLastEnding(me),
			purposes: selectPurposes(me, {}),
			entries: editableEntries(build, me, now, position),
			entry: isRowId(named) ? findOwnEntry(build, me, named) : undefined,
		};
	});
	const { driver, last, entries, entry, missing } = found;
	const date = dateOf(query, driver.today);
	const beside = {
		before: found.before?.[0],
		firstOfDay: found.firstOfDay?.[0],
		lastOfDay: found.lastOfDay?.[0],
		after: found.after?.[0],
	};
	const { user, now, timeZone, today } = driver;
	const page = toPage(entries, position, EDITABLE_PAGE, (log) => log);
	const editable = entry[0] && canDriverEdit(entry[0], now) ? entry[0] : undefined;
	return {
		viewer: toViewer(driver),
		today,
		latest: addDays(today, 1),
		driverId: formatDriverCode(user.driverNumber) ?? user.id,
		/** New for each rendering of the form, so that a resend is recognized. */
		key: crypto.randomUUID(),
		last: last[0],
		/** Of the last trips, for the form's choices. */
		purposes: found.purposes.map(({ purpose }) => purpose),
		/** The date that the URL names, where the last trip before it ended, and the entries around it. */
		chosen: date && { date, start: beside.before?.endMiles, words: describeBeside(beside) },
		/** Days before today that have no trip. */
		missing: missing.map(({ day }) => ({
			day,
			words: formatDate(day),
			href: `/mileage?date=${day}`,
		})),
		correcting: isVoiding ? undefined : editable,
		voiding: isVoiding ? editable : undefined,
		/** Why a link's offer is no longer possible: an older page may still make it. */
		tooLate: entry[0] && !editable ? tooLate(entry[0], isVoiding, driver) : undefined,
		entries: page.rows.map((log) => ({
			...log,
			canEdit: canDriverEdit(log, now),
			correctHref: mileageUrl(position, { correct: log.id }),
			voidHref: mileageUrl(position, { dialog: "void", id: log.id }),
			captured:
				log.capturedAt === null
					? undefined
					: describeCapture(timeZone, log.capturedAt, log.createdAt),
			isToday: log.drivenOn === today,
			isLoggedToday: dateIn(timeZone, log.createdAt) === today,
		})),
		isFirstPage: position === undefined,
		/** The URL of this page of the entries. */
		here: mileageUrl(position),
		pages: pageLinks(position, page, mileageUrl),
	};
}

function tooLate(
	{ voidedAt, voidedBy, voidReason }: Awaited<ReturnType<typeof findOwnEntry>>[number],
	isVoiding: boolean,
	driver: DriverContext,
) {
	const refusal = refused(voidedAt === null ? "too-late" : "already-voided");
	if (voidedBy === driver.user.id && voidReason === CORRECTED)
		return { words: "You've corrected this entry already.", advice: undefined };
	if (isVoiding) return { words: onForm(whyNotVoided(refusal, driver)).message, advice: undefined };
	return voidedAt === null
		? {
				words: "Entries can be corrected for 7 days.",
				advice: "Ask an administrator to void this one before you log it again.",
			}
		: {
				words: "This entry is voided, so it can no longer be corrected.",
				advice: "The form below logs a new trip.",
			};
}

export type MileageData = Awaited<ReturnType<typeof mileageView>>;
