import { eq } from "drizzle-orm";
import { prepare } from "../../db/prepared.server.ts";
import { settings } from "../../db/schema.ts";

/** The id of the only row. */
export const FLEET_SETTINGS = "fleet";

/** The settings, for `toFleetSettings` (fleet-settings.ts): one row or none. */
export const selectSettings = () => rowOfSettings({});

const rowOfSettings = prepare((build) =>
	build.select({ chosen: settings.chosen }).from(settings).where(eq(settings.id, FLEET_SETTINGS)),
);
