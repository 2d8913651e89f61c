import { describe, expect, it } from "vitest";
import { enter, ORIGIN, openSignIn, production, providers } from "../oidc/sign-in-bench.ts";
import { currentTime, waitForFreshMinute } from "../support/clock.ts";
import { openFleet } from "../support/worker.ts";

const {
	company,
	large,
	plain,
	PROVIDERS,
	fleet,
	viaCompany,
	viaLarge,
	whoIs,
	invite,
	sessionOwner,
} = await openSignIn();
const single = await openFleet({
	...production,
	...providers(PROVIDERS.slice(0, 1)),
	signInLimit: { limit: 10, period: 60 },
});
const unconfigured = await openFleet(production);

describe("sign-in", () => {
	it("is a page of links with several providers, and has no Email field and no POST", async () => {
		const page = await fleet.client().get("/api/login?returnTo=%2Fmileage%3Fx%3D1");
		expect(page.status).toBe(200);
		for (const { id, name } of PROVIDERS) {
			expect(page.text).toContain(
				`href="/api/login?provider=${id}&amp;returnTo=%2Fmileage%3Fx%3D1"`,
			);
			expect(page.text).toContain(`Continue with ${name}`);
		}
		expect(page.text).not.toMatch(/name="email"|<form|local-sign-in/i);
		const post = await fleet.client().post("/api/login", { email: "admin@milepost.test" });
		expect(post.status).toBe(405);
		expect(post.headers.get("Allow")).toBe("GET, HEAD");
		expect(post.headers.getSetCookie()).toEqual([]);
	});

	it("goes straight to the only provider, with everything an attempt needs", async () => {
		const answer = await single.client().get("/api/login");
		expect(answer.status).toBe(302);
		const url = new URL(answer.headers.get("Location") ?? "");
		expect(url.origin).toBe(company.issuer);
		const query = Object.fromEntries(url.searchParams);
		expect(query).toMatchObject({
			response_type: "code",
			client_id: "milepost",
			redirect_uri: `${ORIGIN}/api/callback`,
			scope: "openid email profile",
			code_challenge_method: "S256",
			prompt: "select_account",
		});
		for (const name of ["state", "nonce", "code_challenge"])
			expect(query[name]).toMatch(/^[A-Za-z0-9_-]{43}$/);
		expect(url.href).not.toContain("s3cret");
	});

	it("can be finished in the newer of two tabs, also after the older one has failed", async () => {
		company.people.set("tabs", { email: "tabs@example.com", email_verified: true });
		const client = fleet.client();
		const backs: URL[] = [];
		for (const returnTo of ["/mileage", "/requests"]) {
			const query = new URLSearchParams({ provider: "company", returnTo });
			const started = await client.get(`/api/login?${query}`);
			backs.push(new URL(await company.pass(started.headers.get("Location") ?? "", "tabs")));
		}
		const [older, newer] = backs.map(({ pathname, search }) => pathname + search);
		expect((await client.get(older ?? "")).status).toBe(400);
		const answer = await client.get(newer ?? "");
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/requests"]);
		expect((await client.get("/api/auth/user")).status).toBe(200);
	});

	it("says clearly when no provider is configured", async () => {
		const answer = await unconfigured.client().get("/api/login", { mayFail: true });
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("No sign-in provider is set up");
		expect(answer.headers.getSetCookie()).toEqual([]);
	});

	it("allows ten sign-ins a minute from an IP address", async () => {
		const from = (address: string) =>
			single.client().get("/api/login", { headers: { "CF-Connecting-IP": address } });
		await waitForFreshMinute();
		for (let time = 1; time <= 10; time++) expect((await from("192.0.2.7")).status).toBe(302);
		const refused = await from("192.0.2.7");
		expect(refused.status).toBe(429);
		expect(refused.headers.get("Retry-After")).toBe("60");
		expect(refused.text).toContain("Too many sign-in attempts");
		expect(refused.headers.getSetCookie()).toEqual([]);
		expect((await from("192.0.2.8")).status).toBe(302);
	});

	it("counts every address of an IPv6 network as one", async () => {
		const from = (address: string) =>
			single.client().get("/api/login", { headers: { "CF-Connecting-IP": address } });
		await waitForFreshMinute();
		for (let time = 1; time <= 10; time++)
			expect((await from(`2001:db8:1:2::${time}`)).status).toBe(302);
		expect((await from("2001:db8:1:2:ffff::1")).status).toBe(429);
		expect((await from("2001:db8:1:3::1")).status).toBe(302);
	});

	it.each([
		["company", company, "select_account"],
		["plain", plain, "login"],
	])(
		"lets the next person on a shared phone say who they are (%s)",
		async (id, provider, prompt) => {
			const browser = { cookies: new Map<string, string>(), asked: [] as string[] };
			const signedIn = async (login: string) => {
				const client = fleet.client();
				const started = await client.get(`/api/login?provider=${id}`);
				const url = started.headers.get("Location") ?? "";
				expect(new URL(url).searchParams.get("prompt")).toBe(prompt);
				const back = new URL(await provider.pass(url, login, browser));
				expect((await client.get(back.pathname + back.search)).status).toBe(303);
				return (await sessionOwner(client))?.subject;
			};
			expect(await signedIn(`first-on-${id}`)).toBe(`first-on-${id}`);
			browser.asked.length = 0;
			expect(await signedIn(`second-on-${id}`)).toBe(`second-on-${id}`);
			expect(browser.asked[0]).toBe(prompt);
		},
	);

	it("redirects someone who is signed in already to the requested page", async () => {
		const client = fleet.client();
		await viaCompany(client, "already-in");
		const answer = await client.get("/api/login?provider=company&returnTo=%2Fmileage");
		expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/mileage"]);
	});
});

describe("a new person", () => {
	it("becomes a driver without access, whatever the provider says", async () => {
		company.people.set("newcomer", {
			email: "Newcomer@Example.com",
			email_verified: true,
			given_name: "Nell",
			family_name: "New",
		});
		const client = fleet.client();
		const answer = await viaCompany(client, "newcomer");
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
		expect(company.userinfoCalls).toBeGreaterThan(0);
		expect(await whoIs("newcomer", company.issuer)).toMatchObject({
			role: "driver",
			approval_status: "pending",
			first_name: "Nell",
			last_name: "New",
			email: "newcomer@example.com",
			unverified_email: null,
			driver_number: null,
			invited_at: null,
		});
		expect((await client.get("/")).text).not.toContain("Driver Portal");
		expect((await client.get("/api/mileage")).status).toBe(403);
		expect((await client.get("/api/drivers")).status).toBe(403);
		const id = (await whoIs("newcomer", company.issuer))?.id;
		const events = await fleet.sql(
			"select action, actor_id, actor_role from audit_events where entity_id = ?",
			id,
		);
		expect(events).toEqual([
			{ action: "driver.join", actor_id: null, actor_role: "visitor" },
			{ action: "session.start", actor_id: id, actor_role: "driver" },
		]);
	});

	it("may have no email and no name, and gets the profile gate", async () => {
		const client = fleet.client();
		await viaLarge(client, "nameless");
		expect((await client.get("/")).text).toContain("Complete Your Profile");
		expect(await whoIs("nameless", large.issuer)).toMatchObject({
			email: null,
			unverified_email: null,
			first_name: "",
			last_name: "",
		});
	});

	it("doesn't get a name with invisible characters from the provider", async () => {
		large.people.set("invisible", { given_name: "Izzy", family_name: "bad\u0000name" });
		await viaLarge(fleet.client(), "invisible");
		expect(await whoIs("invisible", large.issuer)).toMatchObject({
			first_name: "Izzy",
			last_name: "",
		});
	});

	it("reserves nothing with an unverified email", async () => {
		large.people.set("squatter", { email: "boss@example.com", email_verified: false });
		await viaLarge(fleet.client(), "squatter");
		expect(await whoIs("squatter", large.issuer)).toMatchObject({
			email: null,
			unverified_email: "boss@example.com",
		});
		large.people.set("boss", { email: "boss@example.com", email_verified: true });
		const client = fleet.client();
		expect((await viaLarge(client, "boss")).status).toBe(303);
		expect(await whoIs("boss", large.issuer)).toMatchObject({ email: "boss@example.com" });
	});
});

describe("an invitation", () => {
	it.each(["driver", "admin"] as const)(
		"is claimed by the first sign-in with its verified email: %s",
		async (role) => {
			for (const [provider, via] of [
				[company, viaCompany],
				[large, viaLarge],
			] as const) {
				const login = `invited-${role}-${provider === company ? "userinfo" : "token"}`;
				const id = await invite(`${login}@example.com`, role);
				provider.people.set(login, {
					email: `${login}@EXAMPLE.com`,
					email_verified: true,
					given_name: "Other",
					family_name: "Name",
				});
				const client = fleet.client();
				expect((await via(client, login)).status).toBe(303);
				const person = await whoIs(login, provider.issuer);
				expect(person).toMatchObject({ id, role, first_name: "Invited", last_name: "Person" });
				expect(person?.claimed_at).toBeGreaterThan(currentTime() - 60_000);
				expect((await client.get("/")).text).toContain(
					role === "admin" ? "Admin Portal" : "Driver Portal",
				);
				expect(await fleet.sql("select action from audit_events where entity_id = ?", id)).toEqual([
					{ action: "invitation.claim" },
					{ action: "session.start" },
				]);
			}
		},
	);

	const unproved: [string, unknown][] = [
		["unverified", false],
		["the string 'true'", "true"],
		["the number 1", 1],
		["absent", undefined],
	];
	it.each(unproved)("isn't claimed when email_verified is %s", async (kind, verified) => {
		for (const [provider, via] of [
			[company, viaCompany],
			[large, viaLarge],
		] as const) {
			const login = `unproved ${kind} ${provider === company ? "userinfo" : "token"}`;
			const email = `${login.replace(/\W+/g, "-")}@example.com`;
			const id = await invite(email, "admin");
			provider.people.set(login, {
				email,
				...(verified === undefined ? {} : { email_verified: verified }),
			});
			expect((await via(fleet.client(), login)).status).toBe(303);
			expect(await whoIs(login, provider.issuer)).toMatchObject({
				role: "driver",
				approval_status: "pending",
				email: null,
				unverified_email: email,
			});
			expect(await fleet.sql("select claimed_at from users where id = ?", id)).toEqual([
				{ claimed_at: null },
			]);
		}
	});

	it.each([true, "true", 1, "1"])(
		"is claimed when Microsoft Entra says %j in xms_edov, which it sends instead",
		async (xms_edov) => {
			const login = `entra-${typeof xms_edov}-${xms_edov}`;
			const email = `${login}@example.com`;
			const id = await invite(email, "admin");
			large.people.set(login, { email, xms_edov });
			expect((await viaLarge(fleet.client(), login)).status).toBe(303);
			expect(await whoIs(login, large.issuer)).toMatchObject({ id, role: "admin", email });
		},
	);

	it.each([
		[{ xms_edov: false }, "absent"],
		[{ xms_edov: "0" }, "absent"],
		[{ xms_edov: true, email_verified: false }, "there"],
	])("isn't claimed with %j", async (claims, isThere) => {
		const login = `entra-${JSON.stringify(claims).replace(/\W+/g, "-")}-${isThere}`;
		const email = `${login}@example.com`;
		await invite(email, "admin");
		large.people.set(login, { email, ...claims });
		await viaLarge(fleet.client(), login);
		expect(await whoIs(login, large.issuer)).toMatchObject({ role: "driver", email: null });
	});

	it("isn't claimed through a provider whose emails aren't trusted", async () => {
		const email = "doubtful@example.com";
		const id = await invite(email, "admin");
		large.people.set("doubtful", { email, email_verified: true });
		expect((await enter(fleet.client(), large, "doubtful", { provider: "doubtful" })).status).toBe(
			303,
		);
		expect(await whoIs("doubtful", large.issuer)).toMatchObject({
			role: "driver",
			approval_status: "pending",
			email: null,
			unverified_email: email,
		});
		expect(await fleet.sql("select claimed_at from users where id = ?", id)).toEqual([
			{ claimed_at: null },
		]);
	});

	it("is not claimed once it has expired: the account stays shut", async () => {
		const id = await invite("late@example.com", "admin", { expiresIn: -1000 });
		large.people.set("late", { email: "late@example.com", email_verified: true });
		const client = fleet.client();
		const answer = await viaLarge(client, "late");
		expect(answer.status).toBe(403);
		expect(answer.text).toContain("sign in with this account.");
		expect(client.cookies.has("sid")).toBe(false);
		expect(await whoIs("late", large.issuer)).toBeUndefined();
		expect(await fleet.sql("select claimed_at from users where id = ?", id)).toEqual([
			{ claimed_at: null },
		]);
	});

	it("isn't claimed once canceled, and its email can be used again", async () => {
		const id = await invite("cancelled@example.com", "admin", { isCancelled: true });
		large.people.set("cancelled", { email: "cancelled@example.com", email_verified: true });
		expect((await viaLarge(fleet.client(), "cancelled")).status).toBe(303);
		const person = await whoIs("cancelled", large.issuer);
		expect(person).toMatchObject({
			role: "driver",
			approval_status: "pending",
			email: "cancelled@example.com",
		});
		expect(person?.id).not.toBe(id);
	});

	it("is claimed once, by one of two simultaneous sign-ins", async () => {
		const id = await invite("shared@example.com", "driver");
		for (const login of ["first", "second"])
			company.people.set(`shared-${login}`, { email: "shared@example.com", email_verified: true });
		const answers = await Promise.all(
			["first", "second"].map((login) => viaCompany(fleet.client(), `shared-${login}`)),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
		expect(await fleet.sql("select count(*) as n from identities where user_id = ?", id)).toEqual([
			{ n: 1 },
		]);
		expect(await fleet.sql("select action from audit_events where entity_id = ?", id)).toEqual([
			{ action: "invitation.claim" },
			{ action: "session.start" },
		]);
	});
});

describe("a known person", () => {
	it("comes back to the same account, even if the email has changed", async () => {
		large.people.set("regular", {
			email: "regular@example.com",
			email_verified: true,
			given_name: "Reg",
			family_name: "Ular",
		});
		await viaLarge(fleet.client(), "regular");
		const before = await whoIs("regular", large.issuer);
		const invited = await invite("regular-new@example.com", "admin");
		large.people.set("regular", {
			email: "regular-new@example.com",
			email_verified: true,
			given_name: "Changed",
		});
		expect((await viaLarge(fleet.client(), "regular")).status).toBe(303);
		expect(await whoIs("regular", large.issuer)).toEqual(before);
		expect(await fleet.sql("select claimed_at from users where id = ?", invited)).toEqual([
			{ claimed_at: null },
		]);
	});

	it("has one account per issuer: the same login elsewhere is someone else", async () => {
		await viaLarge(fleet.client(), "twin");
		await viaCompany(fleet.client(), "twin");
		const [there, here] = [await whoIs("twin", large.issuer), await whoIs("twin", company.issuer)];
		expect(there?.id).toBeTruthy();
		expect(here?.id).toBeTruthy();
		expect(here?.id).not.toBe(there?.id);
	});

	it("is refused with a neutral message for a second identity with the same email", async () => {
		large.people.set("owner", { email: "owner@example.com", email_verified: true });
		await viaLarge(fleet.client(), "owner");
		company.people.set("impostor", { email: "owner@example.com", email_verified: true });
		const client = fleet.client();
		const answer = await viaCompany(client, "impostor");
		expect(answer.status).toBe(403);
		expect(answer.text).toContain(
			"You can&#x27;t sign in with this account. Contact your fleet administrator.",
		);
		expect(answer.text).not.toMatch(/owner@example\.com|already|exists|taken/i);
		expect(client.cookies.size).toBe(0);
		expect(await whoIs("impostor", company.issuer)).toBeUndefined();
	});

	it("gets the notice and no session when deactivated", async () => {
		await viaLarge(fleet.client(), "gone");
		await fleet.sql(
			"update users set is_active = 0 where id = ?",
			(await whoIs("gone", large.issuer))?.id,
		);
		const client = fleet.client();
		const answer = await viaLarge(client, "gone");
		expect(answer.status).toBe(403);
		expect(answer.text).toContain(
			"Your account has been deactivated. Contact your fleet administrator.",
		);
		expect(client.cookies.size).toBe(0);
		expect(
			await fleet.sql(
				"select count(*) as n from sessions where user_id = ?",
				(await whoIs("gone", large.issuer))?.id,
			),
		).toEqual([{ n: 1 }]);
	});

	it("returns to the requested page, and never to another site", async () => {
		const redirectAfterSignIn = async (returnTo: string) =>
			(await viaLarge(fleet.client(), "traveler", { returnTo })).headers.get("Location");
		expect(await redirectAfterSignIn("/mileage?x=1&y=%2F")).toBe("/mileage?x=1&y=%2F");
		expect(await redirectAfterSignIn("/drivers")).toBe("/drivers");
		for (const foreign of [
			"https://evil.example/",
			"//evil.example/",
			"/\\evil.example/",
			"/\t/evil.example/",
			"/api/logout",
			"/api/login?provider=large",
			"/mileage/../../api/logout",
			"javascript:alert(1)",
			"/no-such-page",
		])
			expect(await redirectAfterSignIn(foreign), foreign).toBe("/");
	});
});

it("the Worker writes no code, token or secret to the log", async () => {
	await viaLarge(fleet.client(), "logged");
	const log = [fleet, single].flatMap(({ lines }) => lines).join("\n");
	expect(log).toContain('"path":"/api/callback"');
	expect(log).not.toMatch(/code=|state=|eyJ|s3cret|@example\.com/);
});
