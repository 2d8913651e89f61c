/**
 * The daily cleanup through the built Worker's scheduled handler: it deletes what nothing refers
 * to, and nothing else.
 */

import { describe, expect, it } from "vitest";
import { addDays, dateIn, startOfDay } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart } from "../support/forms.ts";
import { fill, idIn, JPEG, PDF, PNG, readStoredRequest, send } from "../support/request-form.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const DAY = 86_400_000;
const keys = async () =>
	(await fleet.files.list({ limit: 1000 })).objects.map(({ key }) => key).sort();

/** Runs the cron's minutes of a day until the cleanup is done, and one more. */
async function cleanUpOn(moment: number): Promise<void> {
	const worker = await fleet.worker.getWorker();
	for (let minute = 0; minute < 60; minute++) {
		await worker.scheduled({
			cron: "* * * * *",
			scheduledTime: new Date(moment + minute * 60_000),
		});
		const [task] = await fleet.sql<{ cursor: string | null }>(
			"select cursor from daily_tasks where name = 'sweep'",
		);
		if (task?.cursor === null) break;
	}
	await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(moment + 3_600_000) });
}
const cleanupLines = () =>
	fleet.lines.filter((line) => line.startsWith('{"sweep"')).map((line) => JSON.parse(line).sweep);
const systemEntries = () =>
	fleet.sql<{ action: string; after: string; actor_id: string | null }>(
		"select action, after, actor_id from audit_events where actor_role = 'system' and action <> 'books.check' order by id",
	);

/**
 * 1 AM in the fleet's time zone, this many days from today, so that a day's worth of minutes is
 * left.
 */
const inDays = (days: number) =>
	startOfDay(ZONE, addDays(dateIn(ZONE, currentTime()), days)) + 3_600_000;

describe("the daily cleanup", () => {
	it("deletes unreferenced files after 35 days and nothing else, and reports it", async () => {
		const dana = await fleet.as("dana");
		const attached = idIn(await send(dana, await fill(dana), JPEG));
		const attachedKey = `r/${(await readStoredRequest(fleet, attached)).receipt_id}`;
		const shownAgain = await send(dana, await fill(dana, { amount: "" }), PNG);
		expect(formWith(shownAgain.text, "Submit Request").fields.receiptUrl).toMatch(
			/^\/api\/receipts\//,
		);
		const ada = await fleet.as("ada");
		const charge = { driverId: idOf("dana"), kind: "toll", amount: "3", date: daysAgo(0) };
		await ada.request("/api/charges", await multipart(charge, PDF));
		const [charged] = await fleet.sql<{ key: string }>(
			"select 'r/' || receipt_id as key from charges",
		);
		const chargedKey = charged?.key ?? expect.unreachable();
		const [loose] = await fleet.sql<{ key: string }>(
			"select object_key as key from receipts where not exists (select 1 from fund_requests where receipt_id = receipts.id) and object_key <> ?",
			chargedKey,
		);
		const looseKey = loose?.key ?? expect.unreachable();
		const store = fleet.files;
		for (let tens = 100; tens < 220; tens++)
			await Promise.all(
				Array.from({ length: 10 }, (_, each) => store.put(`r/orphan-${tens}${each}`, "x")),
			);
		// Reserved and uploaded, but then the Worker died.
		await store.put("r/on-its-way", "x");
		await fleet.sql(
			"insert into loose_objects values ('r/on-its-way', ?, 1, ?, null)",
			idOf("dana"),
			currentTime(),
		);
		// Reserved on that later day: the file of a form that is being sent.
		await store.put("r/just-now", "x");
		await fleet.sql(
			"insert into loose_objects values ('r/just-now', ?, 1, ?, null)",
			idOf("dana"),
			inDays(36),
		);

		await fleet.sql("update sessions set ends_at = ?", inDays(1000));
		const [before, lines] = [await keys(), cleanupLines().length];
		await cleanUpOn(inDays(34));
		expect(await keys()).toEqual(before);
		await cleanUpOn(inDays(36));
		expect(await keys()).toEqual([attachedKey, chargedKey, looseKey, "r/just-now"].sort());
		expect(await fleet.sql("select 1 from receipts where object_key = ?", looseKey)).toEqual([]);
		expect(
			(await dana.get(`/api/receipts/${(await readStoredRequest(fleet, attached)).receipt_id}`))
				.status,
		).toBe(200);
		// Nothing refers to the deleted receipt's object now, but a database restored from the last 30
		// days would.
		await cleanUpOn(inDays(70));
		expect(await keys()).toContain(looseKey);
		await cleanUpOn(inDays(73));
		expect(await keys()).toEqual([attachedKey, chargedKey].sort());
		expect(await fleet.sql("select * from loose_objects")).toEqual([]);
		// It reports once a day what it did, in the log and, for receipts, in the audit.
		const reported = cleanupLines().slice(lines);
		expect(reported.map(({ objects, receipts }) => [objects, receipts])).toEqual([
			[0, 0],
			[1201, 1],
			[0, 0],
			[2, 0],
		]);
		const entries = await systemEntries();
		expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
			["receipts.sweep", null],
			["receipts.sweep", null],
		]);
		expect(JSON.parse(entries[0]?.after ?? "")).toEqual({ objects: 1201, receipts: 1 });
		const shown = await (await fleet.as("ada")).get("/audit?kind=receipts.sweep");
		expect(shown.text).toContain("Unused receipt files deleted");
		expect(shown.text).toContain("Milepost");
	});

	it("runs once a day at the first minute, and continues where a failed run stopped", async () => {
		const moment = inDays(80);
		const worker = await fleet.worker.getWorker();
		const store = fleet.files;
		for (let each = 0; each < 3; each++) await store.put(`r/later-${each}`, "x");
		await fleet.sql(
			"insert into daily_tasks (name, cursor, claimed_until) values ('sweep', 'r/later-0', ?)",
			moment + 60_000,
		);
		const tick = (minutes: number) =>
			worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(moment + minutes * 60_000) });
		// Another run holds the claim for one more minute.
		await tick(0);
		expect(await keys()).toContain("r/later-1");
		await tick(7);
		expect(await keys()).toContain("r/later-0");
		expect(await keys()).not.toContain("r/later-1");
		const lines = cleanupLines().length;
		await tick(8);
		await tick(600);
		expect(cleanupLines()).toHaveLength(lines);
	});

	it("never deletes what is being stored at the same time", async () => {
		const omar = await fleet.as("omar");
		// Only the cleanup's clock is moved ahead.
		await fleet.sql("update sessions set ends_at = ?", inDays(1000));
		const store = fleet.files;
		for (let round = 0; round < 10; round++) {
			const fields = await fill(omar);
			const first = await send(omar, { ...fields, amount: "" }, PDF);
			expect(first.status).toBe(400);
			await fleet.sql(
				"delete from receipts where owner_id = ? and not exists (select 1 from fund_requests where receipt_id = receipts.id)",
				idOf("omar"),
			);
			await fleet.sql(
				"update daily_tasks set finished_on = null, cursor = null, claimed_until = 0",
			);
			// The object is now an orphan, and the form sends the same file again during the cleanup.
			const worker = await fleet.worker.getWorker();
			const [answer] = await Promise.all([
				send(omar, fields, PDF, true),
				worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(inDays(90 + round)) }),
			]);
			const { receipt_id: id } = await readStoredRequest(fleet, idIn(answer));
			if (id !== null) expect(await store.head(`r/${id}`), `round ${round}`).not.toBeNull();
		}
		fleet.takeErrors();
	});

	it("removes sessions and sign-in attempts that have expired, and no others", async () => {
		const at = inDays(120);
		const session = (ends: number) =>
			fleet.sql(
				"insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at, ended_at, ended_reason) values (lower(hex(randomblob(32))), ?, 1, 1, ?, ?, 2, 'deactivated')",
				idOf("ivan"),
				ends,
				ends,
			);
		const email = (id: string, createdAt: number) =>
			fleet.sql(
				"insert into mails (id, kind, address, subject, body, about_id, status, created_at, send_after, dedupe_key) values (?, 'invitation', 'x', 's', 'b', 'x', 'sent', ?, 1, ?)",
				id,
				createdAt,
				id,
			);
		await email("too-old", at - 401 * DAY);
		await email("kept", at - 399 * DAY);
		await fleet.sql("delete from sessions");
		for (let each = 0; each < 700; each++) await session(at - 1 - each);
		await session(at + DAY);
		await fleet.sql(
			"insert into sign_in_attempts values ('old', ?), ('new', ?)",
			at - DAY,
			at - 60_000,
		);
		await cleanUpOn(at);
		expect(await fleet.sql("select ends_at from sessions")).toEqual([{ ends_at: at + DAY }]);
		expect(await fleet.sql("select state_hash from sign_in_attempts")).toEqual([
			{ state_hash: "new" },
		]);
		expect(cleanupLines().at(-1)).toMatchObject({ sessions: 700, signInAttempts: 1, emails: 1 });
		expect(await fleet.sql("select id from mails where kind = 'invitation'")).toEqual([
			{ id: "kept" },
		]);
	});
});

describe("while a database is restored", () => {
	it("deletes nothing with SWEEPER = off", async () => {
		const resting = await openFleet({ vars: { SWEEPER: "off" } });
		const store = resting.files;
		await store.put("r/orphan", "x");
		const worker = await resting.worker.getWorker();
		await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(inDays(40)) });
		expect(await store.head("r/orphan")).not.toBeNull();
		expect(await resting.sql("select * from daily_tasks where name = 'sweep'")).toEqual([]);
	});
});
