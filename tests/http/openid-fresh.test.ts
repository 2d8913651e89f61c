/** Creating an administrator takes a sign-in at which the provider asked again who it is. */
import { expect, it } from "vitest";
import { ORIGIN, openSignIn, production, providers } from "../oidc/sign-in-bench.ts";
import { waitForFreshMinute } from "../support/clock.ts";
import { type Client, openFleet } from "../support/worker.ts";

const { company, large, PROVIDERS, fleet, viaCompany, viaLarge, invite } = await openSignIn();
const DIALOG = "/drivers?dialog=create-admin";
const create = (client: Client, email: string) =>
	client.call(
		"POST",
		"/api/admin/create",
		{ email, firstName: "New", lastName: "Boss" },
		{ headers: { Origin: ORIGIN } },
	);

it.each([
	["company", company, viaCompany],
	["large", large, viaLarge],
] as const)(
	"isn't one click at a provider that is signed in already (%s)",
	async (id, provider, via) => {
		const login = `chief-${id}`;
		const email = `${login}@milepost.test`;
		provider.people.set(login, { email, email_verified: true });
		await invite(email, "admin");
		const chief = fleet.client();
		expect((await via(chief, login)).status).toBe(303);
		const refused = await create(chief, `early-${id}@milepost.test`);
		expect([refused.status, JSON.parse(refused.text).message]).toEqual([
			403,
			expect.stringContaining("Sign in again to add an administrator"),
		]);
		const dialog = await chief.get(DIALOG);
		expect(dialog.text).toContain(
			'href="/api/login?fresh&amp;returnTo=%2Fdrivers%3Fdialog%3Dcreate-admin"',
		);
		const choice = await chief.get(`/api/login?fresh&returnTo=${encodeURIComponent(DIALOG)}`);
		expect(choice.text).toContain(`href="/api/login?provider=${id}&amp;fresh&amp;returnTo=`);

		const started = await chief.get(
			`/api/login?provider=${id}&fresh&returnTo=${encodeURIComponent(DIALOG)}`,
		);
		expect(started.status).toBe(302);
		const url = new URL(started.headers.get("Location") ?? "");
		expect(Object.fromEntries(url.searchParams)).toMatchObject({ max_age: "0", prompt: "login" });
		// Their browser is signed in at the provider, which asks all the same.
		const browser = { cookies: new Map<string, string>(), asked: [] as string[] };
		const back = new URL(await provider.pass(url.href, login, browser));
		expect(browser.asked).toContain("login");
		const returned = await chief.get(back.pathname + back.search);
		expect([returned.status, returned.headers.get("Location")]).toEqual([303, DIALOG]);
		expect((await create(chief, `late-${id}@milepost.test`)).status).toBe(201);
		// Long ago at the provider is long ago here, whenever the session began.
		await fleet.sql("update sessions set authenticated_at = authenticated_at - 900001");
		expect((await create(chief, `later-${id}@milepost.test`)).status).toBe(403);
	},
);

it("leaves an ordinary sign-in to the provider", async () => {
	const started = await fleet.client().get("/api/login?provider=company");
	const url = new URL(started.headers.get("Location") ?? "");
	expect(url.searchParams.has("max_age")).toBe(false);
});

it("isn't begun or counted by a picture, a frame or a script of another site", async () => {
	const single = await openFleet({
		...production,
		...providers(PROVIDERS.slice(0, 1)),
		signInLimit: { limit: 10, period: 60 },
	});
	const from = (path: string, dest: string) =>
		single
			.client()
			.get(path, { headers: { "CF-Connecting-IP": "192.0.2.9", "Sec-Fetch-Dest": dest } });
	await waitForFreshMinute();
	for (const dest of ["image", "iframe", "empty", "script", "style", "object"])
		for (const path of ["/api/login?provider=company", "/api/login"]) {
			const refused = await from(path, dest);
			expect(refused.status).toBe(403);
			expect(refused.headers.getSetCookie()).toEqual([]);
		}
	for (let time = 1; time <= 10; time++)
		expect((await from("/api/login?provider=company", "document")).status).toBe(302);
	expect((await from("/api/login?provider=company", "document")).status).toBe(429);
});
