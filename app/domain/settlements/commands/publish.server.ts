import { type SQL, sql } from "drizzle-orm";
import { eachOf } from "../../../db/each-of.server.ts";
import { settlements } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { countSettledInstalments } from "../../charges/rows.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { type Chosen, workOutTogether } from "../chosen.ts";
import { queuePublishedEmails } from "../emails.server.ts";
import { isPublished } from "../facts.server.ts";
import { hasIdIn, type SettlementRow, settlementsWithLines } from "../rows.server.ts";
import { MAX_AT_ONCE } from "../rules.ts";
import { lacksAgreement, type Settlement, toSettlement } from "../settlement.ts";

export type PublishRefusal =
	| Refused<"not-found">
	| Refused<"not-draft", Settlement>
	| Refused<"not-over", Settlement>
	| Refused<"no-agreement", Settlement>
	| Refused<"changed", Settlement>
	| Refused<"busy">;

/** How often it is worked out again when the books change meanwhile. */
const TRIES = 5;

/**
 * Publishes drafts of weeks that are over, all or none: their lines and sums are stored, and the
 * sums below zero that they carry are marked. It writes only what today's books say: if they change
 * between reading and writing, it reads again.
 * @param results the results that were shown, by id, in cents; no other is published unseen
 * @throws RangeError for too many at once
 */
export async function publishSettlements(
	admin: AdminContext,
	ids: readonly string[],
	results: Readonly<Record<string, number>>,
): Promise<Outcome<readonly SettlementRow[], PublishRefusal>> {
	if (ids.length > MAX_AT_ONCE) throw new RangeError(`at most ${MAX_AT_ONCE} settlements at once`);
	const { db, today } = admin;
	for (let tries = 0; tries < TRIES; tries++) {
		const { seen, rows } = await db.batch({
			seen: db.build.all<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_events`),
			rows: settlementsWithLines(db.build).where(hasIdIn(ids)),
		});
		if (rows.length < ids.length) return refused("not-found");
		const chosen = workOutTogether(rows.map(toSettlement));
		for (const each of chosen) {
			if (each.status !== "draft" || !each.draft) return refused("not-draft", each);
			if (each.week.to >= today) return refused("not-over", each);
			if (lacksAgreement(each.draft)) return refused("no-agreement", each);
			const shown = Object.hasOwn(results, each.id) ? results[each.id] : undefined;
			if (shown !== undefined && shown !== each.resultCents) return refused("changed", each);
		}
		const published = await publish(admin, chosen, seen[0]?.id ?? 0);
		if (published) return done(published);
	}
	return refused("busy");
}

/** What changes a week's sum, as the audit has it. */
const CHANGES = JSON.stringify([
	...["fee.import", "fee.undo-import", "mileage.log", "mileage.void", "agreement.make"],
	...["charge.add", "charge.void", "settlement.publish", "settlement.void", "year.close"],
]);

/**
 * Whether nothing has happened since that could change a sum; its own entries don't count. A plus
 * sign hides the action from its index, which would read all of history instead of what is new.
 */
const isUnchanged = (seen: number, ids: string, drivers: string): SQL => sql`not exists (
	select 1 from audit_events as told where told.id > ${seen}
		and +told.action in (select value from json_each(${CHANGES}))
		and not (told.entity = 'settlement' and told.entity_id in (select value from json_each(${ids})))
		and not (told.entity = 'mileage-log' and not exists (select 1 from mileage_logs as trip
			where trip.id = told.entity_id
				and trip.driver_id in (select value from json_each(${drivers})))))`;

/** Stores the lines and sums; nothing if the books have changed since they were read. */
async function publish(
	admin: AdminContext,
	chosen: readonly Chosen[],
	seen: number,
): Promise<readonly SettlementRow[] | undefined> {
	const { db, user, now } = admin;
	const { build } = db;
	const list = chosen.map(({ id }) => id);
	const ids = JSON.stringify(list);
	const drivers = JSON.stringify(chosen.map(({ driverId }) => driverId));
	const sums = JSON.stringify(
		Object.fromEntries(
			chosen.map(({ id, carriedInCents, resultCents }) => [id, [carriedInCents, resultCents]]),
		),
	);
	// Found by path: a search among json_each's rows would read all of them each time.
	const sumOf = (place: number) =>
		sql`(${sums} ->> ('$."' || settlements.id || '"[${sql.raw(String(place))}]'))`;
	const lines = chosen.flatMap(({ id, lines: own }) =>
		own.map(({ kind, platform, text, cents, about, chargeId }, place) => [
			...[id, place, kind, platform, text, cents, about, chargeId],
		]),
	);
	const charges = chosen.flatMap(({ lines: own }) => own.flatMap(({ chargeId }) => chargeId ?? []));
	const carried = JSON.stringify(
		Object.fromEntries(chosen.flatMap(({ id, carries }) => carries.map((each) => [each, id]))),
	);
	const { changed, rows } = await transition(admin, {
		table: settlements,
		rows: hasIdIn(list),
		when: sql`+settlements.status = 'draft' and ${isUnchanged(seen, ids, drivers)}
			and (select count(*) from json_each(${ids}) as each
				cross join settlements as asked on asked.id = each.value
				where asked.status = 'draft') = ${list.length}`,
		set: {
			status: "published",
			carriedInCents: sumOf(0) as SQL<number>,
			resultCents: sumOf(1) as SQL<number>,
			publishedAt: now,
			publishedBy: user.id,
		},
		audit: {
			action: "settlement.publish",
			entity: "settlement",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'published', 'week', week_from, 'amountCents', ${sumOf(1)})`,
		},
		next: (published) => {
			const isDone = sql`exists (select 1 from settlements where ${published})`;
			return {
				emails: queuePublishedEmails(build, chosen, published, now),
				lines: build.run(sql`
					insert into settlement_lines (settlement_id, place, kind, platform, text, amount_cents,
						about_week, charge_id)
					select each.value ->> 0, each.value ->> 1, each.value ->> 2, each.value ->> 3,
						each.value ->> 4, each.value ->> 5, each.value ->> 6, each.value ->> 7
					from ${eachOf(lines)} where ${isDone} on conflict do nothing`),
				carried: build.run(sql`
					update settlements set carried_by = ${carried} ->> ('$."' || settlements.id || '"')
					where id in (select key from json_each(${carried})) and carried_by is null and ${isDone}`),
				instalments: countSettledInstalments(
					build,
					sql`id in (select each.value from ${eachOf(charges)}) and ${isDone}`,
				),
				// What was marked in earlier weeks is corrected now.
				marks: build.run(sql`
					delete from settlement_marks where driver_id in (select own.driver_id
						from json_each(${ids}) as each cross join settlements as own on own.id = each.value
						where not exists (select 1 from settlements as later
							where later.driver_id = own.driver_id and later.week_from > own.week_from
								and ${isPublished("later")}))
						and ${isDone}`),
			};
		},
		read: (reader) => settlementsWithLines(reader).where(hasIdIn(list)).orderBy(settlements.number),
	});
	return changed.size === list.length ? rows : undefined;
}
