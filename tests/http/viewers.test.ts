/** An accountant, who reads everything and changes nothing: from the invitation to the end. */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import type { Sql } from "../support/rows.ts";
import { insertToken } from "../support/tokens.ts";
import { type Answer, type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql: Sql = (query, ...values) => fleet.sql(query, ...values);
const VERA = {
	email: "vera@milepost.test",
	firstName: "Vera",
	lastName: "Viewer",
	role: "viewer",
} as const;
const bodyOf = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>;

let made = 0;
/** A new accountant, who has accepted the invitation. */
async function accountant(): Promise<{ vera: Client; id: string; email: string }> {
	const ada = await fleet.as("ada");
	const email = `vera${++made}@milepost.test`;
	const answer = await ada.call("POST", "/api/admin/create", { ...VERA, email });
	expect(answer.status).toBe(201);
	const vera = await fleet.client().signIn(email);
	return { vera, id: String(bodyOf(answer).id), email };
}

describe("an accountant", () => {
	it("is invited for 72 hours, accepts it, and the other administrators are told", async () => {
		const ada = await fleet.as("ada");
		const made = await ada.call("POST", "/api/admin/create", VERA);
		expect(made.status).toBe(201);
		const { id, ...shown } = bodyOf(made);
		expect(shown).toMatchObject({
			role: "viewer",
			email: VERA.email,
			driverId: null,
			approvalStatus: "approved",
			isActive: true,
		});
		const [row] = await fleet.sql<{ left: number }>(
			"select invite_expires_at - invited_at as left from users where id = ?",
			String(id),
		);
		expect(row?.left).toBe(72 * 3_600_000);
		const mails = await fleet.sql<{ kind: string; address: string; body: string }>(
			"select kind, address, body from mails where about_id = ? order by kind",
			String(id),
		);
		expect(mails.map(({ kind, address }) => [kind, address])).toEqual([
			["invitation", VERA.email],
			["new-admin", "admin@milepost.test"],
			["new-admin", "ben@milepost.test"],
		]);
		for (const { body } of mails)
			expect(body).toContain("as an accountant, who can see everything and change nothing");
		const vera = await fleet.client().signIn(VERA.email);
		expect(bodyOf(await vera.call("GET", "/api/auth/user"))).toMatchObject({ id, role: "viewer" });
		expect((await vera.get("/")).text).toContain("Fleet Overview");
		const told = await fleet.sql<{ action: string; actor_role: string }>(
			"select action, actor_role from audit_events where entity_id = ? and entity = 'user' order by id",
			String(id),
		);
		expect(told).toEqual([
			{ action: "viewer.create", actor_role: "admin" },
			{ action: "invitation.claim", actor_role: "visitor" },
			{ action: "session.start", actor_role: "viewer" },
		]);
		// A desk's session is short, whoever sits there.
		const [session] = await fleet.sql<{ lasts: number }>(
			"select ends_at - created_at as lasts from sessions where user_id = ?",
			String(id),
		);
		expect(session?.lasts).toBe(24 * 3_600_000);
	});

	it("reads and downloads what administrators do, which the audit keeps", async () => {
		const { vera, id } = await accountant();
		const ada = await fleet.as("ada");
		for (const path of [
			"/api/mileage",
			"/api/fund-requests",
			"/api/uber-fees",
			"/api/payouts",
			"/api/drivers",
			"/api/drivers/all",
			"/api/drivers/pending",
			"/api/analytics/weekly-summary",
		])
			expect((await vera.call("GET", path)).text, path).toBe((await ada.call("GET", path)).text);
		const files = [
			await vera.get("/fund-requests/export.csv"),
			await vera.get("/mileage-reports/export.csv"),
			await vera.get("/payouts/export.csv"),
			await vera.post("/reports/generate", { type: "driver", format: "csv", range: "last_month" }),
		];
		for (const { status, headers } of files)
			expect([status, headers.get("Content-Disposition")]).toEqual([
				200,
				expect.stringContaining("attachment"),
			]);
		expect(
			await sql("select action from audit_events where actor_id = ? and entity = 'file'", id),
		).toHaveLength(files.length);
	});

	it("changes nothing, and gets nobody's personal data, settings or emails", async () => {
		const { vera } = await accountant();
		const about = ["/email", "/outbox", "/settings", "/settings/tokens"];
		for (const path of [...about, `/drivers/${idOf("dana")}/data.zip`]) {
			const answer = await vera.get(path, { mayFail: true });
			expect([answer.status, path]).toEqual([403, path]);
			expect(answer.text).toContain("Access Denied");
		}
		const posted = await vera.post("/drivers", { intent: "deactivate", id: idOf("dana") });
		expect(posted.status).toBe(403);
		expect((await vera.call("PUT", `/api/drivers/${idOf("dana")}/toggle`)).status).toBe(403);
		expect(await sql("select 1 from users where is_active = 0 and id = ?", idOf("dana"))).toEqual(
			[],
		);
	});

	it("may sign devices out, and has no reminders to choose", async () => {
		const { vera, email } = await accountant();
		const page = await vera.get("/account");
		expect(page.text).toContain("Accountant");
		expect(page.text).not.toContain('id="emails"');
		expect((await vera.post("/account", { weeklyDigest: "on" })).status).toBe(303);
		expect(
			await sql("select 1 from users where email = ? and weekly_digest is not null", email),
		).toEqual([]);
	});

	it("gets none of the emails about administrators' work", async () => {
		const { vera, id } = await accountant();
		expect((await vera.get("/")).status).toBe(200);
		const dana = await fleet.as("dana");
		await dana.call("POST", "/api/fund-requests", {
			type: "gas",
			amount: "45.50",
			description: "Fuel",
		});
		await (await fleet.as("ada")).call("POST", "/api/admin/create", {
			...VERA,
			email: "another@milepost.test",
			role: "admin",
		});
		expect(
			await sql("select kind from mails where recipient_id = ? and kind <> 'invitation'", id),
		).toEqual([]);
	});

	it("is deactivated like an administrator: at once, with the reason, and can be activated", async () => {
		const { vera, id, email } = await accountant();
		const ada = await fleet.as("ada");
		const toggle = () => ada.call("PUT", `/api/drivers/${id}/toggle`);
		expect(bodyOf(await toggle())).toMatchObject({ role: "viewer", isActive: false });
		expect((await vera.get("/fund-requests", { mayFail: true })).status).toBe(401);
		expect((await vera.get("/")).text).toContain("Your account has been deactivated.");
		expect(bodyOf(await toggle())).toMatchObject({ role: "viewer", isActive: true });
		const again = await fleet.client().signIn(email);
		expect((await again.get("/fund-requests")).status).toBe(200);
	});

	it("has no token, nor one from before", async () => {
		const { id } = await accountant();
		const headers = { Authorization: `Bearer ${await insertToken(sql, id, "read")}` };
		expect((await fleet.client().call("GET", "/api/drivers", undefined, { headers })).status).toBe(
			401,
		);
	});

	it("can't be made from an unattended screen", async () => {
		const ben = await fleet.as("ben");
		await sql(
			"update sessions set created_at = created_at - 900001 where user_id = ?",
			idOf("ben"),
		);
		const call = await ben.call("POST", "/api/admin/create", {
			...VERA,
			email: "late@milepost.test",
		});
		expect([call.status, bodyOf(call).message]).toEqual([
			403,
			"Sign in again to add an accountant. It has been more than 15 minutes since you signed in.",
		]);
	});

	it("isn't in the list of drivers that have changed", async () => {
		const { id } = await accountant();
		const ada = await fleet.as("ada");
		const changed = await ada.call("GET", "/api/drivers/all?updatedSince=2000-01-01T00:00:00Z");
		expect(changed.status).toBe(200);
		expect(changed.text).not.toContain(id);
	});
});
