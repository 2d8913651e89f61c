/** What the screen shows: Log Daily Mileage (docs/product.md §2): the form, and the entries its driver can still mend. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asDriver } from "../../auth/guard.server.ts";
import { entriesToMend, lastEnding, ownEntry } from "../../domain/mileage/queries.server.ts";
import { isOwnToMend } from "../../domain/mileage/rules.ts";
import { driverCode } from "../../domain/users/rules.ts";
import { viewerOf } from "../../ui/viewer.ts";
import { addDays, dateIn } from "../../values/calendar-date.ts";
import { capturedWords } from "../../values/captured.ts";
import { isRowId } from "../../values/row-id.ts";

/** Everything the screen shows, in one trip to the database. */
export async function mileageView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const named = query.get(query.get("dialog") === "void" ? "id" : "correct") ?? "";
	const { driver, last, entries, entry } = await asDriver(args, ({ build, me, now }) => ({
		last: lastEnding(build, me),
		entries: entriesToMend(build, me, now),
		entry: ownEntry(build, me, isRowId(named) ? named : ""),
	}));
	const { user, now, timeZone, today } = driver;
	const mendable = entry[0] && isOwnToMend(entry[0], now) ? entry[0] : undefined;
	return {
		viewer: viewerOf(driver),
		today,
		latest: addDays(today, 1),
		driverId: driverCode(user.driverNumber) ?? user.id,
		/** Minted for this rendering of the form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		last: last[0],
		correcting: query.get("dialog") === "void" ? undefined : mendable,
		voiding: query.get("dialog") === "void" ? mendable : undefined,
		entries: entries.map((log) => ({
			...log,
			isMendable: isOwnToMend(log, now),
			captured: log.capturedAt === null ? undefined : capturedWords(timeZone, log.capturedAt, log.createdAt),
			isToday: log.drivenOn === today || dateIn(timeZone, log.createdAt) === today,
		})),
	};
}

export type MileageData = Awaited<ReturnType<typeof mileageView>>;
