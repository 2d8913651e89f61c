/**
 * Allows one deployment at a time with a row in the database being deployed to, which is what two
 * machines have in common. The row is removed when the deployment ends; after a killed deployment
 * it expires.
 */

/** Long enough for any deployment, and no longer, so that a killed one doesn't hold up the next. */
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
// Another deployment's row has the same id, so the insert fails and the table stays.
const PROVE = `insert into deploy_lock (id, holder, began_at, until)
	select 1, '', 0, 0 from deploy_lock where holder <> ?`;

/**
 * Takes the lock, or extends it.
 * @param holder a unique name
 * @returns the current holder if it is someone else
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

/** Releases the lock, unless someone else holds it by now. */
export async function releaseLock(db: D1Database, holder: string): Promise<void> {
	await db.batch([db.prepare(PROVE).bind(holder), db.prepare("drop table deploy_lock")]);
}
