import { eq } from "drizzle-orm";
import { prepared } from "../../db/prepared.server.ts";
import { settings } from "../../db/schema.ts";

/** The id of the one row. */
export const FLEET_SETTINGS = "fleet";

/** What administrators have set, for `toFleetSettings` (definitions.ts): one row or none. */
export const selectSettings = () => rowOfSettings({});

const rowOfSettings = prepared((build) =>
	build.select({ chosen: settings.chosen }).from(settings).where(eq(settings.id, FLEET_SETTINGS)),
);
