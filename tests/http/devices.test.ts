/** The signed-in devices at /account, and signing them out. */
import { beforeEach, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { formsIn } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
beforeEach(() => fleet.sql("delete from sessions"));
const PHONE =
	"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

/** Dana, signed in with this user agent. */
async function onDevice(agent: string): Promise<Client> {
	const client = fleet.client();
	const answer = await client.post(
		"/api/login",
		{ email: "dana@milepost.test" },
		{ headers: { "User-Agent": agent } },
	);
	expect(answer.status).toBe(303);
	return client;
}

const isSignedIn = async (client: Client) => (await client.get("/history")).status === 200;
const fieldsFor = (html: string, intent: string) =>
	formsIn(html).flatMap(({ fields }) => (fields.intent === intent ? [fields] : []));
const ended = () =>
	fleet.sql<{ action: string; after: string }>(
		"select action, after from audit_events where actor_id = ? and action like 'session.end-%' order by id",
		idOf("dana"),
	);

it("this device has a button too, which signs it out as the header's does", async () => {
	const phone = await onDevice(PHONE);
	const other = await onDevice(PHONE);
	const { text } = await phone.get("/account");
	const [form, ...others] = formsIn(text).filter(
		({ action, html }) => action === "/api/logout" && html.includes("this device"),
	);
	expect(others).toEqual([]);
	expect((await phone.post(form?.action ?? "", form?.fields ?? {})).status).toBe(303);
	expect([await isSignedIn(phone), await isSignedIn(other)]).toEqual([false, true]);
	await other.post("/api/logout", {});
});

it("the account lists each device, the others with a button of this page, in one trip", async () => {
	const phone = await onDevice(PHONE);
	const desk = await onDevice("curl/8.14.1");
	const page = await desk.get("/account");
	expect(page.headers.get("Server-Timing")).toContain("1 trip,");
	expect(page.text).toContain("Chrome on Android");
	expect(page.text).toContain("Unknown device");
	const [fields = {}, ...others] = fieldsFor(page.text, "sign-out");
	expect(others).toEqual([]);
	const answer = await desk.post("/account", fields);
	expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/account#devices"]);
	expect([await isSignedIn(phone), await isSignedIn(desk)]).toEqual([false, true]);
	expect(fieldsFor((await desk.get("/account")).text, "sign-out")).toEqual([]);
	expect((await ended()).at(-1)).toEqual({
		action: "session.end-device",
		after: '{"device":"Chrome on Android"}',
	});
	// A second time changes nothing and isn't recorded again.
	const before = await ended();
	expect((await desk.post("/account", fields)).status).toBe(303);
	expect(await ended()).toEqual(before);
});

it("can't sign out another person's device", async () => {
	const dana = await onDevice(PHONE);
	const other = await onDevice(PHONE);
	const [fields = {}] = fieldsFor((await dana.get("/account")).text, "sign-out");
	const omar = await fleet.as("omar");
	const before = await ended();
	const { asUser: _, ...bare } = fields;
	expect((await omar.post("/account", fields)).status).toBe(409);
	await omar.post("/account", bare);
	await omar.post("/account", { ...bare, session: "%" });
	expect([await isSignedIn(dana), await isSignedIn(other)]).toEqual([true, true]);
	expect(await ended()).toEqual(before);
});

it("the button signs out every device, this one too", async () => {
	const clients = [await onDevice(PHONE), await onDevice(PHONE), await onDevice("curl/8.14.1")];
	const omar = await fleet.as("omar");
	const [first] = clients;
	if (!first) throw new Error("no one is signed in");
	const [fields = {}] = fieldsFor((await first.get("/account")).text, "sign-out-everywhere");
	const answer = await first.post("/account", fields);
	expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
	expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
	for (const client of clients) expect(await isSignedIn(client)).toBe(false);
	expect(await isSignedIn(omar)).toBe(true);
	expect((await ended()).at(-1)?.action).toBe("session.end-own");
	const [open] = await fleet.sql(
		"select count(*) as count from sessions where user_id = ? and ended_at is null",
		idOf("dana"),
	);
	expect(open).toEqual({ count: 0 });
});

it("speaks of entries on a phone only to drivers", async () => {
	const words = "Entries waiting to be sent stay on their phone.";
	expect((await (await fleet.as("dana")).get("/account")).text).toContain(words);
	expect((await (await fleet.as("ada")).get("/account")).text).not.toContain(words);
});
