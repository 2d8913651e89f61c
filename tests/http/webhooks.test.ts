/**
 * Webhooks, from their screen to a receiver behind the Worker's outgoing requests, which fails, is
 * slow, redirects and hangs up. `npm run test:full`, or `WEBHOOK_EVENTS=1000`, tells it of 1,000 events.
 */
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { diceOf } from "../../lab/torture/dice.ts";
import { freePort } from "../../tools/free-port.ts";
import { currentTime } from "../support/clock.ts";
import { times } from "../support/extent.ts";
import { formsIn } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { insertDelivery, insertWebhook } from "../support/webhooks.ts";
import { openFleet } from "../support/worker.ts";

const EVENTS = times("WEBHOOK_EVENTS", 40, 1000);
const ADDRESS = "/settings/webhooks";
const URL_OF_HOOK = "https://hooks.example.com/milepost";
const MINUTE = 60_000;

type Told = {
	readonly url: string;
	readonly headers: Headers;
	readonly text: string;
	readonly body: { id: string; type: string; data: { id: string; number: string | null } };
};
/** Every request that left the Worker. */
const told: Told[] = [];
let answer: (told: Told) => Response | Promise<Response> = () =>
	new Response(null, { status: 204 });
const state = mkdtempSync(join(tmpdir(), "milepost-webhooks-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));
const fleet = await openFleet({
	state,
	port: await freePort(),
	async outbound(request) {
		const text = await request.text();
		const each = { url: request.url, headers: request.headers, text, body: JSON.parse(text) };
		told.push(each);
		return answer(each);
	},
});
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

/** Runs the task of the minute that begins so many milliseconds from now. */
async function runMinute(after = 0): Promise<void> {
	const worker = await fleet.worker.getWorker();
	await worker.scheduled({
		cron: "* * * * *",
		scheduledTime: new Date(currentTime() + after),
	});
}
const form = (more: Readonly<Record<string, string>> = {}, events = ["request.created"]) => {
	const fields = new URLSearchParams({ url: URL_OF_HOOK, ...more });
	for (const event of events) fields.append("events", event);
	return { body: fields, headers: { "Content-Type": "application/x-www-form-urlencoded" } };
};
const post = async (fields: ReturnType<typeof form>) =>
	(await fleet.as("ada")).request(ADDRESS, { method: "POST", ...fields });
const secretIn = (text: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0] ?? "";
const submit = async () => {
	const dana = await fleet.as("dana");
	const sent = await dana.call("POST", "/api/fund-requests", {
		type: "gas",
		amount: "12.50",
		description: `Fuel ${crypto.randomUUID()}`,
	});
	expect(sent.status).toBe(201);
	return JSON.parse(sent.text) as { id: string; requestNumber: string };
};

type IsGenuine = (headers: object, body: string, secret: string) => boolean;
/** The receiver's check in docs/webhooks.md. */
const { isGenuine } = (await import(
	`data:text/javascript,${encodeURIComponent(/```js\n([\s\S]*?)```/.exec(readFileSync("docs/webhooks.md", "utf8"))?.[1] ?? "")}`
)) as { isGenuine: IsGenuine };
const isSigned = ({ headers, text }: Told, secret: string) =>
	isGenuine(Object.fromEntries(headers), text, secret);
/** The same without a look at the time, which the test moves. */
function hasSignature({ headers, text }: Told, secret: string): boolean {
	const key = Buffer.from(secret.replace("whsec_", ""), "base64");
	const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
	const expected = createHmac("sha256", key).update(signed).digest("base64");
	return headers.get("webhook-signature") === `v1,${expected}`;
}

beforeEach(async () => {
	await fleet.sql("delete from webhook_deliveries");
	await fleet.sql("delete from webhooks");
	told.length = 0;
	answer = () => new Response(null, { status: 204 });
});

describe("the screen", () => {
	it("adds a webhook, shows its secret once, and tells it of what was chosen", async () => {
		const added = await post(form());
		expect(added.status).toBe(200);
		const secret = secretIn(added.text);
		expect(secret).not.toBe("");
		const ada = await fleet.as("ada");
		const page = await ada.get(ADDRESS);
		expect(page.headers.get("Server-Timing")).toContain("1 trip,");
		expect(page.text).toContain(URL_OF_HOOK);
		expect(page.text).not.toContain("whsec_");
		const { id, requestNumber } = await submit();
		await ada.call("PUT", `/api/fund-requests/${id}`, { status: "rejected" });
		await runMinute();
		expect(told.map(({ body }) => [body.type, body.data])).toEqual([
			["request.created", { id, number: requestNumber }],
		]);
		const [first] = told;
		expect(first && isSigned(first, secret)).toBe(true);
		expect(first && isSigned({ ...first, text: `${first.text} ` }, secret)).toBe(false);
		expect(first && isSigned(first, `whsec_${btoa("another secret")}`)).toBe(false);
		expect(first?.url).toBe(URL_OF_HOOK);
		expect(first?.headers.get("webhook-id")).toBe(first?.body.id);
		expect(
			Math.abs(Number(first?.headers.get("webhook-timestamp")) * 1000 - currentTime()),
		).toBeLessThan(MINUTE);
		const listed = (await ada.get(ADDRESS)).text;
		expect(listed).toContain("Delivered");
		expect(listed).toContain(requestNumber);
		const [{ id: hook } = { id: "" }] = await fleet.sql<{ id: string }>("select id from webhooks");
		const audit = (await ada.get("/audit?kind=webhook.add")).text.replace(/<[^>]*>|<!-- -->/g, "");
		expect(audit).toContain(`added the webhook ${URL_OF_HOOK}`);
		for (const line of fleet.lines) expect(line).not.toContain(secret.slice(6, 30));
		expect(hook).not.toBe("");
	});

	it("refuses a URL inside, keeps what was typed, and adds nothing", async () => {
		for (const url of [
			"http://hooks.example.com/",
			"https://127.0.0.1/",
			"https://[::1]/",
			"https://hooks.example.com:8443/",
			"https://intranet/",
			"https://localhost/",
			"https://printer.local/",
			"https://db.internal/",
			"https://app.localhost/",
			`https://ada:${"secret"}@hooks.example.com/`,
		]) {
			const refused = await post(form({ url }));
			expect([url, refused.status]).toEqual([url, 400]);
			expect(refused.text).toContain(`value="${url}"`);
		}
		const without = await post(form({}, []));
		expect([without.status, without.text.includes("Choose at least one event")]).toEqual([
			400,
			true,
		]);
		expect((await post(form({}, ["request.deleted"]))).status).toBe(400);
		expect(await fleet.sql("select id from webhooks")).toEqual([]);
	});

	it("adds five, only soon after a sign-in, and none twice", async () => {
		const keyed = form({ key: "once" });
		expect(secretIn((await post(keyed)).text)).not.toBe("");
		const again = await post(keyed);
		expect([again.status, secretIn(again.text)]).toEqual([409, ""]);
		for (let count = 1; count < 4; count++) await insertWebhook(sql);
		const late = await fleet.as("ada");
		await fleet.sql("update sessions set created_at = created_at - 900000");
		const tooLate = await late.request(ADDRESS, { method: "POST", ...form() });
		expect(tooLate.status).toBe(403);
		expect(tooLate.text).toContain("/api/login?fresh&amp;returnTo=%2Fsettings%2Fwebhooks");
		expect((await post(form())).status).toBe(200);
		expect((await post(form())).status).toBe(409);
		expect((await (await fleet.as("ada")).get(ADDRESS)).text).toContain("You have five webhooks");
	});

	it("replaces the secret, and signs with both for a day", async () => {
		const first = secretIn((await post(form())).text);
		const [{ id } = { id: "" }] = await fleet.sql<{ id: string }>("select id from webhooks");
		const ada = await fleet.as("ada");
		const replaced = await ada.post(ADDRESS, { intent: "rotate-secret", id });
		const second = secretIn(replaced.text);
		expect([replaced.status, second === first]).toEqual([200, false]);
		await submit();
		await runMinute();
		expect([first, second].map((secret) => told[0] && isSigned(told[0], secret))).toEqual([
			true,
			true,
		]);
		await fleet.sql("update webhooks set older_secret_until = 1");
		await submit();
		await runMinute();
		expect([first, second].map((secret) => told[1] && isSigned(told[1], secret))).toEqual([
			false,
			true,
		]);
		expect((await ada.get(ADDRESS)).text).not.toContain("whsec_");
	});

	it("replaces a secret once, however often its form is sent", async () => {
		const first = secretIn((await post(form())).text);
		const ada = await fleet.as("ada");
		const replacing = async (client: typeof ada) =>
			formsIn((await client.get(ADDRESS)).text).find(
				({ fields }) => fields.intent === "rotate-secret",
			)?.fields ?? {};
		const [opened, byBen] = [await replacing(ada), await replacing(await fleet.as("ben"))];
		const second = secretIn((await ada.post(ADDRESS, opened)).text);
		// The page that shows the new secret is reloaded, and someone else's was opened before.
		for (const again of [
			await ada.post(ADDRESS, opened),
			await (await fleet.as("ben")).post(ADDRESS, byBen),
		]) {
			expect([again.status, secretIn(again.text)]).toEqual([409, ""]);
			expect(again.text).toContain("The secret was replaced after this page was opened");
		}
		expect(await fleet.sql("select secret, older_secret from webhooks")).toEqual([
			{ secret: second, older_secret: first },
		]);
		const third = secretIn((await ada.post(ADDRESS, await replacing(ada))).text);
		expect(await fleet.sql("select secret, older_secret from webhooks")).toEqual([
			{ secret: third, older_secret: second },
		]);
	});

	it("chooses no events over what someone else has chosen since", async () => {
		const { id } = await insertWebhook(sql);
		const [ada, ben] = [await fleet.as("ada"), await fleet.as("ben")];
		const seen = async (client: typeof ada) =>
			formsIn((await client.get(ADDRESS)).text).find(
				({ fields }) => fields.intent === "choose-events",
			)?.fields.seen ?? "";
		const [ofAda, ofBen] = [await seen(ada), await seen(ben)];
		const choose = (client: typeof ada, mark: string, events: string[]) =>
			client.request(ADDRESS, {
				method: "POST",
				...form({ intent: "choose-events", id, seen: mark }, events),
			});
		const bens = ["payout.paid", "settlement.published"];
		expect((await choose(ben, ofBen, bens)).status).toBe(303);
		const refused = await choose(ada, ofAda, ["payout.paid", "driver.applied"]);
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("Someone has chosen other events since you opened the page");
		// Hers are still ticked, and replace his once she sends them again.
		const again = formsIn(refused.text).find(({ fields }) => fields.intent === "choose-events");
		const ticked = (again?.html.match(/<input[^>]*>/g) ?? []).filter((box) =>
			box.includes('checked=""'),
		);
		expect(ticked.map((box) => /value="([^"]+)"/.exec(box)?.[1])).toEqual([
			"driver.applied",
			"payout.paid",
		]);
		expect(await fleet.sql("select events from webhooks")).toEqual([
			{ events: JSON.stringify(bens) },
		]);
		const hers = ["driver.applied", "payout.paid"];
		expect((await choose(ada, again?.fields.seen ?? "", hers)).status).toBe(303);
		expect(await fleet.sql("select events from webhooks")).toEqual([
			{ events: JSON.stringify(hers) },
		]);
	});

	it("switches off and on, chooses events, tests, and removes", async () => {
		const { id } = await insertWebhook(sql);
		const ada = await fleet.as("ada");
		const act = (intent: string) => ada.postAndFollow(ADDRESS, { intent, id });
		expect((await act("switch-off")).text).toContain(
			"hooks.example.com receives no events for now.",
		);
		expect((await ada.post(ADDRESS, { intent: "test", id })).status).toBe(409);
		await submit();
		await runMinute();
		expect(told).toEqual([]);
		await act("switch-on");
		const chosen = await ada.request(ADDRESS, {
			method: "POST",
			...form({ intent: "choose-events", id }, ["payout.paid", "driver.applied"]),
		});
		expect(chosen.status).toBe(303);
		expect(await fleet.sql("select events from webhooks")).toEqual([
			{ events: '["driver.applied","payout.paid"]' },
		]);
		expect((await act("test")).text).toContain("within a minute");
		await submit();
		await runMinute();
		expect(told.map(({ body }) => body.type)).toEqual(["webhook.test"]);
		expect((await act("remove")).text).toContain("Webhook removed");
		expect(await fleet.sql("select secret, older_secret from webhooks")).toEqual([
			{ secret: "", older_secret: null },
		]);
		for (const intent of ["remove", "test", "switch-on", "rotate-secret"])
			expect((await ada.post(ADDRESS, { intent, id })).status, intent).toBe(
				intent === "remove" ? 303 : 404,
			);
		expect((await ada.post(ADDRESS, { intent: "explode", id })).status).toBe(400);
	});

	it("lists what was told by page, and sends it again by hand", async () => {
		const { id: hook } = await insertWebhook(sql);
		for (let count = 1; count <= 26; count++)
			await insertDelivery(sql, hook, {
				id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
				created_at: currentTime() - count * 1000,
				status: count === 26 ? "failed" : "delivered",
				last_error: count === 26 ? "It answered 500." : null,
			});
		const ada = await fleet.as("ada");
		const first = (await ada.get(ADDRESS)).text;
		expect(first.match(/id="delivery-/g)).toHaveLength(25);
		const next = /href="(\/settings\/webhooks\?after=[^"#]+)/.exec(first)?.[1] ?? "";
		const second = await ada.get(next);
		expect(second.text).toContain("Given up");
		const id = "00000000-0000-4000-8000-000000000026";
		const again = await ada.post(next, { intent: "send-again", id });
		expect(again.headers.get("Location")).toBe(`${next}#delivery-${id}`);
		expect((await ada.post(ADDRESS, { intent: "send-again", id })).status).toBe(409);
		await runMinute();
		expect(told.map(({ body }) => body.id)).toEqual([id]);
		expect(
			(await ada.post(ADDRESS, { intent: "send-again", id: crypto.randomUUID() })).status,
		).toBe(404);
	});
});

it("follows no redirect, and doesn't wait for a receiver that says nothing or never ends", async () => {
	await insertWebhook(sql, { url: "https://moved.example.com/" });
	await insertWebhook(sql, { url: "https://silent.example.com/" });
	await insertWebhook(sql, { url: "https://endless.example.com/" });
	answer = async ({ url }) => {
		if (url.includes("moved"))
			return new Response(null, { status: 307, headers: { Location: "https://db.internal/" } });
		if (url.includes("silent")) await wait(11_000);
		// It answers, and then keeps sending.
		return new Response(
			new ReadableStream({
				async pull(controller) {
					await wait(50);
					controller.enqueue(new Uint8Array(1000));
				},
			}),
		);
	};
	await submit();
	const began = performance.now();
	await runMinute();
	expect(performance.now() - began).toBeLessThan(15_000);
	expect(told.map(({ url }) => new URL(url).hostname).sort()).toEqual([
		"endless.example.com",
		"moved.example.com",
		"silent.example.com",
	]);
	const found = await fleet.sql<{ url: string; status: string; last_error: string | null }>(
		"select url, status, last_error from webhook_deliveries join webhooks on webhooks.id = webhook_id order by url",
	);
	expect(found).toEqual([
		{ url: "https://endless.example.com/", status: "delivered", last_error: null },
		{
			url: "https://moved.example.com/",
			status: "queued",
			last_error: "It answered 307: redirects aren't followed.",
		},
		{
			url: "https://silent.example.com/",
			status: "queued",
			last_error: "It didn't answer within 10 seconds.",
		},
	]);
});

it(`tells a bad receiver of ${EVENTS} events: each at least once, of one row in order, none after it is given up`, async () => {
	const dice = diceOf(Number(process.env.TORTURE_SEED ?? 1), 35);
	const { secret } = await insertWebhook(sql);
	// A rule that changed since doesn't let an old URL through.
	await insertWebhook(sql, { url: "https://db.internal/" });
	const rows: string[] = [];
	for (let count = 0; count < EVENTS / 2; count++)
		rows.push(await insertRequest(sql, 5000 + count, "dana"));
	const entry = (action: string, row: string, at: number) =>
		sql(
			"insert into audit_events (at, actor_role, action, entity, entity_id) values (?, 'system', ?, 'fund-request', ?)",
			at,
			action,
			row,
		);
	const start = currentTime();
	for (const action of ["request.submit", "request.approve"])
		for (const row of dice.shuffle([...rows])) await entry(action, row, start);
	const taken: { id: string; row: string; type: string }[] = [];
	/** Rows that the receiver never takes anything of. */
	const hopeless = new Set(rows.slice(0, 3));
	answer = async ({ body }) => {
		const take = () => taken.push({ id: body.id, row: body.data.id, type: body.type });
		if (hopeless.has(body.data.id)) return new Response(null, { status: 500 });
		switch (dice.below(10)) {
			case 0:
				return new Response("busy", { status: 503 });
			case 1:
				return new Response(null, { status: 302, headers: { Location: "https://localhost/" } });
			case 2:
				// It has taken the event, and hangs up before it says so.
				take();
				throw new Error("hung up");
			case 3:
				await wait(30);
				take();
				return new Response("{}");
			default:
				take();
				return new Response(null, { status: 204 });
		}
	};
	const open = async () =>
		Number(
			(
				await fleet.sql<{ n: number }>(
					"select count(*) as n from webhook_deliveries where status in ('queued', 'sending')",
				)
			)[0]?.n,
		);
	let kills = 0;
	for (let after = 0; (await open()) > 0; after += 20 * MINUTE) {
		expect(after, "ends after two days for each of two events").toBeLessThan(5 * 86_400_000);
		const running = runMinute(after);
		if (kills < 2) {
			// The Worker ends in the middle; what was under way is repeated.
			kills += 1;
			await wait(150);
			const caught = running.catch(() => undefined);
			await fleet.killAndRestart();
			await caught;
			fleet.takeErrors();
		} else await running;
		// Nothing is due for hours at the end.
		const [{ next } = { next: null }] = await fleet.sql<{ next: number | null }>(
			"select min(send_after) as next from webhook_deliveries where status = 'queued'",
		);
		if (next !== null) after = Math.max(after, next - currentTime() - 19 * MINUTE);
	}
	const ends = await fleet.sql<{
		id: string;
		row_id: string;
		event: string;
		status: string;
		attempts: number;
		url: string;
	}>("select d.*, url from webhook_deliveries as d join webhooks on webhooks.id = webhook_id");
	const own = ends.filter(({ url }) => url === URL_OF_HOOK);
	expect(own).toHaveLength(rows.length * 2);
	const ids = new Set(taken.map(({ id }) => id));
	for (const { id, row_id, status, attempts } of own) {
		if (status === "delivered") expect(ids.has(id), id).toBe(true);
		else expect([status, attempts]).toEqual(["failed", 8]);
		if (hopeless.has(row_id)) expect(status).toBe("failed");
	}
	for (const row of rows) {
		const of = told.filter(({ body }) => body.data.id === row).map(({ body }) => body.type);
		const firstDecided = of.indexOf("request.decided");
		expect(of.slice(firstDecided), `the order of ${row}`).not.toContain("request.created");
	}
	for (const { id } of own)
		expect(told.filter(({ body }) => body.id === id).length, id).toBeLessThanOrEqual(8);
	expect(told.filter((each) => !hasSignature(each, secret))).toEqual([]);
	// Nothing went anywhere else.
	expect(new Set(told.map(({ url }) => url))).toEqual(new Set([URL_OF_HOOK]));
	const before = told.length;
	await runMinute(6 * 86_400_000 - MINUTE);
	expect(told.length).toBe(before);
	const delivered = own.filter(({ status }) => status === "delivered").length;
	console.log(
		`${own.length} events: ${delivered} delivered, ${own.length - delivered} given up, ${told.length} requests`,
	);
}, 3_600_000);
