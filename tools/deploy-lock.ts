/**
 * One deployment at a time: a row in the database that is being deployed to, which is where two
 * machines meet. It is gone when the deployment ends; that of one that was killed lapses.
 */

/** Long enough for any deployment; one that was killed holds up the next no longer. */
const HELD_MS = 30 * 60_000;

export type Lock = { readonly holder: string; readonly began_at: number; readonly until: number };

const CREATE = `create table if not exists deploy_lock (
	id integer primary key check (id = 1), holder text not null, began_at integer not null,
	until integer not null) strict`;
const TAKE = `insert into deploy_lock (id, holder, began_at, until) values (1, ?1, ?2, ?3)
	on conflict (id) do update set
		began_at = iif(holder = excluded.holder, began_at, excluded.began_at),
		holder = excluded.holder, until = excluded.until
	where holder = excluded.holder or until < excluded.began_at`;
// Somebody else's row has the same id, so this fails, and the table stays.
const PROVE = `insert into deploy_lock (id, holder, began_at, until)
	select 1, '', 0, 0 from deploy_lock where holder <> ?`;

/**
 * Takes the lock, or keeps it for longer.
 * @param holder a name nobody else has
 * @returns who has it instead, if somebody has
 */
export async function takeLock(
	db: D1Database,
	holder: string,
	now: number,
): Promise<Lock | undefined> {
	const answers = await db.batch<Lock>([
		db.prepare(CREATE),
		db.prepare(TAKE).bind(holder, now, now + HELD_MS),
		db.prepare("select holder, began_at, until from deploy_lock"),
	]);
	const lock = answers[2]?.results[0];
	return lock && lock.holder !== holder ? lock : undefined;
}

/** Leaves nothing behind, unless somebody else holds the lock by now. */
export async function releaseLock(db: D1Database, holder: string): Promise<void> {
	await db.batch([db.prepare(PROVE).bind(holder), db.prepare("drop table deploy_lock")]);
}
