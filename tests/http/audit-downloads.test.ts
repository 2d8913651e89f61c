/**
 * Downloads, sign-ins and sign-outs in the audit. A download's entry is written before its first
 * byte is sent; if it can't be written, nothing is sent.
 */

import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { fill, idIn, JPEG, readStoredRequest, send } from "../support/request-form.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
type Event = {
	action: string;
	actor_id: string;
	actor_role: string;
	entity_id: string;
	after: string | null;
};
const events = (action: string) =>
	fleet.sql<Event>(
		"select action, actor_id, actor_role, entity_id, after from audit_events where action = ? order by id",
		action,
	);
const dana = await fleet.as("dana");
const ada = await fleet.as("ada");
// A person can have at most ten sessions, so each signs in only once.
const signedIn = { dana, ada };
const requestId = idIn(await send(dana, await fill(dana), JPEG));
const { receipt_id: receiptId } = await readStoredRequest(fleet, requestId);
const report = { type: "expense", format: "csv", startDate: "2026-01-01", endDate: "2026-01-31" };
const logFields = {
	driverId: idOf("dana"),
	year: String(Number(daysAgo(0).slice(0, 4)) - 1),
	format: "excel",
};

const DOWNLOADS: readonly [
	string,
	"ada" | "dana",
	string,
	(client: Client, more?: { mayFail: boolean }) => ReturnType<Client["get"]>,
][] = [
	[
		"request.export",
		"ada",
		"Ada Admin exported fund requests as",
		(client, more) => client.get("/fund-requests/export.csv?status=pending", more),
	],
	[
		"mileage.export",
		"ada",
		"Ada Admin exported the mileage report as",
		(client, more) => client.get("/mileage-reports/export.csv", more),
	],
	[
		"history.export",
		"dana",
		"Dana Driver exported their history as",
		(client, more) => client.get("/history/export.csv", more),
	],
	[
		"mileage-log.download",
		"dana",
		"Dana Driver downloaded the mileage log",
		(client, more) => client.get("/history/tax-year?year=2026&format=xlsx", more),
	],
	[
		"year-summary.download",
		"dana",
		"Dana Driver downloaded the year summary",
		(client, more) => client.get("/history/year-summary?year=2026&format=csv", more),
	],
	[
		"report.download",
		"ada",
		"Ada Admin downloaded the report",
		(client, more) => client.post("/reports/generate", { ...report, range: "custom" }, more),
	],
	[
		"report.download",
		"ada",
		"Ada Admin downloaded the report",
		(client, more) => client.call("POST", "/api/reports/generate", report, more),
	],
	[
		"mileage-log.download",
		"ada",
		"Ada Admin downloaded the mileage log",
		(client, more) => client.post("/reports/mileage-log", logFields, more),
	],
];
const AHEAD = [
	{ "Sec-Purpose": "prefetch" },
	{ "Sec-Purpose": "prefetch;prerender" },
	{ Purpose: "prefetch" },
] as const;

describe("a download", () => {
	it.each(DOWNLOADS)(
		"(%s by %s) adds one entry, worded '%s'",
		async (action, name, words, download) => {
			const before = (await events(action)).length;
			const answer = await download(signedIn[name]);
			expect(answer.status).toBe(200);
			const fileName = /filename="([^"]+)"/.exec(
				answer.headers.get("Content-Disposition") ?? "",
			)?.[1];
			const written = (await events(action)).slice(before);
			expect(written).toEqual([
				expect.objectContaining({
					actor_id: idOf(name),
					actor_role: name === "ada" ? "admin" : "driver",
					entity_id: fileName,
				}),
			]);
			const page = (await ada.get(`/audit?kind=${action}`)).text.replace(/<[^>]+>/g, "");
			expect(page).toContain(`${words} ${fileName}`);
		},
	);

	it("records what was chosen", async () => {
		await ada.get("/fund-requests/export.csv?status=pending");
		await ada.call("POST", "/api/reports/generate", report);
		const [first] = await events("request.export");
		expect(JSON.parse(first?.after ?? "")).toMatchObject({ status: "pending" });
		const [made] = await events("report.download");
		expect(JSON.parse(made?.after ?? "")).toEqual({
			type: "expense",
			format: "csv",
			from: "2026-01-01",
			to: "2026-01-31",
		});
	});

	it("costs one round trip more than its page", async () => {
		const answer = await ada.get("/fund-requests/export.csv");
		expect(answer.headers.get("Server-Timing")).toContain("2 trips");
	});

	it("isn't recorded for HEAD or a browser's prefetch", async () => {
		const count = () =>
			fleet.sql(
				"select count(*) as n from audit_events where entity = 'file' or action = 'receipt.view'",
			);
		const before = await count();
		for (const [client, path] of [
			[ada, "/fund-requests/export.csv"],
			[ada, "/mileage-reports/export.csv"],
			[dana, "/history/export.csv"],
			[dana, "/history/tax-year?year=2026&format=pdf"],
			[dana, "/history/year-summary?year=2026&format=pdf"],
			[ada, `/api/receipts/${receiptId}`],
		] as const) {
			expect((await client.request(path, { method: "HEAD" })).status, path).toBe(200);
			for (const headers of AHEAD)
				expect((await client.get(path, { headers })).status, path).toBe(403);
		}
		expect(await count()).toEqual(before);
	});

	it("isn't recorded when the person isn't allowed to have it", async () => {
		const before = await fleet.sql("select count(*) as n from audit_events where entity = 'file'");
		for (const [, name, , download] of DOWNLOADS) {
			const other = signedIn[name === "ada" ? "dana" : "ada"];
			const lines = (await download(other)).status;
			expect([403, 404]).toContain(lines);
			expect((await download(fleet.client())).status).toBe(401);
		}
		expect(await fleet.sql("select count(*) as n from audit_events where entity = 'file'")).toEqual(
			before,
		);
	});
});

describe("when the audit can't be written", () => {
	const withoutAudit = async <T>(action: string, act: () => Promise<T>): Promise<T> => {
		await fleet.sql(
			`create trigger audit_is_full before insert on audit_events when new.action = '${action}' begin select raise(abort, 'disk full'); end`,
		);
		try {
			return await act();
		} finally {
			await fleet.sql("drop trigger audit_is_full");
		}
	};

	it.each([...DOWNLOADS])(
		"%s by %s answers 503 without any of its data",
		async (action, name, _, download) => {
			const answer = await withoutAudit(action, () => download(signedIn[name], { mayFail: true }));
			expect(answer.status).toBe(503);
			expect(answer.headers.get("Content-Disposition")).toBeNull();
			fleet.takeErrors();
		},
	);

	it("an administrator is shown no receipt, and its owner is", async () => {
		const path = `/api/receipts/${receiptId}`;
		const [shown, own] = await withoutAudit("receipt.view", async () => [
			await ada.get(path, { mayFail: true }),
			await dana.get(path),
		]);
		expect(shown.status).toBe(503);
		expect(shown.headers.get("Retry-After")).toBe("10");
		expect(shown.headers.get("Content-Type")).toContain("application/json");
		expect(own.status).toBe(200);
		expect(fleet.takeErrors().length).toBeGreaterThan(0);
		expect(await events("receipt.view")).toEqual([]);
		expect((await ada.get(path)).status).toBe(200);
		expect(await events("receipt.view")).toEqual([
			expect.objectContaining({ actor_id: idOf("ada"), entity_id: receiptId }),
		]);
	});
});

describe("signing in and out", () => {
	it("is one entry each, by the person who did it", async () => {
		const count = async (action: string) =>
			(await events(action)).filter(({ actor_id }) => actor_id === idOf("omar")).length;
		const [ins, outs] = [await count("session.start"), await count("session.end")];
		const omar = await fleet.as("omar");
		expect(await count("session.start")).toBe(ins + 1);
		for (const headers of AHEAD)
			expect((await omar.get("/api/logout", { headers })).status).toBe(403);
		expect((await omar.get("/")).text).toContain("Sign Out");
		expect((await omar.post("/api/logout", {})).status).toBe(303);
		expect(await count("session.end")).toBe(outs + 1);
		// No one is signed in any more, so there is nothing to record.
		await omar.post("/api/logout", {});
		expect(await count("session.end")).toBe(outs + 1);
		const page = (await ada.get(`/audit?person=${idOf("omar")}`)).text.replace(/<[^>]+>/g, "");
		expect(page).toContain("Omar Okafor (DRV-0002) signed in");
		expect(page).toContain("Omar Okafor (DRV-0002) signed out");
	});

	it("isn't recorded for a deactivated account", async () => {
		const client = fleet.client();
		expect((await client.post("/api/login", { email: "ivan@milepost.test" })).status).toBe(403);
		expect(
			(await events("session.start")).filter(({ actor_id }) => actor_id === idOf("ivan")),
		).toEqual([]);
	});
});
