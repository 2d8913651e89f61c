/**
 * Emails about a decision, a payment or an invitation that was changed before they were sent, while
 * they were, or after they failed.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { runDelivery } from "../../../tests/support/deliveries.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { cancelPayout } from "../payouts/commands/cancel.server.ts";
import { makePayout } from "../payouts/commands/make.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { reopenPayout } from "../payouts/commands/reopen.server.ts";
import { cancelInvitation } from "../people/commands/cancel-invitation.server.ts";
import { sendAgain } from "./commands/send-again.server.ts";
import { MailFault } from "./rules.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const MINUTE = 60_000;
const bench = await openDatabase("everyone", NOON);
const db = new Database(bench.batches);
const admin = (minutes = 0) => bench.admin("ada", NOON + minutes * MINUTE);
const LATER = new MailFault("later", "The email provider returned 500");
const REFUSED = new MailFault("refused", "The email provider returned 422");

let number = 7000;
/** Dana's request, decided by Ada at noon. */
async function decided(status: "approved" | "rejected" = "approved", minutes = 0) {
	const id = await insertRequest(bench.rows, ++number, "dana", { created_at: NOON - MINUTE });
	await decide(id, status, minutes);
	return id;
}
const decide = async (id: string, status: "approved" | "rejected", minutes: number) =>
	processRequests(await admin(minutes), [id], { status, adminNotes: undefined });
/** A payout of a request, paid by Ada. */
async function paid(id: string, minutes = 1) {
	const outcome = await makePayout(await admin(), { kind: "named", ids: [id] }, undefined);
	if (!outcome.ok) return expect.unreachable(outcome.reason);
	const { payout } = outcome.value.row;
	await pay(payout.id, minutes);
	return payout.id;
}
const pay = async (id: string, minutes: number) =>
	expect(
		await payPayout(await admin(minutes), id, {
			paidOn: dateIn(ZONE, NOON),
			reference: undefined,
		}),
	).toMatchObject({ ok: true });
/** Dana's emails, oldest first. */
const mails = () =>
	bench.rows<{ id: string; kind: string; status: string; body: string }>(
		"select id, kind, status, body from mails where recipient_id = ? order by rowid",
		idOf("dana"),
	);
const states = async () => (await mails()).map(({ kind, status }) => [kind, status]);
const idOfLast = async (kind: string) =>
	(await mails()).findLast((mail) => mail.kind === kind)?.id ?? expect.unreachable(kind);
const set = (change: string, kind: string) =>
	bench.rows(`update mails set ${change} where kind = ?`, kind);
/** Runs a delivery so many minutes after noon. */
const deliver = (minutes: number, fault?: Error, meanwhile?: () => Promise<unknown>) =>
	runDelivery(db, NOON + minutes * MINUTE, fault, meanwhile);

beforeEach(async () => {
	await bench.rows("delete from mails");
});

describe("a payout's email and the decisions in it", () => {
	it("sends the decision by itself when the payment is undone after its email was refused", async () => {
		const payout = await paid(await decided());
		await deliver(11, REFUSED);
		expect(await states()).toEqual([
			["request-decided", "cancelled"],
			["payout-paid", "failed"],
		]);
		expect(await reopenPayout(await admin(12), payout, "Wrong account")).toMatchObject({
			ok: true,
		});
		expect(await states()).toEqual([
			["request-decided", "queued"],
			["payout-paid", "cancelled"],
			["payout-reopened", "queued"],
		]);
		expect(await deliver(12)).toEqual([
			expect.stringMatching(/was approved$/),
			expect.stringMatching(/^Payout/),
		]);
	});

	it("includes a decision whose own email was refused", async () => {
		const id = await decided();
		await deliver(11, REFUSED);
		const payout = await paid(id, 12);
		expect(await states()).toEqual([
			["request-decided", "cancelled"],
			["payout-paid", "queued"],
		]);
		expect((await mails())[1]?.body).toContain("was approved by Ada Admin");
		// Undone, it is tried as often as a new one.
		await reopenPayout(await admin(13), payout, undefined);
		await deliver(14, LATER);
		expect(await states()).toEqual([
			["request-decided", "queued"],
			["payout-paid", "cancelled"],
		]);
	});

	it("leaves out a decision that may have been sent, or that was changed since", async () => {
		const uncertain = await decided();
		await set("status = 'failed', may_have_been_sent = 1", "request-decided");
		await paid(uncertain);
		expect((await mails())[1]?.body).not.toContain("was approved");
		await bench.rows("delete from mails");
		const changed = await decided("rejected");
		await set("status = 'sent'", "request-decided");
		await reopenRequest(await admin(11), changed);
		// As an earlier release left it.
		await set("status = 'failed'", "request-decided");
		await decide(changed, "approved", 12);
		await paid(changed, 13);
		const { body } = (await mails()).findLast(({ kind }) => kind === "payout-paid") ?? {};
		expect(body).toContain("was approved");
		expect(body).not.toContain("was rejected");
	});

	it.each(["status = 'sent'", "status = 'failed', may_have_been_sent = 1"])(
		"doesn't repeat the decision once a payment's email has %s, however often it is paid and undone",
		async (change) => {
			const payout = await paid(await decided());
			await set(change, "payout-paid");
			await reopenPayout(await admin(12), payout, "Wrong account");
			await pay(payout, 13);
			await reopenPayout(await admin(14), payout, undefined);
			expect((await states()).filter(([kind]) => kind === "request-decided")).toEqual([
				["request-decided", "cancelled"],
			]);
		},
	);
});

describe("an email that failed before its cause was undone", () => {
	it("about a decision can't be resent after the request is reopened", async () => {
		const id = await decided();
		await deliver(11, REFUSED);
		expect(await reopenRequest(await admin(12), id)).toMatchObject({ ok: true });
		expect(await states()).toEqual([
			["request-decided", "cancelled"],
			["request-reopened", "queued"],
		]);
		expect(await sendAgain(await admin(13), await idOfLast("request-decided"))).toMatchObject({
			reason: "not-failed",
		});
	});

	it("about a payment can't be resent after the payout is reopened, paid again or not", async () => {
		const payout = await paid(await decided());
		await deliver(11, REFUSED);
		const old = await idOfLast("payout-paid");
		await reopenPayout(await admin(12), payout, "Wrong account");
		await pay(payout, 13);
		expect(await sendAgain(await admin(14), old)).toMatchObject({ reason: "not-failed" });
	});

	it("with an invitation can't be resent after it is canceled", async () => {
		const [person] = await bench.rows<{ id: string }>(
			"select id from users where invited_at is not null and claimed_at is null limit 1",
		);
		const id = person?.id ?? expect.unreachable();
		await bench.rows(
			`insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
			values ('invited', 'invitation', ?, 'x@milepost.test', 's', 'b', ?, 'failed', ?, ?, 'invited')`,
			id,
			id,
			NOON,
			NOON,
		);
		expect(await cancelInvitation(await admin(1), id)).toMatchObject({ ok: true });
		expect(await bench.rows("select status from mails where id = 'invited'")).toEqual([
			{ status: "cancelled" },
		]);
	});

	it("still says that it may have been sent, but can't be resent either", async () => {
		const id = await decided();
		await set("status = 'failed', may_have_been_sent = 1", "request-decided");
		await reopenRequest(await admin(11), id);
		const old = await idOfLast("request-decided");
		await deliver(12);
		expect((await states())[0]).toEqual(["request-decided", "failed"]);
		expect(await sendAgain(await admin(12), old)).toMatchObject({ reason: "outdated" });
		// The next decision's own email can.
		await decide(id, "approved", 13);
		await deliver(24, REFUSED);
		expect(await sendAgain(await admin(25), await idOfLast("request-decided"))).toMatchObject({
			ok: true,
		});
		expect(await sendAgain(await admin(25), old)).toMatchObject({ reason: "outdated" });
	});

	it("about a reopening can be resent until the next decision, payment or reopening", async () => {
		const id = await decided();
		await deliver(11);
		await reopenRequest(await admin(12), id);
		await deliver(13, REFUSED);
		const reopened = await idOfLast("request-reopened");
		await decide(id, "approved", 14);
		expect(await sendAgain(await admin(15), reopened)).toMatchObject({ reason: "outdated" });
		await undoDecision(await admin(16), id);
		expect(await sendAgain(await admin(17), reopened)).toMatchObject({ ok: true });
		await deliver(17, REFUSED);
		await decide(id, "rejected", 18);
		await deliver(29);
		await reopenRequest(await admin(30), id);
		await deliver(31);
		expect(await sendAgain(await admin(32), reopened)).toMatchObject({ reason: "outdated" });

		const payout = await paid(await decided("approved", 20), 21);
		await deliver(40);
		await reopenPayout(await admin(41), payout, "Wrong account");
		await deliver(42, REFUSED);
		const about = await idOfLast("payout-reopened");
		await pay(payout, 43);
		expect(await sendAgain(await admin(44), about)).toMatchObject({ reason: "outdated" });
	});
});

describe("an email that is being sent while its cause is undone", () => {
	it.each([
		["accepts it", undefined, "sent"],
		["wants it later", LATER, "cancelled"],
		["refuses it", REFUSED, "cancelled"],
	])("about a decision, if the provider %s", async (_, fault, status) => {
		const id = await decided();
		const told = await deliver(11, fault, async () => reopenRequest(await admin(11), id));
		expect((await states())[0]).toEqual(["request-decided", status]);
		// While the provider is at fault, a run hands over one message.
		expect([...told, ...(await deliver(12))].at(-1)).toMatch(/was reopened$/);
		expect(await deliver(40)).toEqual([]);
	});

	it("is cancelled with a payment, and the decision in it is sent by itself", async () => {
		const payout = await paid(await decided());
		const told = await deliver(11, LATER, async () =>
			reopenPayout(await admin(11), payout, "Wrong account"),
		);
		expect([...told, ...(await deliver(12))]).toEqual([
			expect.stringMatching(/was approved$/),
			expect.stringMatching(/^Payout/),
		]);
		expect(await deliver(40)).toEqual([]);
	});

	it("isn't tried again after it was lost on the way", async () => {
		const id = await decided();
		await set("status = 'sending', attempts = 1, send_after = 1", "request-decided");
		await bench.rows("update mails set first_tried_at = ?", NOON);
		await reopenRequest(await admin(11), id, "Which car?");
		expect(await deliver(25)).toEqual([expect.stringMatching(/was reopened$/)]);
		expect((await states())[0]).toEqual(["request-decided", "failed"]);
	});
});

describe("an undo that arrives in time, and is carried out after the email was sent", () => {
	const TOO_LATE = ["status = 'sent'", "status = 'sending'"];
	it.each(TOO_LATE)("is refused for a decision with %s: reopening tells the driver", async (is) => {
		const id = await decided();
		await set(is, "request-decided");
		expect(await undoDecision(await admin(9), id)).toMatchObject({ reason: "not-to-undo" });
		expect(await reopenRequest(await admin(9), id)).toMatchObject({ value: { isUndone: false } });
		expect((await states()).at(-1)).toEqual(["request-reopened", "queued"]);
		// The next decision can be undone.
		await decide(id, "rejected", 10);
		expect(await undoDecision(await admin(11), id)).toMatchObject({ ok: true });
	});

	it.each(TOO_LATE)("is refused for a payment with %s: it needs a reason", async (is) => {
		const payout = await paid(await decided());
		await set(is, "payout-paid");
		expect(await reopenPayout(await admin(9), payout, undefined)).toMatchObject({
			reason: "reason-needed",
		});
		// Someone who was told that nobody would hear of it is asked again.
		expect(await reopenPayout(await admin(9), payout, "For us", true)).toMatchObject({
			reason: "told",
		});
		await reopenPayout(await admin(9), payout, "Wrong account");
		expect((await states()).at(-1)).toEqual(["payout-reopened", "queued"]);
		await pay(payout, 10);
		expect(await reopenPayout(await admin(11), payout, undefined)).toMatchObject({ ok: true });
		expect(await cancelPayout(await admin(12), payout)).toMatchObject({ ok: true });
	});
});
