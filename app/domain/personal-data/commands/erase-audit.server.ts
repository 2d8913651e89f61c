/**
 * Replaces the audit's texts about pseudonymized drivers by their digests, which the seals cover as
 * well. Only sealed entries are changed, so that no seal is made over a text that is about to be
 * erased; unsealed ones wait for their seal.
 */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../../db/client.server.ts";
import { AGREEMENT } from "../../agreements/record.ts";
import { selectClosedUntil } from "../../archive/closed-years.server.ts";
import { erasedText, type SealedEntry } from "../../audit/digest.ts";
import { CHARGE } from "../../charges/record.ts";
import { REQUEST } from "../../fund-requests/record.ts";
import { systemEntry } from "../../kernel/audit-entry.server.ts";
import type { SystemContext } from "../../kernel/context.ts";
import { type Columns, columnsOf } from "../../kernel/record.ts";
import { TRIP } from "../../mileage/record.ts";
import { AUDIT } from "../account.server.ts";
import type { Part } from "../section.server.ts";
import { erased, NO_HASH } from "./erasure.server.ts";

/** Entries per trip, and trips per run. */
const ENTRIES = 250;
const TRIPS = 12;

const auditNames = (record: Columns) =>
	columnsOf(record).flatMap(([, { audit }]) => (audit ? [audit] : []));

/**
 * What an unchanged entry may contain: figures, dates and states. An entry with anything else loses
 * all of its texts.
 */
const FIGURES = [
	...auditNames(TRIP),
	...auditNames(REQUEST),
	...auditNames(AGREEMENT),
	...auditNames(CHARGE),
	"approvalStatus",
	"category",
	"deletedAt",
	"driverNumber",
	"erased",
	"inviteExpiresAt",
	"isActive",
	"isCredit",
	"removedAt",
	"role",
	"undoneAt",
	"week",
] as const;

const hasWords = (json: "before" | "after") => sql`exists (
	select 1 from json_each(coalesce(${sql.raw(`entry.${json}`)}, '{}'))
	where key is null or key not in (select value from json_each(${JSON.stringify(FIGURES)})))`;
const HAS_TEXT = sql`(${hasWords("before")} or ${hasWords("after")}
	or entry.reason not glob '{"erased":"*')`;

/** Entries with text by and about someone; sealed ones with their salts. */
const selectEntries = (build: Builder, { from, whose }: Part, id: string, isSealed: boolean) =>
	build.all<SealedEntry>(sql`
		select entry.id as id, entry.at as at, entry.actor_id as actorId,
			entry.actor_role as actorRole, entry.session_ref as sessionRef,
			entry.request_id as requestId, entry.action as action, entry.entity as entity,
			entry.entity_id as entityId, entry.before as before, entry.after as after,
			entry.reason as reason, salts.salt as salt
		from ${from} left join audit_salts as salts on salts.event_id = entry.id
		where ${whose(id)} and ${HAS_TEXT} and ${isSealed ? sql`salts.salt is not null` : sql`1`}
		limit ${isSealed ? ENTRIES : 1}`);

/** Texts of archived entries; figures and dates are kept. */
const eraseArchived = (build: Builder, id: string) =>
	build.run(sql`update mileage_logs set ${erased(TRIP)}
		where driver_id = ${id} and payload_hash <> ${NO_HASH}`);

/** The result of a run. */
export type Erasure = { readonly entries: number; readonly finished: number };

/**
 * Takes the next steps of the erasure that has waited longest. Nothing is changed while the nightly
 * export is running, which needs entries with the salts they were sealed with, nor while a year is
 * being archived, so that no earlier copy is missed.
 * @param archive has the texts of their archived entries
 * @returns nothing if there is nobody to erase
 */
export async function eraseAuditTexts(
	system: SystemContext,
	archive: Database,
): Promise<Erasure | undefined> {
	const { db, now } = system;
	const { build } = db;
	const { waiting, closed } = await db.batch({
		closed: selectClosedUntil(build),
		waiting: build.all<{ id: string }>(sql`
			select id from users indexed by users_in_erasure
			where pseudonymized_at is not null and audit_erased_at is null
				and not exists (select 1 from daily_tasks where name = 'export'
					and (cursor is not null or claimed_until > ${now}))
				and not exists (select 1 from archived_years where finished_at is null)
			order by pseudonymized_at, id limit 1`),
	});
	const [person] = waiting;
	if (!person) return undefined;
	if (closed[0]?.closedTo) await archive.batch({ words: eraseArchived(build, person.id) });
	let entries = 0;
	let trips = 0;
	for (const part of AUDIT.parts)
		for (;;) {
			const { found } = await db.batch({
				found: selectEntries(build, part, person.id, true),
			});
			if (found.length === 0) break;
			if (++trips > TRIPS) return { entries, finished: 0 };
			await db.batch(erase(build, found));
			entries += found.length;
			if (found.length < ENTRIES) break;
		}
	const left = await db.batch(
		Object.fromEntries(
			AUDIT.parts.map((part, at) => [at, selectEntries(build, part, person.id, false)]),
		),
	);
	if (Object.values(left).some((rows) => rows.length > 0)) return { entries, finished: 0 };
	await db.batch({
		finish: build.run(sql`update users set audit_erased_at = ${now} where id = ${person.id}`),
		audit: systemEntry(system, {
			action: "audit.erase",
			entity: "user",
			entityId: person.id,
			after: {},
		}),
	});
	return { entries, finished: 1 };
}

/** Replaces the texts by digests; without their salts nobody can guess the texts. */
function erase(build: Builder, entries: readonly SealedEntry[]) {
	const told = JSON.stringify(
		entries.map((entry) => [
			entry.id,
			erasedText(entry, "before"),
			erasedText(entry, "after"),
			erasedText(entry, "reason"),
		]),
	);
	return {
		texts: build.run(sql`update audit_events set before = told.value ->> 1,
			after = told.value ->> 2, reason = told.value ->> 3
			from json_each(${told}) as told where audit_events.id = told.value ->> 0`),
		salts: build.run(sql`delete from audit_salts
			where event_id in (select value ->> 0 from json_each(${told}))`),
	};
}
