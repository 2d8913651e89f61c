/** A person's own choice of reminders, on real D1. */
import { beforeEach, describe, expect, it } from "vitest";
import { CAST, idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { chooseEmails } from "./commands/choose-emails.server.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const bench = await openDatabase("everyone", NOW);
const COLUMNS = "remind_of_miles, remind_of_receipts, weekly_digest";
const choicesOf = async (name: "dana" | "omar" | "ada") =>
	(await bench.rows(`select ${COLUMNS} from users where id = ?`, idOf(name)))[0];
const entries = () =>
	bench.rows<{ actor_id: string; entity_id: string; before: string; after: string }>(
		"select * from audit_events where action = 'account.choose-emails' order by id",
	);

let count = 0;
const reminder = (kind: string, name: "dana" | "omar", status = "queued") =>
	insertRow(bench.rows, "mails", {
		id: String(++count),
		kind,
		recipient_id: idOf(name),
		address: CAST[name].email,
		subject: "Reminder",
		body: "Body",
		about_id: idOf(name),
		status,
		created_at: NOW,
		send_after: NOW,
		dedupe_key: String(count),
	});
const waiting = async () =>
	(
		await bench.rows<{ mail: string }>(
			"select kind || ' ' || address as mail from mails where status = 'queued' order by id",
		)
	).map(({ mail }) => mail);

beforeEach(async () => {
	await bench.rows(
		"update users set remind_of_miles = null, remind_of_receipts = null, weekly_digest = null",
	);
	await bench.rows("delete from mails");
});

describe("chooseEmails", () => {
	it("keeps the person's own choices, and tells the audit of them once", async () => {
		const before = (await entries()).length;
		const choices = { remindOfMiles: true, remindOfReceipts: false };
		await chooseEmails(await bench.self("dana"), choices);
		await chooseEmails(await bench.self("dana"), choices);
		expect(await choicesOf("dana")).toEqual({
			remind_of_miles: 1,
			remind_of_receipts: 0,
			weekly_digest: null,
		});
		expect(await choicesOf("omar")).toEqual({
			remind_of_miles: null,
			remind_of_receipts: null,
			weekly_digest: null,
		});
		await chooseEmails(await bench.self("dana"), { remindOfMiles: null, remindOfReceipts: false });
		const written = (await entries()).slice(before);
		expect(written.map(({ actor_id, entity_id }) => [actor_id, entity_id])).toEqual([
			[idOf("dana"), idOf("dana")],
			[idOf("dana"), idOf("dana")],
		]);
		expect(written.map(({ before, after }) => [JSON.parse(before), JSON.parse(after)])).toEqual([
			[{ remindOfMiles: null, remindOfReceipts: null }, choices],
			[choices, { remindOfMiles: null, remindOfReceipts: false }],
		]);
	});

	it("ignores choices that the person's role doesn't have", async () => {
		await chooseEmails(await bench.self("dana"), { weeklyDigest: true });
		expect(await choicesOf("dana")).toMatchObject({ weekly_digest: null });
		await chooseEmails(await bench.self("ada"), { weeklyDigest: false, remindOfMiles: true });
		expect(await choicesOf("ada")).toEqual({
			remind_of_miles: null,
			remind_of_receipts: null,
			weekly_digest: 0,
		});
	});

	it("cancels the person's waiting reminders that they no longer want, and no others", async () => {
		for (const name of ["dana", "omar"] as const)
			for (const kind of [
				"reminder-miles",
				"reminder-receipts",
				"reminder-both",
				"request-decided",
			])
				await reminder(kind, name);
		await reminder("reminder-miles", "dana", "sent");
		const omars = (await waiting()).filter((mail) => mail.includes("omar"));
		await chooseEmails(await bench.self("dana"), { remindOfMiles: false, remindOfReceipts: null });
		const danas = `${CAST.dana.email}`;
		expect(await waiting()).toEqual([
			`reminder-receipts ${danas}`,
			`reminder-both ${danas}`,
			`request-decided ${danas}`,
			...omars,
		]);
		await chooseEmails(await bench.self("dana"), { remindOfMiles: false, remindOfReceipts: false });
		expect(await waiting()).toEqual([`request-decided ${danas}`, ...omars]);
		expect(await bench.rows("select 1 from mails where status = 'sent'")).toHaveLength(1);
	});
});
