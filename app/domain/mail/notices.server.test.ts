/** What administrators are told of requests and applications, 15 minutes later. */
import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { CAST, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { Database } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import { noteNewRequest } from "../fund-requests/emails.server.ts";
import { approveDriver } from "../people/commands/approve.server.ts";
import { gatherNotices, noteApplication } from "./notices.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const MINUTE = 60_000;
const bench = await openDatabase("everyone", NOON);
const db = new Database(bench.batches);
const { build } = db;
const at = (minutes: number) => NOON + minutes * MINUTE;
const ada = (minutes: number) => bench.admin("ada", at(minutes));
const gather = (minutes: number) => gatherNotices(db, at(minutes));

let number = 7000;
/** Dana's request at noon. */
async function asked() {
	const id = await insertRequest(bench.rows, ++number, "dana", { created_at: NOON });
	await db.batch({ note: noteNewRequest(build, id, "Dana Driver", NOON) });
	return { id, subject: `New fund request FR-00${number}` };
}
/** What Ada is told, by email. */
const told = () =>
	bench.rows<{ subject: string; body: string }>(
		"select subject, body from mails where kind = 'admin-digest' and address = ? order by created_at",
		CAST.ada.email,
	);
const notes = async () => (await bench.rows("select id from notices")).length;

beforeEach(async () => {
	for (const table of ["mails", "notices"]) await bench.rows(`delete from ${table}`);
});

it("leaves out requests that were withdrawn or decided, and applicants who were", async () => {
	const [withdrawn, decided, left] = [await asked(), await asked(), await asked()];
	const nora = idOf("nora");
	await db.batch({ note: noteApplication(build, nora, "Nora", NOON, sql`${users.id} = ${nora}`) });
	await withdrawRequest(await bench.driver("dana", at(1)), withdrawn.id);
	await processRequests(await ada(2), [decided.id], { status: "rejected", adminNotes: undefined });
	await approveDriver(await ada(3), nora, { origin: "https://fleet.example" });
	await gather(15);
	expect((await told()).map(({ subject }) => subject)).toEqual([left.subject]);
	await gather(60);
	expect(await told()).toHaveLength(1);
	expect(await notes()).toBe(1);
});

it("sends nothing, and keeps no note, where nothing is left to review", async () => {
	const { id } = await asked();
	await withdrawRequest(await bench.driver("dana", at(1)), id);
	await gather(15);
	await gather(25);
	expect(await told()).toEqual([]);
	expect(await notes()).toBe(0);
});

it("tells of a request whose decision was undone", async () => {
	const { id, subject } = await asked();
	await processRequests(await ada(14), [id], { status: "approved", adminNotes: undefined });
	await gather(15);
	expect(await told()).toEqual([]);
	expect(await undoDecision(await ada(23), id)).toMatchObject({ ok: true });
	await gather(24);
	expect(await told()).toMatchObject([{ subject }]);
});
