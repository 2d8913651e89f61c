import { sql } from "drizzle-orm";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import type { FleetSettings, FromVariables } from "../../kernel/fleet-settings.ts";
import { changeSettings } from "./change.server.ts";

export type WeekStartRefusal = Refused<"settled">;

/** Chooses the first day of the fleet's weeks, which no longer changes once one was settled. */
export async function chooseWeekStart(
	admin: AdminContext,
	weekStartsOn: FleetSettings["weekStartsOn"],
	defaults: FromVariables,
): Promise<Outcome<FleetSettings, WeekStartRefusal>> {
	const isUnsettled = sql`not exists (select 1 from settlements)`;
	const settings = await changeSettings(admin, { weekStartsOn }, defaults, isUnsettled);
	return settings.weekStartsOn === weekStartsOn ? done(settings) : refused("settled");
}
