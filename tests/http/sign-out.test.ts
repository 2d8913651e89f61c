/**
 * Visits that do something: signing out by one, and those that a browser makes before anybody has
 * asked for them.
 */
import { describe, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { idOf } from "../support/cast.ts";
import { formWith } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

describe("a visit to /api/logout", () => {
	const isIn = async (client: Client) => (await client.get("/")).text.includes("Driver Dashboard");

	it.each<[string, Record<string, string>]>([
		["another site", { "Sec-Fetch-Site": "cross-site" }],
		["another site of the same owner", { "Sec-Fetch-Site": "same-site" }],
		["nowhere that is shown", {}],
		["another site, by an old browser", { Referer: "https://evil.example/" }],
		["a site whose name begins as ours", { Referer: `${fleet.origin}.evil.example/` }],
		[
			"another site that says it is ours",
			{ "Sec-Fetch-Site": "cross-site", Referer: `${fleet.origin}/` },
		],
	])("asks before signing out a visitor from %s", async (_, headers) => {
		const client = await fleet.as("omar");
		const answer = await client.get("/api/logout", { headers });
		expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
		expect(answer.text).toContain("re still signed in");
		expect(await isIn(client)).toBe(true);
		expect(formWith(answer.text, "Sign Out").action).toBe("/api/logout");
	});

	it.each<[string, Record<string, string>]>([
		["as the browser says", { "Sec-Fetch-Site": "same-origin" }],
		["or by typing the URL", { "Sec-Fetch-Site": "none" }],
		["as an old browser's referrer says", { Referer: `${fleet.origin}/mileage` }],
	])("signs out by a visit from our own pages, %s", async (_, headers) => {
		const client = await fleet.as("omar");
		const answer = await client.get("/api/logout", { headers });
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
		// What the browser kept of the pages goes; what waits in the outbox stays.
		expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
		expect(await isIn(client)).toBe(false);
	});

	it("signs nobody out by HEAD, wherever it comes from", async () => {
		const client = await fleet.as("omar");
		const ours: Record<string, string>[] = [
			{ "Sec-Fetch-Site": "same-origin" },
			{ Referer: `${fleet.origin}/` },
			{},
		];
		for (const headers of ours) {
			const answer = await client.request("/api/logout", { method: "HEAD", headers });
			expect([answer.status, answer.text, answer.headers.getSetCookie()]).toEqual([200, "", []]);
		}
		expect(await isIn(client)).toBe(true);
	});
});

describe("a browser that fetches ahead", () => {
	const AHEAD: readonly Record<string, string>[] = [
		{ "Sec-Purpose": "prefetch" },
		{ "Sec-Purpose": "prefetch;prerender" },
		{ Purpose: "prefetch" },
		{ "X-Moz": "prefetch" },
	];
	const deeds = ROUTES.filter(({ noPrefetch }) => noPrefetch).map(({ path }) => path);
	it("is refused on every URL with a side effect or an audit entry", () => {
		expect(deeds).toEqual(
			expect.arrayContaining(["/api/logout", "/api/login", "/api/callback", "/api/receipts/:id"]),
		);
		for (const { path, isFile } of ROUTES)
			if (isFile && /export|reports/.test(path)) expect(deeds, path).toContain(path);
	});

	it.each(deeds)("%s refuses it", async (path) => {
		const rows = () =>
			fleet.sql(
				"select count(*) as n from audit_events union all select count(*) from sessions where ended_at is null",
			);
		const clients = [await fleet.as("ada"), await fleet.as("dana")];
		const before = await rows();
		for (const ahead of AHEAD)
			for (const client of clients) {
				const answer = await client.get(path.replace(":id", idOf("dana")), {
					headers: { "Sec-Fetch-Site": "same-origin", ...ahead },
				});
				expect([answer.status, answer.headers.getSetCookie()], JSON.stringify(ahead)).toEqual([
					403,
					[],
				]);
				expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
			}
		expect(await rows()).toEqual(before);
		for (const client of clients)
			expect((await client.get("/", { headers: { "Sec-Purpose": "prefetch" } })).status).toBe(200);
	});
});
