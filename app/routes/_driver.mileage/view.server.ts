/**
 * What the screen shows: Log Daily Mileage (docs/product.md §2): the form, and the entries the
 * driver can still edit.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import {
	EDITABLE_PAGE,
	editableEntries,
	findOwnEntry,
	selectLastEnding,
} from "../../domain/mileage/queries.server.ts";
import { canDriverEdit } from "../../domain/mileage/rules.ts";
import { mileageUrl, parsePosition } from "../../domain/mileage/search.ts";
import { formatDriverCode } from "../../domain/users/rules.ts";
import { toViewer } from "../../ui/viewer.ts";
import { addDays, dateIn } from "../../values/calendar-date.ts";
import { describeCapture } from "../../values/captured.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";

/** Everything the screen shows, in one trip to the database. */
export async function mileageView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const named = query.get(query.get("dialog") === "void" ? "id" : "correct") ?? "";
	const position = parsePosition(query);
	const { driver, last, entries, entry } = await requireDriver(args, ({ build, me, now }) => ({
		last: selectLastEnding(me),
		entries: editableEntries(build, me, now, position),
		entry: isRowId(named) ? findOwnEntry(build, me, named) : undefined,
	}));
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
		correcting: query.get("dialog") === "void" ? undefined : editable,
		voiding: query.get("dialog") === "void" ? editable : undefined,
		entries: page.rows.map((log) => ({
			...log,
			canEdit: canDriverEdit(log, now),
			correctHref: mileageUrl(position, { correct: log.id }),
			voidHref: mileageUrl(position, { dialog: "void", id: log.id }),
			captured:
				log.capturedAt === null
					? undefined
					: describeCapture(timeZone, log.capturedAt, log.createdAt),
			isToday: log.drivenOn === today || dateIn(timeZone, log.createdAt) === today,
		})),
		isFirstPage: position === undefined,
		/** The URL of this page of the entries. */
		here: mileageUrl(position),
		pages: pageLinks(position, page, mileageUrl),
	};
}

export type MileageData = Awaited<ReturnType<typeof mileageView>>;
