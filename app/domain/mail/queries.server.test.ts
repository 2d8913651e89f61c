/** What the emails screen reads while thousands wait or have failed: D1 counts the rows. */
import { expect, it } from "vitest";
import { openDatabase } from "../../../tests/support/database.ts";
import { numbered } from "../../../tests/support/large-week.ts";
import { Database } from "../../db/client.server.ts";
import { failedMails, refusedMail } from "./queries.server.ts";
import { MAX_COUNTED } from "./rules.ts";

const bench = await openDatabase();
const mail =
	"id, kind, address, subject, body, about_id, created_at, dedupe_key, status, send_after";
const values =
	"printf('40000000-0000-4000-8000-%012d', i), 'approval', 'x@milepost.test', 'S', 'B', 'a', 1, i";

it("finds the emails that a provider refused, and counts only so many that failed", async () => {
	await bench.rows(`insert into mails (${mail})
		${numbered(1, 3000)} select ${values}, 'queued', 1 from n`);
	await bench.rows(`insert into mails (${mail}, first_tried_at, last_error)
		${numbered(3001, 3001)} select ${values}, 'queued', 2, 1, 'Quota used up' from n`);
	await bench.rows(`insert into mails (${mail}, may_have_been_sent)
		${numbered(3002, 5002)} select ${values}, 'failed', i, i % 3 = 0 from n`);
	const db = new Database(bench.batches);
	expect(
		await db.batch({ failed: failedMails(db.build), refused: refusedMail(db.build) }),
	).toMatchObject({
		failed: [{ count: MAX_COUNTED + 1, uncertain: (MAX_COUNTED + 1) / 3 }],
		refused: [{ error: "Quota used up" }],
	});
	expect(db.cost.rows).toBeLessThanOrEqual(MAX_COUNTED + 2);
});
