/**
 * Tamper evidence: once a day the audit's new entries are sealed, each seal covering the previous
 * one. Whoever can write to the database can also seal it again, so a seal counts only together
 * with a copy outside it: each night's log line.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { auditSeals } from "../../db/schema.ts";
import { dateIn } from "../../values/calendar-date.ts";
import type { SystemContext } from "../kernel/context.ts";
import { claimStep, continueStatement, finishStatement } from "../kernel/daily-task.server.ts";
import { chain, type SealedEntry } from "./digest.ts";

const NAME = "seal";
/** Entries per seal, and seals per run. */
const ENTRIES_PER_SEAL = 250;
const SEALS_PER_RUN = 4;

/** Less than any entry's id, including inserted ones. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** The result of a day's sealing; `hash` is the latest seal's. */
export type Sealing = {
	readonly entries: number;
	readonly lastEntry: number;
	readonly hash: string;
};

type Seal = typeof auditSeals.$inferSelect;

/** The last seal. */
function selectLastSeal(build: Builder) {
	return build
		.select()
		.from(auditSeals)
		.where(sql`${auditSeals.lastEventId} = (select max(last_event_id) from audit_seals)`);
}

/** Entries after an id, in order, each with its salt. */
function selectEntries(build: Builder, after: number | SQL, limit: number) {
	return build.all<SealedEntry>(sql`
		select entry.id, at, actor_id as actorId, actor_role as actorRole, session_ref as sessionRef,
			request_id as requestId, action, entity, entity_id as entityId, before, after, reason, salt
		from audit_events as entry left join audit_salts as salts on salts.event_id = entry.id
		where entry.id > ${after} order by entry.id limit ${limit}`);
}

/** 128 random bits in hex. */
const newSalt = () => crypto.randomUUID().replaceAll("-", "");

/** Seals the next entries, if there are any. */
async function sealNext({ db, now }: SystemContext): Promise<Seal | undefined> {
	const { build } = db;
	const { last, entries } = await db.batch({
		last: selectLastSeal(build),
		entries: selectEntries(
			build,
			sql`coalesce((select max(last_event_id) from audit_seals), ${BEFORE_ALL})`,
			ENTRIES_PER_SEAL,
		),
	});
	const lastEntry = entries.at(-1);
	if (!lastEntry) return undefined;
	const salted = entries.map((entry) => ({ ...entry, salt: newSalt() }));
	const before = last[0];
	const seal = {
		lastEventId: lastEntry.id,
		entries: entries.length,
		hash: chain(before?.hash ?? "", salted),
		sealedAt: now,
	};
	const isNext = sql`(select max(last_event_id) from audit_seals)
		is ${before?.lastEventId ?? null}`;
	await db.batch({
		salts: build.run(sql`
			insert into audit_salts (event_id, salt)
			select value ->> 0, value ->> 1
			from json_each(${JSON.stringify(salted.map(({ id, salt }) => [id, salt]))})
			where ${isNext}`),
		seal: build.run(sql`
			insert into audit_seals (last_event_id, entries, hash, sealed_at)
			select ${seal.lastEventId}, ${seal.entries}, ${seal.hash}, ${now} where ${isNext}`),
	});
	return seal;
}

/**
 * Takes the next step of today's sealing, unless it is finished.
 * @returns the counts of the whole day if this step was the last one
 */
export async function sealAudit(
	system: SystemContext,
	timeZone: string,
): Promise<Sealing | undefined> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const step = await claimStep(db, NAME, today, now);
	if (!step) return undefined;
	let { entries = 0 } = step.counts;
	let isLast = false;
	for (let made = 0; made < SEALS_PER_RUN && !isLast; made++) {
		const seal = await sealNext(system);
		entries += seal?.entries ?? 0;
		isLast = !seal || seal.entries < ENTRIES_PER_SEAL;
	}
	const { last } = await db.batch({
		last: selectLastSeal(db.build),
		step: isLast
			? finishStatement(db.build, NAME, today, now)
			: continueStatement(db.build, NAME, { cursor: null, counts: { entries } }, now),
	});
	if (!isLast) return undefined;
	return { entries, lastEntry: last[0]?.lastEventId ?? 0, hash: last[0]?.hash ?? "" };
}

/** The result of checking the seals. */
export type SealCheck =
	| { readonly kind: "sound"; readonly entries: number; readonly hash: string }
	/**
	 * Something among the entries after `after`, up to `lastEntry`, has changed since it was sealed.
	 */
	| { readonly kind: "broken"; readonly after: number; readonly lastEntry: number };

/** Recomputes every seal from the first entry on. */
export async function checkSeals(db: Database): Promise<SealCheck> {
	let after = BEFORE_ALL;
	let hash = "";
	let sealed = 0;
	for (;;) {
		const { seals, entries } = await db.batch({
			seals: db.build
				.select()
				.from(auditSeals)
				.where(sql`${auditSeals.lastEventId} > ${after}`)
				.orderBy(auditSeals.lastEventId)
				.limit(1),
			entries: selectEntries(db.build, after, ENTRIES_PER_SEAL),
		});
		const [seal] = seals;
		if (!seal) return { kind: "sound", entries: sealed, hash };
		const covered = entries.filter(({ id }) => id <= seal.lastEventId);
		hash = chain(hash, covered);
		if (hash !== seal.hash || covered.length !== seal.entries)
			return { kind: "broken", after, lastEntry: seal.lastEventId };
		sealed += covered.length;
		after = seal.lastEventId;
	}
}
