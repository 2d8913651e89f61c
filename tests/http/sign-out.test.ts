/** GET requests with side effects: signing out, and those that a browser prefetches. */
import { describe, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { idOf } from "../support/cast.ts";
import { formWith } from "../support/forms.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

describe("a visit to /api/logout", () => {
	const isSignedIn = async (client: Client) =>
		(await client.get("/")).text.includes("Driver Dashboard");

	it.each<[string, Record<string, string>]>([
		["another site", { "Sec-Fetch-Site": "cross-site" }],
		["another site of the same owner", { "Sec-Fetch-Site": "same-site" }],
		["an unknown source", {}],
		["another site in an old browser", { Referer: "https://evil.example/" }],
		["a site whose name starts like ours", { Referer: `${fleet.origin}.evil.example/` }],
		[
			"another site that claims to be ours",
			{ "Sec-Fetch-Site": "cross-site", Referer: `${fleet.origin}/` },
		],
	])("asks for confirmation of a visit from %s", async (_, headers) => {
		const client = await fleet.as("omar");
		const answer = await client.get("/api/logout", { headers });
		expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
		expect(answer.text).toContain("t signed out");
		expect(await isSignedIn(client)).toBe(true);
		expect(formWith(answer.text, "Sign Out").action).toBe("/api/logout");
	});

	it.each<[string, Record<string, string>]>([
		["according to the browser", { "Sec-Fetch-Site": "same-origin" }],
		["or from a typed URL", { "Sec-Fetch-Site": "none" }],
		["according to an old browser's referrer", { Referer: `${fleet.origin}/mileage` }],
	])("signs out on a visit from our own pages, %s", async (_, headers) => {
		const client = await fleet.as("omar");
		const answer = await client.get("/api/logout", { headers });
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
		// Cached pages are cleared, while entries in the outbox stay.
		expect(answer.headers.get("Clear-Site-Data")).toBe('"cache"');
		expect(await isSignedIn(client)).toBe(false);
	});

	it("signs no one out on HEAD, wherever it comes from", async () => {
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
		expect(await isSignedIn(client)).toBe(true);
	});
});

describe("a browser that prefetches", () => {
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
