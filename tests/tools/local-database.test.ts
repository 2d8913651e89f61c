/** What the tools do while another process locks a state folder's database. */
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { whileLocked } from "../../tools/local-database.ts";
import { proxiedDatabase } from "../support/d1-proxy.ts";

const HIDDEN = "D1_ERROR: internal error; reference = 4e2a";
const LOCKED = "D1_ERROR: database is locked: SQLITE_BUSY";

/** A database that answers with these errors first, and the number of times that it was asked. */
function lockedDatabase(...errors: string[]) {
	const asked = { times: 0 };
	const answer = (text: string | undefined) => ({
		ok: text === undefined,
		text: async () => text ?? "",
		json: async () => [{ results: [], success: true, meta: {} }],
	});
	const db = proxiedDatabase((body) =>
		whileLocked(body, async () => answer(errors[asked.times++])),
	);
	return { db, asked };
}

it.each([HIDDEN, LOCKED])("reads again after %j, and passes it on after a write", async (error) => {
	const reading = lockedDatabase(error, error);
	await reading.db.batch([reading.db.prepare("select 1")]);
	expect(reading.asked.times).toBe(3);
	const writing = lockedDatabase(error);
	const write = writing.db.batch([writing.db.prepare("delete from users")]);
	await expect(write).rejects.toThrow(/database is locked/);
	expect(writing.asked.times).toBe(1);
});

it.each([HIDDEN, LOCKED])(
	"lets the application's statements write again after %j",
	async (error) => {
		const { db, asked } = lockedDatabase(error, error);
		await new Database(db).batch({ write: new Database(db).build.run(sql`delete from users`) });
		expect(asked.times).toBe(3);
	},
);

it("passes on any other error", async () => {
	const { db, asked } = lockedDatabase("D1_ERROR: no such table: users");
	await expect(db.batch([db.prepare("select 1 from users")])).rejects.toThrow("no such table");
	expect(asked.times).toBe(1);
});
