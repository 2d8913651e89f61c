/** Adding, changing, switching and removing webhooks, and sending an event again. */
import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase, signIn } from "../../../tests/support/database.ts";
import { insertDelivery, insertWebhook } from "../../../tests/support/webhooks.ts";
import { addWebhook } from "./commands/add.server.ts";
import { chooseEvents } from "./commands/choose-events.server.ts";
import { removeWebhook } from "./commands/remove.server.ts";
import { rotateSecret } from "./commands/rotate-secret.server.ts";
import { deliverAgain } from "./commands/send-again.server.ts";
import { switchWebhook } from "./commands/switch.server.ts";
import { MAX_WEBHOOKS } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const DAY = 86_400_000;
const bench = await openDatabase("everyone", NOW);
await signIn(bench, "ada", NOW - 60_000);
const HOOK = {
	url: "https://hooks.example.com/milepost",
	events: ["request.created", "payout.paid"],
	key: undefined,
} as const;
const add = async (more: object = {}, at = NOW) =>
	addWebhook(await bench.admin("ada", at), { ...HOOK, events: [...HOOK.events], ...more });
const stored = () => bench.rows("select * from webhooks order by created_at, id");
const told = (action: string) =>
	bench.rows<{ entity_id: string; before: string | null; after: string | null }>(
		"select entity_id, before, after from audit_events where action = ?",
		action,
	);

describe("a new webhook", () => {
	it("has a secret that only its maker sees, and is audited without it", async () => {
		const outcome = await add();
		if (!outcome.ok) throw new Error(outcome.reason);
		const { id, secret } = outcome.value;
		expect(await stored()).toEqual([
			expect.objectContaining({
				id,
				added_by: idOf("ada"),
				url: HOOK.url,
				events: '["request.created","payout.paid"]',
				secret,
				switched_off_at: null,
				removed_at: null,
			}),
		]);
		const [entry] = await told("webhook.add");
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			url: HOOK.url,
			events: "request.created, payout.paid",
		});
		expect(JSON.stringify(await bench.rows("select * from audit_events"))).not.toContain(
			secret.slice(6),
		);
	});

	it("is added once for a form that is sent twice", async () => {
		expect(await add({ key: "twice" })).toMatchObject({ ok: true });
		expect(await add({ key: "twice" })).toMatchObject({ reason: "added-before" });
		expect(await add({ key: "twice", url: "https://other.example/" })).toMatchObject({
			reason: "key-reused",
		});
		expect(await stored()).toHaveLength(1);
	});

	it("needs a recent sign-in, and is one of five at most", async () => {
		expect(await add({}, NOW + 15 * 60_000)).toMatchObject({ reason: "sign-in-again" });
		for (let count = 0; count < MAX_WEBHOOKS - 1; count++) await insertWebhook(bench.rows);
		await insertWebhook(bench.rows, { removed_at: 1, secret: "" });
		expect(await add()).toMatchObject({ ok: true });
		expect(await add()).toMatchObject({ reason: "too-many" });
	});
});

it("another choice of events is audited, and the same one isn't", async () => {
	const { id } = await insertWebhook(bench.rows, { events: '["payout.paid"]' });
	const ada = await bench.admin("ada");
	expect(await chooseEvents(ada, id, ["payout.paid"])).toMatchObject({ ok: true });
	expect(await chooseEvents(ada, id, ["payout.paid", "payout.reopened"])).toMatchObject({
		ok: true,
	});
	expect(await told("webhook.choose-events")).toEqual([
		{
			entity_id: id,
			before: '{"events":"payout.paid"}',
			after: '{"events":"payout.paid, payout.reopened"}',
		},
	]);
	expect(await chooseEvents(ada, crypto.randomUUID(), ["payout.paid"])).toMatchObject({
		reason: "not-found",
	});
});

it("a replaced secret is kept for a day, and needs a recent sign-in", async () => {
	const { id, secret } = await insertWebhook(bench.rows);
	expect(await rotateSecret(await bench.admin("ada", NOW + DAY), id)).toMatchObject({
		reason: "sign-in-again",
	});
	const outcome = await rotateSecret(await bench.admin("ada"), id);
	if (!outcome.ok) throw new Error(outcome.reason);
	expect(await stored()).toMatchObject([
		{ secret: outcome.value.secret, older_secret: secret, older_secret_until: NOW + DAY },
	]);
});

describe("a webhook that is switched off or removed", () => {
	it("gives up what waits, and keeps what was delivered", async () => {
		const ada = await bench.admin("ada");
		for (const end of [
			(id: string) => switchWebhook(ada, id, false),
			(id: string) => removeWebhook(ada, id),
		]) {
			const { id } = await insertWebhook(bench.rows);
			await insertDelivery(bench.rows, id, { status: "queued" });
			await insertDelivery(bench.rows, id, { status: "delivered", sequence: 2 });
			expect(await end(id)).toMatchObject({ ok: true, value: HOOK.url });
			expect(
				await bench.rows(
					"select status, last_error from webhook_deliveries where webhook_id = ? order by sequence",
					id,
				),
			).toEqual([
				{ status: "failed", last_error: "The webhook was switched off or removed." },
				{ status: "delivered", last_error: null },
			]);
		}
	});

	it("loses its secrets when it is removed, for good", async () => {
		const { id } = await insertWebhook(bench.rows, { older_secret: "x", older_secret_until: NOW });
		const ada = await bench.admin("ada");
		await removeWebhook(ada, id);
		expect(await stored()).toMatchObject([
			{ secret: "", older_secret: null, older_secret_until: null, removed_at: NOW },
		]);
		expect(await switchWebhook(ada, id, true)).toMatchObject({ reason: "not-found" });
		expect(await rotateSecret(ada, id)).toMatchObject({ reason: "not-found" });
	});

	it("starts without a grudge when it is switched on again", async () => {
		const { id } = await insertWebhook(bench.rows, { switched_off_at: 2, failing_since: 1 });
		await switchWebhook(await bench.admin("ada"), id, true);
		expect(await stored()).toMatchObject([{ switched_off_at: null, failing_since: null }]);
	});
});

describe("an event that is sent again", () => {
	it("is queued as it was, if it isn't waiting and its webhook is on", async () => {
		const { id: hook } = await insertWebhook(bench.rows);
		const ada = await bench.admin("ada");
		const [failed, waiting] = [crypto.randomUUID(), crypto.randomUUID()];
		await insertDelivery(bench.rows, hook, {
			...{ id: failed, status: "failed", attempts: 8, last_error: "It answered 500." },
			may_have_arrived: 1,
		});
		await insertDelivery(bench.rows, hook, { id: waiting, status: "queued" });
		expect(await deliverAgain(ada, failed)).toMatchObject({ ok: true });
		expect(await bench.rows("select * from webhook_deliveries where id = ?", failed)).toMatchObject(
			[{ status: "queued", attempts: 0, last_error: null, may_have_arrived: 0, send_after: NOW }],
		);
		expect(await told("webhook.deliver-again")).toMatchObject([{ entity_id: failed }]);
		for (const id of [failed, waiting])
			expect(await deliverAgain(ada, id)).toMatchObject({ reason: "under-way" });
		expect(await deliverAgain(ada, "none")).toMatchObject({ reason: "not-found" });
		await bench.rows("update webhook_deliveries set status = 'delivered' where id = ?", failed);
		await switchWebhook(ada, hook, false);
		expect(await deliverAgain(ada, failed)).toMatchObject({ reason: "switched-off" });
	});
});
