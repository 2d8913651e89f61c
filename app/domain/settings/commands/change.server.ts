import { eq, type SQL, sql } from "drizzle-orm";
import type { Statements } from "../../../db/client.server.ts";
import { settings } from "../../../db/schema.ts";
import { isDefaultUnits } from "../../../values/fleet-units.ts";
import { hasAccess } from "../../kernel/actor.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import {
	DEFAULT_SETTINGS,
	type FleetSettings,
	type FromVariables,
	MONEY_THRESHOLDS,
	toFleetSettings,
} from "../../kernel/fleet-settings.ts";
import { transition } from "../../kernel/transition.server.ts";
import { FLEET_SETTINGS, selectSettings } from "../queries.server.ts";

/**
 * Changes the given settings; the others are unaffected, whoever changes them at the same time. One
 * that is set to its default is no longer stored, so that it follows its default again.
 * @param when a condition of the row; nothing is changed unless it is met
 * @param next what to change along with them
 * @returns the current settings afterwards
 */
export async function changeSettings(
	admin: AdminContext,
	changes: Partial<FleetSettings>,
	defaults: FromVariables,
	when: SQL = sql`1`,
	next?: (isChanged: SQL) => Statements,
): Promise<FleetSettings> {
	const usual: Readonly<Record<string, unknown>> = { ...DEFAULT_SETTINGS, ...defaults };
	const own: readonly string[] = isDefaultUnits(admin.settings) ? [] : MONEY_THRESHOLDS;
	const isUsual = (name: string, value: unknown) => value === usual[name] && !own.includes(name);
	const named = Object.entries(changes);
	const patch = JSON.stringify(
		Object.fromEntries(named.map(([name, value]) => [name, isUsual(name, value) ? null : value])),
	);
	const patched = sql<string>`json_patch(${settings.chosen}, ${patch})`;
	const { rows } = await transition(admin, {
		table: settings,
		rows: eq(settings.id, FLEET_SETTINGS),
		when: sql`${settings.chosen} is not ${patched} and ${when}`,
		set: { chosen: patched },
		audit: {
			action: "settings.change",
			entity: "settings",
			// Without dollars a fleet has no such number until it sets one.
			before: selectCurrent(
				named.map(([name]) => name),
				{ ...usual, ...Object.fromEntries(own.map((name) => [name, null])) },
			),
			after: sql`${JSON.stringify(changes)}`,
		},
		first: {
			row: admin.db.build.run(sql`insert into ${settings} (id)
				select ${FLEET_SETTINGS} where ${hasAccess(admin)} on conflict do nothing`),
		},
		next: (changed) => next?.(sql`exists (select 1 from ${settings} where ${changed})`) ?? {},
		read: selectSettings,
	});
	return toFleetSettings(rows, defaults);
}

/** The previous values of these settings as JSON, stored or not. */
function selectCurrent(names: readonly string[], usual: Readonly<Record<string, unknown>>): SQL {
	const values = names.map(
		(name) =>
			sql`${name}, json(coalesce(${settings.chosen} -> ${name}, ${JSON.stringify(usual[name])}))`,
	);
	return sql`json_object(${sql.join(values, sql`, `)})`;
}
