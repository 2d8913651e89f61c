/** A driver and an entry as this screen shows them: every word ready. */
import type { Performance } from "../../domain/analytics/insights.ts";
import { costPerMile, type Tier, tierOf } from "../../domain/analytics/rules.ts";
import type { AdminContext } from "../../domain/context.ts";
import type { ReviewedLog } from "../../domain/mileage/review.server.ts";
import { flagWords } from "../../domain/mileage/rules.ts";
import { driverCode } from "../../domain/users/rules.ts";
import { dateIn, showDate, showTime } from "../../values/calendar-date.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";

const TONES = { Excellent: "good", Good: "info", "Needs Improvement": "bad" } as const satisfies Record<Tier, string>;

export function shownDriver(driver: Performance) {
	const tier = tierOf(driver);
	return {
		id: driver.id,
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		code: driverCode(driver.driverNumber) ?? "N/A",
		isActive: driver.isActive,
		miles: showMiles(driver.miles),
		fuel: dollars(driver.fuelCents),
		cost: dollars(costPerMile(driver)),
		tier: tier ?? ("No miles" as const),
		tone: tier ? TONES[tier] : ("quiet" as const),
	};
}

/** A live entry that something is unusual about. */
export function isFlagged({ log }: ReviewedLog): boolean {
	return log.voidedAt === null && flagWords(log).length > 0;
}

export function shownEntry({ log, driver, voider }: ReviewedLog, { timeZone }: AdminContext) {
	const code = driverCode(driver.driverNumber);
	return {
		id: log.id,
		date: showDate(log.drivenOn),
		driver: code ? `Driver ${code}` : "Driver",
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		start: showMiles(log.startMiles),
		end: showMiles(log.endMiles),
		miles: showMiles(log.miles),
		notes: log.notes,
		logged: `${showDate(dateIn(timeZone, log.createdAt))}, ${showTime(timeZone, log.createdAt)}`,
		flags: flagWords(log),
		voided:
			log.voidedAt === null
				? undefined
				: {
						by: log.voidedBy === log.driverId ? "the driver" : `${voider.firstName ?? ""} ${voider.lastName ?? ""}`.trim(),
						on: showDate(dateIn(timeZone, log.voidedAt)),
						reason: log.voidReason,
					},
	};
}

export type ShownEntry = ReturnType<typeof shownEntry>;
