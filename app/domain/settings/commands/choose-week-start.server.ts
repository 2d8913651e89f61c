import { type SQL, sql } from "drizzle-orm";
import { agreements } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { auditActor } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import type { FleetSettings, FromVariables } from "../../kernel/fleet-settings.ts";
import { changeSettings } from "./change.server.ts";

export type WeekStartRefusal = Refused<"settled">;

/**
 * Chooses the first day of the fleet's weeks, which is fixed once a week was settled. Agreements
 * start on the first day of a week: theirs moves to the nearest one.
 */
export async function chooseWeekStart(
	admin: AdminContext,
	weekStartsOn: FleetSettings["weekStartsOn"],
	defaults: FromVariables,
): Promise<Outcome<FleetSettings, WeekStartRefusal>> {
	const isUnsettled = sql`not exists (select 1 from settlements)`;
	const settings = await changeSettings(
		admin,
		{ weekStartsOn },
		defaults,
		isUnsettled,
		(isChanged) => moveAgreements(admin, weekStartsOn, isChanged),
	);
	return settings.weekStartsOn === weekStartsOn ? done(settings) : refused("settled");
}

function moveAgreements(
	admin: AdminContext,
	weekStartsOn: FleetSettings["weekStartsOn"],
	isChanged: SQL,
) {
	const { build } = admin.db;
	const start = sql`date(starts_on, '-3 days', ${weekStartsOn === "sunday" ? "weekday 0" : "weekday 1"})`;
	const isMoved = sql`agreements.id in (select made.id from users
			cross join agreements as made on made.driver_id = users.id where users.driver_number > 0)
		and ${start} <> starts_on and ${isChanged}`;
	return {
		moves: auditStatement(
			build,
			auditActor(admin),
			{
				action: "agreement.move",
				entity: "agreement",
				before: sql`json_object('from', starts_on)`,
				after: sql`json_object('from', ${start})`,
			},
			agreements,
			isMoved,
		),
		agreements: build.run(sql`update agreements set starts_on = ${start} where ${isMoved}`),
	};
}
