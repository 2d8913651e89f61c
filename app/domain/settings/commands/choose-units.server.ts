import type { FleetUnits } from "../../../values/fleet-units.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import type { FleetSettings, FromVariables } from "../../kernel/fleet-settings.ts";
import { isOpenSql } from "../first-amount.server.ts";
import { changeSettings } from "./change.server.ts";

/** The fleet has amounts or trips, and has confirmed their units. */
export type UnitsRefusal = Refused<"fixed">;

/** Chooses the fleet's currency and unit of distance, until its first amount or trip. */
export async function chooseUnits(
	admin: AdminContext,
	{ currency, distanceUnit }: FleetUnits,
	defaults: FromVariables,
): Promise<Outcome<FleetSettings, UnitsRefusal>> {
	const wanted = { currency, distanceUnit, unitsOpen: false };
	const now = await changeSettings(admin, wanted, defaults, isOpenSql);
	const isDone = now.currency === currency && now.distanceUnit === distanceUnit && !now.unitsOpen;
	return isDone ? done(now) : refused("fixed");
}
