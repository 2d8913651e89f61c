/** People in any state that tests of commands need, and the audit entries and emails about them. */
import type { TestDatabase } from "./database.ts";
import { insertRow } from "./rows.ts";

type Mail = { kind: string; address: string; subject: string; body: string; status: string };
type Event = { actor_id: string; action: string; before: string | null; after: string | null };
/**
 * Reads and inserts people in a test database.
 * @param now their creation time
 */
export function peopleOf(bench: TestDatabase, now: number) {
	const auditOf = (id: string) =>
		bench.rows<Event>(
			"select actor_id, action, before, after from audit_events where entity = 'user' and entity_id = ? order by id",
			id,
		);
	const mailsAbout = (id: string) =>
		bench.rows<Mail>(
			"select kind, address, subject, body, status from mails where about_id = ? order by rowid",
			id,
		);
	const rowOf = async (id: string) => (await bench.rows("select * from users where id = ?", id))[0];

	let strangers = 0;
	/** Inserts a new person in any state. */
	async function stranger(more: Record<string, string | number | null> = {}): Promise<string> {
		const id = crypto.randomUUID();
		const row = {
			id,
			role: "driver",
			first_name: "Sam",
			last_name: `Stranger ${++strangers}`,
			email: `sam${strangers}@milepost.test`,
			approval_status: "pending",
			is_active: 1,
			created_at: now,
			applied_at: now,
			...more,
		};
		await insertRow(bench.rows, "users", row);
		return id;
	}

	async function session(userId: string): Promise<string> {
		const hash = crypto.randomUUID().replaceAll("-", "").repeat(2);
		await bench.rows(
			"insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at) values (?, ?, ?, ?, ?, ?)",
			hash,
			userId,
			now,
			now,
			now + 1e9,
			now + 1e9,
		);
		return hash;
	}
	const endOf = async (hash: string) =>
		(
			await bench.rows<{ ended_reason: string | null }>(
				"select ended_reason from sessions where token_hash = ?",
				hash,
			)
		)[0]?.ended_reason;
	return { auditOf, mailsAbout, rowOf, stranger, session, endOf };
}
