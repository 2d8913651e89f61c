/**
 * The sessions that sign-ins at a real OpenID provider begin: their cookies, how long they last,
 * and many at once (docs/security.md, 'Sessions').
 */
import { afterAll, describe, expect, it } from "vitest";
import { CLIENTS, openRealProvider } from "../oidc/real-provider.ts";
import {
	DAY,
	HOUR,
	isSignedIn,
	openSignIn,
	production,
	providers,
	type Session,
	tokenHashOf,
} from "../oidc/sign-in-bench.ts";
import { currentTime } from "../support/clock.ts";
import { type Client, openFleet } from "../support/worker.ts";

const { company, large, PROVIDERS, fleet, viaLarge, whoIs, invite, sessionOf } = await openSignIn();
const HTTPS_ORIGIN = "https://fleet.example";
const secure = await openRealProvider({
	callback: `${HTTPS_ORIGIN}/api/callback`,
	claimsInToken: true,
});
const behindTls = await openFleet({
	...production,
	origin: HTTPS_ORIGIN,
	...providers([
		{ id: "secure", name: "Secure", issuer: secure.issuer, ...CLIENTS.public, trustsEmail: true },
	]),
});

afterAll(() => secure.close());
/**
 * A Worker that hasn't signed anyone in yet, so it knows neither the discovery document nor the
 * keys.
 */
const freshWorker = await openFleet({ ...production, ...providers(PROVIDERS.slice(0, 1)) });

describe("the session", () => {
	it("is a cookie hidden from scripts and other sites, and a hash in the database", async () => {
		const client = fleet.client();
		const [line = ""] = (await viaLarge(client, "cookie")).headers
			.getSetCookie()
			.filter((each) => each.startsWith("sid="));
		expect(line).toMatch(
			/^sid=[A-Za-z0-9_-]{43}\.d; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
		);
		const token = (client.cookies.get("sid") ?? "").slice(0, 43);
		expect(await sessionOf(tokenHashOf(client))).toBeDefined();
		const everything =
			JSON.stringify(await fleet.sql("select * from sessions")) +
			JSON.stringify(await fleet.sql("select * from audit_events"));
		expect(everything).not.toContain(token);
		expect(fleet.lines.join("\n")).not.toContain(token);
	});

	it("is prefixed and secure behind TLS, and so is the attempt", async () => {
		const client = behindTls.client();
		const started = await client.get("/api/login");
		expect(started.headers.getSetCookie()).toEqual([
			expect.stringMatching(
				/^__Host-login=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
			),
		]);
		const back = new URL(await secure.pass(started.headers.get("Location") ?? "", "careful"));
		const answer = await client.get(back.pathname + back.search);
		expect(answer.status).toBe(303);
		expect(answer.headers.getSetCookie()).toEqual([
			expect.stringMatching(/^__Host-login=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
			expect.stringMatching(
				/^__Host-sid=[A-Za-z0-9_-]{43}\.d; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
			),
		]);
		expect(await isSignedIn(client)).toBe(true);
		// Without its prefix the same token is refused, since a subdomain or an HTTP page could have
		// set it.
		const bare = behindTls.client();
		bare.cookies.set("sid", client.cookies.get("__Host-sid") ?? "");
		expect(await isSignedIn(bare)).toBe(false);
	});

	it("is a new one at every sign-in, and the old one is dead", async () => {
		const client = fleet.client();
		await viaLarge(client, "rotated");
		const old = client.cookies.get("sid") ?? "";
		const oldHash = tokenHashOf(client);
		// A signed-in person isn't sent to the provider, so the second attempt starts without the
		// cookie and ends with it.
		client.cookies.delete("sid");
		const started = await client.get("/api/login?provider=large");
		client.cookies.set("sid", old);
		const back = new URL(await large.pass(started.headers.get("Location") ?? "", "rotated"));
		expect((await client.get(back.pathname + back.search)).status).toBe(303);
		expect(client.cookies.get("sid")).not.toBe(old);
		expect(await isSignedIn(client)).toBe(true);
		const replay = fleet.client();
		replay.cookies.set("sid", old);
		expect(await isSignedIn(replay)).toBe(false);
		expect((await sessionOf(oldHash))?.ended_reason).toBe("rotated");
	});

	it("is one of at most ten: the oldest ends", async () => {
		const clients: Client[] = [];
		for (let count = 0; count < 12; count++) {
			const client = fleet.client();
			await viaLarge(client, "collector");
			clients.push(client);
		}
		const answers = await Promise.all(clients.map(isSignedIn));
		expect(answers).toEqual([false, false, ...Array(10).fill(true)]);
		expect((await sessionOf(tokenHashOf(clients[0] as Client)))?.ended_reason).toBe("too-many");
	});

	const limits = [
		["driver", 14 * DAY, 30 * DAY],
		["admin", 8 * HOUR, 24 * HOUR],
	] as const;
	it.each(limits)(
		"of a %s ends when idle, and at its absolute limit",
		async (role, idle, absolute) => {
			const login = `limits-${role}`;
			await invite(`${login}@example.com`, role);
			large.people.set(login, { email: `${login}@example.com`, email_verified: true });
			const client = fleet.client();
			const [cookie = ""] = (await viaLarge(client, login)).headers
				.getSetCookie()
				.filter((each) => each.startsWith("sid="));
			expect(cookie).toContain(`Max-Age=${absolute / 1000};`);
			const hash = tokenHashOf(client);
			const fresh = (await sessionOf(hash)) as Session;
			expect([fresh.expires_at - fresh.created_at, fresh.ends_at - fresh.created_at]).toEqual([
				idle,
				absolute,
			]);
			/** Ages the session as if it had begun `began` ago and was last seen `unseen` ago. */
			const age = (began: number, unseen: number) => {
				const now = currentTime();
				return fleet.sql(
					"update sessions set created_at = ?1, last_seen_at = ?2, expires_at = min(?2 + ?3, ?1 + ?4), ends_at = ?1 + ?4 where token_hash = ?5",
					...[now - began, now - unseen, idle, absolute, hash],
				);
			};
			const almost = 30_000;
			await age(idle + HOUR, idle - almost);
			expect(await isSignedIn(client)).toBe(true);
			// Being seen restarts the idle time.
			await expect
				.poll(async () => currentTime() - ((await sessionOf(hash))?.last_seen_at ?? 0))
				.toBeLessThan(almost);
			expect((await sessionOf(hash))?.expires_at).toBeGreaterThan(currentTime() + idle - almost);
			await age(idle + HOUR, idle + 1);
			expect(await isSignedIn(client)).toBe(false);
			await age(absolute - almost, 2 * HOUR);
			expect(await isSignedIn(client)).toBe(true);
			// The absolute limit doesn't move, however often the session is seen.
			await expect
				.poll(async () => currentTime() - ((await sessionOf(hash))?.last_seen_at ?? 0))
				.toBeLessThan(almost);
			expect((await sessionOf(hash))?.expires_at).toBe((await sessionOf(hash))?.ends_at);
			await age(absolute + 1, 1);
			expect(await isSignedIn(client)).toBe(false);
		},
	);

	it("ends with the very next request when the account is deactivated, and on signing out", async () => {
		const [kept, out] = [fleet.client(), fleet.client()];
		await viaLarge(kept, "leaver");
		await viaLarge(out, "leaver");
		const sid = out.cookies.get("sid") ?? "";
		expect((await out.post("/api/logout", {})).status).toBe(303);
		out.cookies.set("sid", sid);
		expect(await isSignedIn(out)).toBe(false);
		expect(await isSignedIn(kept)).toBe(true);
		await fleet.sql(
			"update users set is_active = 0 where id = ?",
			(await whoIs("leaver", large.issuer))?.id,
		);
		expect(await isSignedIn(kept)).toBe(false);
	});
});

describe("many at once", () => {
	it("all sign in as themselves, with one key set fetched by the first", async () => {
		const logins = Array.from({ length: 24 }, (_, position) => `crowd-${position}`);
		for (const login of logins)
			company.people.set(login, { email: `${login}@example.com`, email_verified: true });
		const backs = await Promise.all(
			logins.map(async (login) => {
				const client = freshWorker.client();
				const started = await client.get("/api/login");
				expect(started.status).toBe(302);
				return {
					client,
					back: new URL(await company.pass(started.headers.get("Location") ?? "", login)),
				};
			}),
		);
		const answers = await Promise.all(
			backs.map(({ client, back }) => client.get(back.pathname + back.search)),
		);
		expect(answers.map(({ status }) => status)).toEqual(logins.map(() => 303));
		const owners = await freshWorker.sql<{ token_hash: string; email: string }>(
			"select token_hash, email from sessions join users on id = user_id",
		);
		const emailOf = new Map(owners.map(({ token_hash, email }) => [token_hash, email]));
		expect(backs.map(({ client }) => emailOf.get(tokenHashOf(client)))).toEqual(
			logins.map((login) => `${login}@example.com`),
		);
		expect(
			freshWorker.lines.filter((line) => /different request|hang|level":"(warn|error)/.test(line)),
		).toEqual([]);
	});
});

it("writes no code, token or secret to the log", async () => {
	await viaLarge(fleet.client(), "logged");
	const log = [fleet, freshWorker, behindTls].flatMap(({ lines }) => lines).join("\n");
	expect(log).toContain('"path":"/api/callback"');
	expect(log).not.toMatch(/code=|state=|eyJ|s3cret|@example\.com/);
});
