import { sql } from "drizzle-orm";
import { platformDrivers } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { auditActor, hasAccess } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";
import { throwAccessLost, throwTooMany } from "../../kernel/transition.server.ts";

/** A platform's driver and the matching user. */
export type DriverMatch = {
	readonly platformId: string;
	readonly name: string;
	readonly driverId: string;
};

export type RememberRefusal =
	/** The platform's driver is already matched with someone else. */
	| Refused<"contradicts", { readonly platformId: string; readonly driver: string }>
	/** Nobody with that id ever had a driver's code, or they were pseudonymized. */
	| Refused<"no-such-driver", { readonly platformId: string }>;

/** What prevents a match, according to the database. */
type Obstacle = {
	readonly platformId: string;
	readonly isDriver: number;
	readonly aliasName: string | null;
};

/**
 * Remembers matches of a platform's ids, all or none. Existing matches stay; a contradicting one is
 * refused until an administrator has removed the old one.
 */
export async function rememberDrivers(
	admin: AdminContext,
	platform: string,
	matches: readonly DriverMatch[],
): Promise<Outcome<null, RememberRefusal>> {
	if (matches.length === 0) return done(null);
	const { db, user, now } = admin;
	const { build } = db;
	const changeId = crypto.randomUUID();
	const rows = toRows(matches);
	const obstacles = build.all<Obstacle>(obstaclesSql(platform, rows));
	const isClear = sql`not exists (select 1 from (${obstaclesSql(platform, rows)}))`;
	const { found, verdict } = await db.batch({
		found: obstacles,
		remembered: build.run(sql`
			insert into platform_drivers (id, platform_id, name, driver_id, platform, added_by,
				created_at, last_change_id)
			select each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3, ${platform},
				${user.id}, ${now}, ${changeId}
			from json_each(${rows}) as each where ${isClear} and ${hasAccess(admin)}
				and not ${isOverLimit(admin)}
			on conflict do nothing`),
		audit: auditStatement(
			build,
			auditActor(admin),
			{
				action: "alias.add",
				entity: "platform-driver",
				after: sql`json_object('platform', platform, 'platformDriver', platform_id,
					'nameThere', name, 'driver', (select trim(first_name || ' ' || last_name) from users
						where users.id = driver_id), 'driverId', driver_id)`,
			},
			platformDrivers,
			// If D1 runs the batch twice, the entries are already there.
			sql`id in (select value ->> 0 from json_each(${rows})) and last_change_id = ${changeId}
				and not exists (select 1 from audit_events as told where told.entity = 'platform-driver'
					and told.entity_id = platform_drivers.id and told.action = 'alias.add')`,
		),
		verdict: build.all<{ isAllowed: number; isTooMany: number }>(
			sql`select ${hasAccess(admin)} as isAllowed, ${isOverLimit(admin)} as isTooMany`,
		),
	});
	if (!verdict[0]?.isAllowed) return throwAccessLost(admin);
	if (verdict[0].isTooMany) return throwTooMany(admin);
	return refuseFirst(found);
}

/** The matches as JSON, with their future ids. */
const toRows = (matches: readonly DriverMatch[]): string =>
	JSON.stringify(
		matches.map(({ platformId, name, driverId }) => [
			crypto.randomUUID(),
			platformId.slice(0, 200),
			name.slice(0, 200),
			driverId,
		]),
	);

/** Refuses the first of the matches that can't be remembered, if any. */
function refuseFirst([obstacle]: readonly Obstacle[]): Outcome<null, RememberRefusal> {
	if (!obstacle) return done(null);
	const { platformId, isDriver, aliasName } = obstacle;
	return isDriver
		? refused("contradicts", { platformId, driver: aliasName ?? "" })
		: refused("no-such-driver", { platformId });
}

/** The matches that can't be remembered. */
const obstaclesSql = (platform: string, rows: string) => sql`
	select each.value ->> 1 as platformId,
		trim(known.first_name || ' ' || known.last_name) as aliasName,
		person.driver_number is not null and person.pseudonymized_at is null as isDriver
	from json_each(${rows}) as each
	left join users as person on person.id = each.value ->> 3
	left join platform_drivers as alias on alias.platform = ${platform}
		and alias.platform_id = each.value ->> 1 and alias.removed_at is null
	left join users as known on known.id = alias.driver_id
	where person.driver_number is null or person.pseudonymized_at is not null
		or (alias.driver_id is not null and alias.driver_id <> each.value ->> 3)`;

/** What prevents these matches, without remembering them. */
export async function checkDrivers(
	{ db }: AdminContext,
	platform: string,
	matches: readonly DriverMatch[],
): Promise<Outcome<null, RememberRefusal>> {
	if (matches.length === 0) return done(null);
	const { found } = await db.batch({
		found: db.build.all<Obstacle>(obstaclesSql(platform, toRows(matches))),
	});
	return refuseFirst(found);
}
