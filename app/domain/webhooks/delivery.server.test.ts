/** What a webhook is sent, in which order, how often, and what happens if it isn't accepted. */
import * as v from "valibot";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { commandSubjects } from "../../../tests/support/command-subjects.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertWebhook } from "../../../tests/support/webhooks.ts";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { writeAboutRequest } from "../fund-requests/commands/message.server.ts";
import { processRequests } from "../fund-requests/commands/process.server.ts";
import { reopenRequest } from "../fund-requests/commands/reopen.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { undoDecision } from "../fund-requests/commands/undo.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { reopenPayout } from "../payouts/commands/reopen.server.ts";
import { approveDriver } from "../people/commands/approve.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { createDriver } from "../people/commands/create.server.ts";
import { publishSettlements } from "../settlements/commands/publish.server.ts";
import { importStatement } from "../statements/commands/import.server.ts";
import { deliverAgain } from "./commands/send-again.server.ts";
import { sendTestEvent } from "./commands/send-test.server.ts";
import { deliverEvents } from "./delivery.server.ts";
import { MAX_TRIES, type WebhookMessage, type WebhookTransport } from "./rules.ts";
import { type EventBody, eventShape } from "./shape.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const TODAY = dateIn("America/New_York", NOW);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SITE = { origin: "https://fleet.example" };
const bench = await openDatabase("everyone", NOW);
const subjects = await commandSubjects(bench, NOW, TODAY);

type Delivery = {
	readonly id: string;
	readonly event: string;
	readonly row_id: string;
	readonly status: string;
	readonly attempts: number;
	readonly send_after: number;
	readonly last_error: string | null;
	readonly may_have_arrived: number;
};
const deliveries = () =>
	bench.rows<Delivery>("select * from webhook_deliveries order by sequence, webhook_id");
const queued = async () => (await deliveries()).map(({ event, row_id }) => [event, row_id]);

/** What was posted, with the parsed bodies. */
type Posted = {
	readonly url: string;
	readonly body: Body;
	readonly headers: WebhookMessage["headers"];
};
type Body = EventBody;

/** Runs the task of a minute. */
async function run(at: number, answer: number | ((body: Body) => number | Error) = 204) {
	const posted: Posted[] = [];
	const transport: WebhookTransport = async ({ url, body, headers }) => {
		const parsed = v.parse(eventShape, JSON.parse(body));
		posted.push({ url, body: parsed, headers });
		const answered = typeof answer === "number" ? answer : answer(parsed);
		if (typeof answered !== "number") throw answered;
		return answered;
	};
	const system = { role: "system", db: new Database(bench.batches), now: at } as const;
	const counts = await deliverEvents(system, transport, SITE, () => at);
	return { posted, counts };
}
const event = async (type = "test", id: string = crypto.randomUUID()) => {
	await bench.rows(
		"insert into audit_events (at, actor_role, action, entity, entity_id) values (?, 'system', ?, 'fund-request', ?)",
		NOW,
		type === "test" ? "request.submit" : type,
		id,
	);
	return id;
};

describe("what is queued", () => {
	let hook = "";
	beforeEach(async () => {
		hook = (await insertWebhook(bench.rows)).id;
	});

	it("is an event for each change that has one, with its row and nothing else of it", async () => {
		const [admin, dana] = [await bench.admin("ada"), await bench.driver("dana")];
		const submitted = await submitRequest(dana, subjects.fuel(), "json");
		if (!submitted.ok) throw new Error(submitted.reason);
		const request = submitted.value.request.id;
		await writeAboutRequest(admin, request, subjects.message(), "json");
		await processRequests(admin, [request], { status: "approved", adminNotes: undefined });
		await undoDecision(admin, request);
		await processRequests(admin, [request], { status: "rejected", adminNotes: "No" });
		await reopenRequest(await bench.admin("ben"), request);
		const created = await createDriver(admin, subjects.person(), SITE);
		if (!created.ok) throw new Error(created.reason);
		const applicant = await subjects.applicant();
		await approveDriver(admin, applicant, SITE);
		const payout = await subjects.openPayout();
		await payPayout(admin, payout, { paidOn: TODAY, reference: undefined });
		await reopenPayout(admin, payout, "Wrong account");
		const imported = await importStatement(
			admin,
			subjects.store,
			subjects.waiting(await subjects.waitingStatement()),
			"all",
		);
		if (!imported.ok) throw new Error(imported.reason);
		const week = await subjects.settlement();
		const published = await publishSettlements(admin, [week], {});
		if (!published.ok) throw new Error(published.reason);
		expect(await queued()).toEqual([
			["request.created", request],
			["request.decided", request],
			["request.reopened", request],
			["request.decided", request],
			["request.reopened", request],
			["driver.approved", created.value.id],
			["driver.approved", applicant],
			["payout.paid", payout],
			["payout.reopened", payout],
			["statement.imported", imported.value.import?.id],
			["settlement.published", week],
		]);
		const { posted } = await run(NOW + MINUTE);
		const numberOf = async (table: string, id: string, column = "number") =>
			(await bench.rows<{ n: number }>(`select ${column} as n from ${table} where id = ?`, id))[0]
				?.n ?? 0;
		const padded = (number: number, digits: number) => String(number).padStart(digits, "0");
		const [fr, po, drv] = [
			`FR-${padded(await numberOf("fund_requests", request), 6)}`,
			`PO-${padded(await numberOf("payouts", payout), 6)}`,
			`DRV-${padded(await numberOf("users", applicant, "driver_number"), 4)}`,
		];
		expect(posted.map(({ body }) => [body.type, body.data.number])).toEqual([
			["request.created", fr],
			["request.decided", fr],
			["request.reopened", fr],
			["request.decided", fr],
			["request.reopened", fr],
			["driver.approved", expect.stringMatching(/^DRV-\d{4}$/)],
			["driver.approved", drv],
			["payout.paid", po],
			["payout.reopened", po],
			["statement.imported", null],
			["settlement.published", `ST-${padded(await numberOf("settlements", week), 6)}`],
		]);
		const [first] = posted;
		expect(first).toEqual({
			url: "https://hooks.example.com/milepost",
			headers: {
				"webhook-id": first?.body.id,
				"webhook-timestamp": String((NOW + MINUTE) / 1000),
				"webhook-signature": expect.stringMatching(/^v1,\S{44}$/),
			},
			body: {
				id: (await deliveries())[0]?.id,
				type: "request.created",
				createdAt: new Date(NOW).toISOString(),
				data: { id: request, number: fr },
			},
		});
	});

	it("is an application when a name is completed for the first time, and only then", async () => {
		await bench.rows(
			"update users set first_name = '', last_name = '', applied_at = null, approval_status = 'pending' where id = ?",
			idOf("nora"),
		);
		await completeProfile(await bench.self("nora"), { firstName: "Nora", lastName: "Newcomer" });
		await completeProfile(await bench.self("nora"), { firstName: "Nora", lastName: "New" });
		await completeProfile(await bench.self("ada"), { firstName: "Ada", lastName: "Adams" });
		expect(await queued()).toEqual([["driver.applied", idOf("nora")]]);
		const { posted } = await run(NOW + MINUTE);
		expect(posted[0]?.body.data).toEqual({ id: idOf("nora"), number: null });
	});

	it("is an application when someone signs in with a name, and not without one", async () => {
		const joined = async (appliedAt: number | null) => {
			const id = await subjects.applicant({ applied_at: appliedAt });
			await event("driver.join", id);
			return id;
		};
		const complete = await joined(NOW);
		await joined(null);
		expect(await queued()).toEqual([["driver.applied", complete]]);
	});

	it("is only what a webhook that is on has asked for", async () => {
		await bench.rows("update webhooks set events = '[\"payout.paid\"]'");
		await insertWebhook(bench.rows, { switched_off_at: NOW });
		await insertWebhook(bench.rows, { removed_at: NOW, secret: "" });
		const other = await insertWebhook(bench.rows, { events: '["request.created"]' });
		const request = await event("request.submit");
		await event("request.approve", request);
		await event("fee.add");
		await event("payout.pay");
		const found = await bench.rows(
			"select webhook_id, event from webhook_deliveries order by sequence",
		);
		expect(found).toEqual([
			{ webhook_id: other.id, event: "request.created" },
			{ webhook_id: hook, event: "payout.paid" },
		]);
	});

	it("is nothing, at no cost, while there is no webhook", async () => {
		await bench.rows("delete from webhooks");
		const cost = async (action: string) => {
			const [told] = await bench.d1.batch([
				bench.d1
					.prepare(
						"insert into audit_events (at, actor_role, action, entity, entity_id) values (1, 'system', ?, 'x', 'x')",
					)
					.bind(action),
			]);
			return [told?.meta.rows_read, told?.meta.rows_written];
		};
		expect(await cost("request.submit")).toEqual(await cost("fee.add"));
		expect(await deliveries()).toEqual([]);
	});

	it("is a test event for one webhook, whatever it has asked for", async () => {
		await bench.rows("update webhooks set events = '[\"payout.paid\"]'");
		await insertWebhook(bench.rows);
		expect(await sendTestEvent(await bench.admin("ada"), hook)).toMatchObject({ ok: true });
		const { posted } = await run(NOW + MINUTE);
		expect(posted.map(({ body }) => [body.type, body.data])).toEqual([
			["webhook.test", { id: hook, number: null }],
		]);
	});
});

describe("a try that fails", () => {
	it("is repeated under the same id, eight times over two days, and then given up", async () => {
		await insertWebhook(bench.rows);
		await event();
		const tries: number[] = [];
		let id: string | undefined;
		for (let at = NOW; at < NOW + 4 * DAY; at += MINUTE) {
			const [row] = await deliveries();
			// Nothing is due before then.
			if (row?.status === "queued" && row.send_after > at) at = row.send_after - MINUTE;
			const { posted } = await run(at, 500);
			for (const { body } of posted) {
				id ??= body.id;
				expect(body.id).toBe(id);
				tries.push(at);
			}
			if ((await deliveries())[0]?.status === "failed") break;
		}
		expect(tries.map((at) => at - NOW)).toEqual([
			...[0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, DAY, 2 * DAY],
		]);
		expect(tries).toHaveLength(MAX_TRIES);
		expect(await deliveries()).toMatchObject([
			{ status: "failed", attempts: 8, last_error: "It answered 500.", may_have_arrived: 0 },
		]);
		expect((await run(NOW + 4 * DAY)).posted).toEqual([]);
		// By hand it is sent again, under the same id.
		expect(await deliverAgain(await bench.admin("ada", NOW + 4 * DAY), id ?? "")).toMatchObject({
			ok: true,
		});
		expect((await run(NOW + 4 * DAY)).posted.map(({ body }) => body.id)).toEqual([id]);
		expect(await deliveries()).toMatchObject([
			{ status: "delivered", attempts: 1, last_error: null },
		]);
	});

	it("may have arrived if it broke off, and says so once it is given up", async () => {
		await insertWebhook(bench.rows);
		await event();
		const slow = new DOMException("The operation was aborted", "TimeoutError");
		await run(NOW, () => slow);
		expect(await deliveries()).toMatchObject([
			{ status: "queued", may_have_arrived: 1, last_error: "It didn't answer within 10 seconds." },
		]);
		await bench.rows("update webhook_deliveries set attempts = 7");
		await run(NOW + HOUR, () => new Error("reset"));
		expect(await deliveries()).toMatchObject([
			{ status: "failed", may_have_arrived: 1, last_error: "The connection failed." },
		]);
	});

	it("is one that redirects", async () => {
		await insertWebhook(bench.rows);
		await event();
		const { posted } = await run(NOW, 302);
		expect(posted).toHaveLength(1);
		expect(await deliveries()).toMatchObject([
			{ status: "queued", last_error: "It answered 302: redirects aren't followed." },
		]);
	});

	it("is made without a request if the URL is one that is refused", async () => {
		await insertWebhook(bench.rows, { url: "https://db.internal/" });
		await event();
		const { posted, counts } = await run(NOW);
		expect([posted, counts]).toEqual([[], { delivered: 0, failed: 1 }]);
	});

	it("is repeated when the isolate ended meanwhile, unless that was the last", async () => {
		await insertWebhook(bench.rows);
		await event();
		await event();
		await bench.rows(
			"update webhook_deliveries set status = 'sending', send_after = ?, attempts = iif(sequence = (select max(sequence) from webhook_deliveries), 8, 1)",
			NOW,
		);
		expect((await run(NOW + MINUTE)).posted).toEqual([]);
		expect((await run(NOW + 3 * MINUTE)).posted).toHaveLength(1);
		expect(await deliveries()).toMatchObject([
			{ status: "delivered" },
			{ status: "failed", may_have_arrived: 1, last_error: "Broken off on the way." },
		]);
	});
});

describe("the order", () => {
	it("of one row's events is kept, while others overtake them", async () => {
		await insertWebhook(bench.rows);
		const [first, other] = [await event(), await event()];
		await event("request.approve", first);
		await event("request.approve", other);
		const told = async (at: number, answer?: Parameters<typeof run>[1]) =>
			(await run(at, answer)).posted.map(({ body }) => [body.type, body.data.id]);
		const failsFirst = ({ data }: Body) => (data.id === first ? 503 : 200);
		expect(await told(NOW, failsFirst)).toEqual([
			["request.created", first],
			["request.created", other],
			["request.decided", other],
		]);
		// While an event of a row waits, a later one isn't due before it.
		await event("request.undo", first);
		expect(await told(NOW + MINUTE - 1)).toEqual([]);
		expect(await told(NOW + MINUTE, failsFirst)).toEqual([["request.created", first]]);
		expect(await told(NOW + 5 * MINUTE)).toEqual([
			["request.created", first],
			["request.decided", first],
			["request.reopened", first],
		]);
	});

	it("goes on after an event that is given up", async () => {
		await insertWebhook(bench.rows);
		const row = await event();
		await event("request.approve", row);
		await bench.rows("update webhook_deliveries set attempts = 7 where event = 'request.created'");
		const { posted } = await run(NOW, ({ type }) => (type === "request.created" ? 500 : 200));
		expect(posted.map(({ body }) => body.type)).toEqual(["request.created", "request.decided"]);
		expect((await deliveries()).map(({ status }) => status)).toEqual(["failed", "delivered"]);
	});

	it("of one webhook doesn't hold up another", async () => {
		await insertWebhook(bench.rows, { url: "https://one.example/" });
		await insertWebhook(bench.rows, { url: "https://two.example/", created_at: 2 });
		const row = await event();
		await event("request.approve", row);
		const { posted } = await run(NOW, ({ id }) => (id === "" ? 500 : 200));
		expect(posted).toHaveLength(4);
		for (const host of ["one", "two"])
			expect(posted.filter(({ url }) => url.includes(host)).map(({ body }) => body.type)).toEqual([
				"request.created",
				"request.decided",
			]);
	});
});

describe("a webhook that has failed for five days", () => {
	it("is switched off, what waits is given up, and each administrator gets one email", async () => {
		const { id } = await insertWebhook(bench.rows);
		await event();
		await run(NOW, 500);
		expect((await run(NOW + 5 * DAY - 1, 500)).counts.failed).toBe(1);
		const { posted } = await run(NOW + 5 * DAY);
		expect(posted).toEqual([]);
		await run(NOW + 5 * DAY + MINUTE);
		expect(await bench.rows("select switched_off_at from webhooks")).toEqual([
			{ switched_off_at: NOW + 5 * DAY },
		]);
		expect(await deliveries()).toMatchObject([
			{ status: "failed", last_error: "The webhook was switched off or removed." },
		]);
		const mails = await bench.rows<{ recipient_id: string; subject: string; body: string }>(
			"select recipient_id, subject, body from mails where kind = 'webhook-switched-off' order by 1",
		);
		expect(mails.map(({ recipient_id }) => recipient_id)).toEqual(
			[idOf("ada"), idOf("ben")].sort(),
		);
		expect(mails[0]).toMatchObject({
			subject: "The webhook at hooks.example.com was switched off",
			body: expect.stringContaining("https://fleet.example/settings/webhooks"),
		});
		expect(
			await bench.rows(
				"select actor_role, action, reason from audit_events where entity_id = ?",
				id,
			),
		).toEqual([
			{ actor_role: "system", action: "webhook.switch-off", reason: "It failed for five days." },
		]);
		await event();
		expect(await deliveries()).toHaveLength(1);
	});

	it("isn't one of which nothing was asked since all was given up, until it fails again", async () => {
		await insertWebhook(bench.rows);
		await event();
		for (const minutes of [0, 1, 5, 30, 120, 480, 1440, 2880])
			await run(NOW + minutes * MINUTE, 500);
		expect(await deliveries()).toMatchObject([{ status: "failed", attempts: MAX_TRIES }]);
		const later = NOW + 20 * DAY;
		await run(later - DAY);
		const isOff = async () =>
			(await bench.rows("select 1 from webhooks where switched_off_at is not null")).length > 0;
		expect(await isOff()).toBe(false);
		await event();
		await run(later, 500);
		expect(await isOff()).toBe(false);
		await run(later + MINUTE);
		expect(await isOff()).toBe(true);
	});

	it("isn't one that took something since", async () => {
		await insertWebhook(bench.rows);
		await event();
		await run(NOW, 500);
		await run(NOW + DAY);
		await event();
		await run(NOW + 2 * DAY, 500);
		await run(NOW + 6 * DAY, 500);
		expect(await bench.rows("select switched_off_at, failing_since from webhooks")).toEqual([
			{ switched_off_at: null, failing_since: NOW + 2 * DAY },
		]);
	});
});

it("deliveries are deleted after 30 days", async () => {
	await insertWebhook(bench.rows);
	await event();
	await run(NOW);
	await run(NOW + 30 * DAY);
	expect(await deliveries()).toHaveLength(1);
	await run(NOW + 30 * DAY + 1);
	expect(await deliveries()).toEqual([]);
});
