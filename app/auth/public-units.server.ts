/** The fleet's currency and distance on public pages. */
import { DEFAULT_SETTINGS, toFleetSettings } from "../domain/kernel/fleet-settings.ts";
import { selectSettings } from "../domain/settings/queries.server.ts";
import {
	areUnitsKnown,
	type FleetUnits,
	fleetUnits,
	setFleetUnits,
} from "../values/fleet-units.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * What the guard last read for someone, or else a row that is read once per isolate. Without the
 * database such a page is still shown, in dollars and miles.
 */
export async function publicUnits({ db }: Pick<RequestContext, "db">): Promise<FleetUnits> {
	if (!areUnitsKnown()) {
		const answers = await db.batch({ settings: selectSettings() }).catch(() => undefined);
		if (answers) setFleetUnits(toFleetSettings(answers.settings, DEFAULT_SETTINGS));
	}
	return fleetUnits();
}
