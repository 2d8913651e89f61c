/**
 * Emails that nothing cancels once they are obsolete: someone came without the invitation, a
 * question was answered or its request decided, an applicant was approved after all.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { runDelivery } from "../../../tests/support/deliveries.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { insertSettlement, published } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { writeAboutRequest } from "../fund-requests/commands/message.server.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { withdrawRequest } from "../fund-requests/commands/withdraw.server.ts";
import type { AdminContext, DriverContext } from "../kernel/context.ts";
import { approveDriver } from "../people/commands/approve.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { dailySweep } from "../upkeep/sweep.server.ts";
import { sendAgain } from "./commands/send-again.server.ts";
import { sendAllAgain } from "./commands/send-all-again.server.ts";
import { MailFault } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const MINUTE = 60_000;
const DAY = 86_400_000;
const store = await openFileStore();
const SITE = { origin: "https://fleet.example" };
const bench = await openDatabase("everyone", NOON);
const db = new Database(bench.batches);
const admin = (minutes = 0) => bench.admin("ada", NOON + minutes * MINUTE);
const dana = (minutes: number) => bench.driver("dana", NOON + minutes * MINUTE);
const LATER = new MailFault("later", "The email provider returned 500");
const REFUSED = new MailFault("refused", "The email provider returned 422");

/** An email to someone about a row. */
const insertMail = (id: string, kind: string, aboutId: string, status: string, to: string) =>
	insertRow(bench.rows, "mails", {
		...{ id, kind, recipient_id: to, address: "x@milepost.test", subject: kind, body: "Body" },
		...{ about_id: aboutId, status, created_at: NOON, send_after: NOON, dedupe_key: id },
	});
const change = (query: string, ...values: unknown[]) => bench.rows(query, ...values);

/** Emails about the work of administrators. */
const OFFICE_KINDS = [
	...["admin-digest", "new-admin", "request-answer", "settlement-question", "token-expires"],
	...["webhook-switched-off"],
] as const;

/** Somebody whose invitation is open. */
const [guest] = await bench.rows<{ id: string }>(
	"select id from users where invited_at is not null and claimed_at is null and role = 'driver' limit 1",
);
const invited = guest?.id ?? expect.unreachable();

const write = (actor: AdminContext | DriverContext, id: string, text: string) =>
	writeAboutRequest(actor, id, { text, key: undefined }, "form");
let number = 7000;
/** Dana's request, about which Ada has asked. */
async function asked() {
	const id = await insertRequest(bench.rows, ++number, "dana", { created_at: NOON - MINUTE });
	expect(await write(await admin(), id, "Which car?")).toMatchObject({ ok: true });
	return id;
}
const decide = async (id: string, status: "approved" | "rejected", minutes: number) =>
	processRequests(await admin(minutes), [id], { status, adminNotes: undefined });

/** Runs a delivery so many minutes after noon. */
const deliver = (minutes: number, fault?: Error, meanwhile?: () => Promise<unknown>) =>
	runDelivery(db, NOON + minutes * MINUTE, fault, meanwhile);

beforeEach(async () => {
	await change("delete from mails");
});

describe("an invitation", () => {
	it.each([
		["was accepted", "claimed_at = 1"],
		["belongs to somebody inactive", "is_active = 0"],
		["has ended", `invited_at = ${NOON - 31 * DAY}`],
	])("is neither sent nor sent again once it %s", async (_, set) => {
		await insertMail("waiting", "invitation", invited, "queued", invited);
		await insertMail("failed", "invitation", invited, "failed", invited);
		await change(`update users set ${set} where id = ?`, invited);
		expect(await deliver(1)).toEqual([]);
		expect(await change("select status from mails where id = 'waiting'")).toEqual([
			{ status: "cancelled" },
		]);
		expect(await sendAgain(await admin(2), "failed")).toMatchObject({ reason: "outdated" });
		await change("update users set claimed_at = null, is_active = 1, invited_at = ?", NOON - DAY);
		expect(await sendAgain(await admin(2), "failed")).toMatchObject({ ok: true });
		expect(await deliver(3)).toEqual(["invitation"]);
	});
});

describe("a question about a request", () => {
	it("isn't sent once the request is decided, withdrawn or answered", async () => {
		const [decided, withdrawn, answered] = [await asked(), await asked(), await asked()];
		await asked();
		await decide(decided, "rejected", 1);
		expect(await withdrawRequest(await dana(1), withdrawn)).toMatchObject({ ok: true });
		expect(await write(await dana(1), answered, "The blue one")).toMatchObject({ ok: true });
		const subjects = await deliver(2);
		expect(subjects.filter((subject) => subject.startsWith("Question"))).toEqual([
			`Question about your request FR-00${number}`,
		]);
	});

	it("isn't sent again either, until it waits for its answer once more", async () => {
		const id = await asked();
		await deliver(1, REFUSED);
		const [mail] = await bench.rows<{ id: string }>("select id from mails");
		const question = mail?.id ?? expect.unreachable();
		await decide(id, "approved", 2);
		expect(await sendAgain(await admin(3), question)).toMatchObject({ reason: "outdated" });
		expect(await sendAllAgain(await admin(3))).toMatchObject({ value: { count: 0 } });
		expect(await undoDecision(await admin(4), id)).toMatchObject({ ok: true });
		await write(await dana(5), id, "The blue one");
		expect(await sendAgain(await admin(6), question)).toMatchObject({ reason: "outdated" });
		await write(await admin(7), id, "Which blue one?");
		expect(await sendAgain(await admin(8), question)).toMatchObject({ ok: true });
	});
});

it("sends no question about a week that is answered, and no answer about a void one", async () => {
	const week = await insertSettlement(bench.rows, 1, "dana", "2026-11-09", published(100));
	const sentAfter = async (set: string) => {
		await change("delete from mails");
		await change(`update settlements set ${set} where id = ?`, week);
		await insertMail("question", "settlement-question", week, "queued", idOf("ada"));
		await insertMail("answer", "settlement-answer", week, "queued", idOf("dana"));
		return (await deliver(1)).sort();
	};
	expect(await sentAfter("question = 'asked'")).toEqual([
		"settlement-answer",
		"settlement-question",
	]);
	expect(await sentAfter("question = 'answered'")).toEqual(["settlement-answer"]);
	expect(await sentAfter(`status = 'void', voided_at = 1, voided_by = '${idOf("ada")}'`)).toEqual(
		[],
	);
});

it("doesn't try a rejection again once the applicant is approved", async () => {
	const nora = idOf("nora");
	expect(await rejectDriver(await admin(), nora, SITE)).toMatchObject({ ok: true });
	await deliver(1, LATER, async () => approveDriver(await admin(1), nora, SITE));
	expect(await deliver(60)).toEqual(["Your Milepost application has been approved"]);
});

it("doesn't say that a webhook was switched off which is on", async () => {
	await insertRow(bench.rows, "webhooks", {
		...{ id: "hook", added_by: idOf("ada"), url: "https://example.com/hook", events: "[]" },
		...{
			secret: `whsec_${"x".repeat(44)}`,
			payload_hash: "x",
			created_at: NOON,
			switched_off_at: NOON,
		},
	});
	await insertMail("off", "webhook-switched-off", "hook", "failed", idOf("ada"));
	await change("update webhooks set switched_off_at = null");
	expect(await sendAgain(await admin(1), "off")).toMatchObject({ reason: "outdated" });
	await insertMail("waiting", "webhook-switched-off", "hook", "queued", idOf("ada"));
	expect(await deliver(1)).toEqual([]);
	await change("update webhooks set switched_off_at = 1");
	expect(await sendAgain(await admin(1), "off")).toMatchObject({ ok: true });
	expect(await deliver(2)).toEqual(["webhook-switched-off"]);
});

it("doesn't send a reminder again once it is two days old", async () => {
	await insertMail("reminder", "reminder-miles", idOf("dana"), "failed", idOf("dana"));
	const days = 24 * 60;
	expect(await sendAgain(await admin(2 * days), "reminder")).toMatchObject({ reason: "outdated" });
	expect(await sendAgain(await admin(2 * days - 1), "reminder")).toMatchObject({ ok: true });
	await change("update mails set status = 'failed'");
	expect(await sendAllAgain(await admin(2 * days))).toMatchObject({ value: { count: 0 } });
});

describe("a failed email that no longer applies", () => {
	const statuses = async () =>
		Object.fromEntries(
			(await change("select id, status from mails")).map(({ id, status }) => [id, status]),
		);
	beforeEach(async () => {
		await insertMail("past", "invitation", invited, "failed", invited);
		await insertMail("uncertain", "invitation", invited, "failed", invited);
		await change("update mails set may_have_been_sent = 1 where id = 'uncertain'");
		await change("update users set claimed_at = 1 where id = ?", invited);
		await insertMail("open", "settlement-voided", "week", "failed", idOf("dana"));
	});

	it("is canceled when all others are sent again", async () => {
		expect(await sendAllAgain(await admin(1))).toMatchObject({ value: { count: 1 } });
		expect(await statuses()).toEqual({ past: "cancelled", uncertain: "failed", open: "queued" });
	});

	it("is canceled by the daily sweep, unless an undo may make it right again", async () => {
		const id = await insertRequest(bench.rows, ++number, "dana", {
			...{ status: "rejected", decided_at: NOON, decided_by: idOf("ada") },
		});
		await insertMail("reopened", "request-reopened", id, "failed", idOf("dana"));
		const sweep = (minutes: number) =>
			dailySweep({ role: "system", db, now: NOON + minutes * MINUTE }, store, ZONE);
		await sweep(1);
		expect(await statuses()).toEqual({
			...{ past: "cancelled", uncertain: "failed", open: "failed", reopened: "failed" },
		});
		await sweep(24 * 60);
		expect(await statuses()).toMatchObject({ reopened: "cancelled" });
	});
});

it("doesn't warn of a token that was revoked or has expired", async () => {
	await insertRow(bench.rows, "api_tokens", {
		...{ id: "token", owner_id: idOf("ada"), name: "Payroll", scope: "read" },
		...{ token_hash: "x".repeat(64), payload_hash: "x", created_at: NOON },
		expires_at: NOON + DAY,
	});
	await insertMail("warning", "token-expires", idOf("ada"), "failed", idOf("ada"));
	await change("update mails set dedupe_key = ?", `token-expires:token:${idOf("ada")}`);
	const first = async (minutes: number) => {
		await change("update mails set status = 'queued'");
		const subjects = await deliver(minutes);
		await change("update mails set status = 'failed', send_after = ?", NOON);
		return subjects;
	};
	const again = async (minutes: number) => sendAgain(await admin(minutes), "warning");
	expect(await first(24 * 60)).toEqual([]);
	expect(await again(24 * 60)).toMatchObject({ reason: "outdated" });
	await change("update api_tokens set revoked_at = 1, revoked_by = ?", idOf("ada"));
	expect(await first(1)).toEqual([]);
	expect(await again(1)).toMatchObject({ reason: "outdated" });
	await change("update api_tokens set revoked_at = null, revoked_by = null");
	expect(await first(1)).toEqual(["token-expires"]);
	expect(await again(1)).toMatchObject({ ok: true });
});

describe("to somebody who has lost access since", () => {
	const LOST = [
		["dana", "is_active = 0, deactivated_at = 1", ["driver-approved", "request-question"]],
		["dana", "role = 'none'", ["driver-approved", "request-question"]],
		["ben", "is_active = 0, deactivated_at = 1", OFFICE_KINDS],
		["ben", "role = 'none', is_viewer = 1", OFFICE_KINDS],
	] as const;
	it.each(LOST)("sends %s (%s) nothing that needs it: %j", async (name, set, kinds) => {
		const person = idOf(name);
		for (const kind of kinds) {
			await insertMail(kind, kind, person, "queued", person);
			await insertMail(`${kind} failed`, kind, person, "failed", person);
		}
		await change(`update users set ${set} where id = ?`, person);
		expect(await deliver(1)).toEqual([]);
		expect(await change("select distinct status from mails where id not like '% failed'")).toEqual([
			{ status: "cancelled" },
		]);
		for (const kind of kinds)
			expect(await sendAgain(await admin(2), `${kind} failed`)).toMatchObject({
				reason: "outdated",
			});
		expect(await sendAllAgain(await admin(3))).toMatchObject({ value: { count: 0 } });
	});

	it("sends a former driver what became of their money", async () => {
		const kinds = ["payout-reopened", "request-reopened", "settlement-voided", "driver-rejected"];
		for (const kind of kinds) await insertMail(kind, kind, "about", "queued", idOf("dana"));
		await change("update users set is_active = 0, deactivated_at = 1 where id = ?", idOf("dana"));
		expect((await deliver(1)).sort()).toEqual(kinds.toSorted());
	});

	it("cancels the reminders of whoever is deactivated", async () => {
		await insertMail("miles", "reminder-miles", idOf("dana"), "queued", idOf("dana"));
		await insertMail("omar", "reminder-miles", idOf("omar"), "queued", idOf("omar"));
		expect(await setDriverActive(await admin(1), idOf("dana"), false)).toMatchObject({ ok: true });
		expect(await deliver(2)).toEqual(["reminder-miles"]);
		expect(await change("select id, status from mails order by id")).toEqual([
			{ id: "miles", status: "cancelled" },
			{ id: "omar", status: "sent" },
		]);
	});
});
