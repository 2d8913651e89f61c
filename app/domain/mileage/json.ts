/** Mileage logs in the API (docs/product.md §3, 'Names on the wire'). */
import { toWire } from "../kernel/record.ts";
import { formatDriverCode } from "../people/rules.ts";
import { TRIP } from "./record.ts";
import type { ShownLog } from "./rows.server.ts";
import { flagLabels } from "./rules.ts";

/** Dates are `YYYY-MM-DD`, readings whole miles, moments ISO 8601 in UTC. */
export function mileageJson(log: ShownLog, driverNumber: number | null) {
	return {
		...toWire(TRIP, log),
		driverIdCode: formatDriverCode(driverNumber),
		status: log.voidedAt === null ? "logged" : "voided",
		flags: flagLabels(log),
	};
}
