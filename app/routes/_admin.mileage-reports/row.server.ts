/** A driver and an entry as this screen shows them, with all texts. */
import type { Performance } from "../../domain/analytics/insights.ts";
import { costPerMile, getTier, type Tier } from "../../domain/analytics/rules.ts";
import { type ClosedUntil, isClosed } from "../../domain/archive/closed-years.server.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import type { Thresholds } from "../../domain/kernel/fleet-settings.ts";
import type { ReviewedLog } from "../../domain/mileage/review.server.ts";
import { flagLabels, personalNote } from "../../domain/mileage/rules.ts";
import { shownDriverCode } from "../../domain/people/rules.ts";
import { dateIn, formatDate, formatTime } from "../../values/calendar-date.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";

const TONES = {
	Excellent: "good",
	Good: "info",
	"Needs Improvement": "bad",
} as const satisfies Record<Tier, string>;

export function toDriverView(driver: Performance, thresholds: Thresholds) {
	const tier = getTier(driver, thresholds);
	return {
		id: driver.id,
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		code: shownDriverCode(driver.driverNumber),
		isActive: driver.isActive,
		miles: formatMiles(driver.miles),
		fuel: formatDollars(driver.fuelCents),
		cost: formatDollars(costPerMile(driver)),
		tier: tier ?? ("No miles" as const),
		tone: tier ? TONES[tier] : ("quiet" as const),
	};
}

/** A live entry with a flag. */
export function isFlagged({ log }: ReviewedLog): boolean {
	return flagLabels(log).length > 0;
}

export function toEntryView(
	{ log, driver, voider }: ReviewedLog,
	{ timeZone }: Pick<ReaderContext, "timeZone">,
	closed: ClosedUntil,
) {
	return {
		id: log.id,
		date: formatDate(log.drivenOn),
		driverId: log.driverId,
		driver: `Driver ${shownDriverCode(driver.driverNumber)}`,
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		start: formatMiles(log.startMiles),
		end: formatMiles(log.endMiles),
		miles: formatMiles(log.miles),
		notes: log.notes,
		purpose: log.purpose,
		personal: personalNote(log.personalMiles),
		logged: `${formatDate(dateIn(timeZone, log.createdAt))}, ${formatTime(timeZone, log.createdAt)}`,
		flags: flagLabels(log),
		isVoidable: log.voidedAt === null && !isClosed(closed, log.drivenOn),
		voided:
			log.voidedAt === null
				? undefined
				: {
						by:
							log.voidedBy === log.driverId
								? "the driver"
								: `${voider.firstName ?? ""} ${voider.lastName ?? ""}`.trim(),
						on: formatDate(dateIn(timeZone, log.voidedAt)),
						reason: log.voidReason,
					},
	};
}

export type EntryView = ReturnType<typeof toEntryView>;
