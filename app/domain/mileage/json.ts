/** Mileage logs in the API (docs/product.md §3, 'Names on the wire'). */
import { formatDriverCode } from "../people/rules.ts";
import type { ShownLog } from "./rows.server.ts";
import { flagLabels } from "./rules.ts";

/** Dates are `YYYY-MM-DD`, readings whole miles, moments ISO 8601 in UTC. */
export function mileageJson(log: ShownLog, driverNumber: number | null) {
	return {
		id: log.id,
		driverId: log.driverId,
		driverIdCode: formatDriverCode(driverNumber),
		date: log.drivenOn,
		startOdometer: log.startMiles,
		endOdometer: log.endMiles,
		calculatedMiles: log.miles,
		notes: log.notes,
		status: log.voidedAt === null ? "logged" : "voided",
		flags: flagLabels(log),
		createdAt: new Date(log.createdAt).toISOString(),
		/** When the phone captured it, if it waited there for a signal. */
		capturedAt: log.capturedAt === null ? null : new Date(log.capturedAt).toISOString(),
	};
}
