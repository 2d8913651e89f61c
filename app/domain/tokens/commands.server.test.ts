/** Making, revoking and losing tokens, and the email before one expires. */
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../../tests/support/cast.ts";
import { openDatabase, signIn } from "../../../tests/support/database.ts";
import { insertToken } from "../../../tests/support/tokens.ts";
import { Database } from "../../db/client.server.ts";
import { changeRole } from "../people/commands/change-role.server.ts";
import { setDriverActive } from "../people/commands/set-active.server.ts";
import { dailyReminders } from "../reminders/daily.server.ts";
import { makeToken } from "./commands/make.server.ts";
import { revokeToken } from "./commands/revoke.server.ts";
import { hashOfToken } from "./hash.server.ts";
import { isToken, MAX_LIVE } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const DAY = 86_400_000;
const bench = await openDatabase("everyone", NOW);
await signIn(bench, "ada", NOW - 60_000);
const PAYROLL = { name: "Payroll", scope: "read", days: 90, key: undefined } as const;
const stored = () => bench.rows("select * from api_tokens order by created_at");
const told = (action: string) =>
	bench.rows<{ actor_id: string; after: string | null; before: string | null }>(
		"select actor_id, before, after from audit_events where action = ?",
		action,
	);

describe("a new token", () => {
	it("is stored as its hash, and audited without it", async () => {
		const outcome = await makeToken(await bench.admin("ada"), PAYROLL);
		if (!outcome.ok) throw new Error(outcome.reason);
		const { id, text } = outcome.value;
		expect(isToken(text)).toBe(true);
		expect(await stored()).toEqual([
			expect.objectContaining({
				id,
				owner_id: idOf("ada"),
				name: "Payroll",
				scope: "read",
				token_hash: await hashOfToken(text),
				created_at: NOW,
				expires_at: NOW + 90 * DAY,
				last_used_at: null,
				revoked_at: null,
			}),
		]);
		expect(JSON.stringify(await stored())).not.toContain(text);
		const [entry] = await told("token.make");
		expect(entry?.actor_id).toBe(idOf("ada"));
		expect(JSON.parse(entry?.after ?? "")).toEqual({
			name: "Payroll",
			scope: "read",
			expiresAt: NOW + 90 * DAY,
		});
	});

	it("is made once for a form that is sent twice, and shown once", async () => {
		const form = { ...PAYROLL, key: "twice" };
		expect(await makeToken(await bench.admin("ada"), form)).toMatchObject({ ok: true });
		const again = await makeToken(await bench.admin("ada"), form);
		expect(again).toEqual({ ok: false, reason: "made-before", details: undefined });
		const other = await makeToken(await bench.admin("ada"), { ...form, scope: "write" });
		expect(other).toMatchObject({ reason: "key-reused" });
		expect(await stored()).toHaveLength(1);
	});

	it("needs a sign-in of the last 15 minutes, which a token is not", async () => {
		const late = await makeToken(await bench.admin("ada", NOW + 14 * 60_000), PAYROLL);
		expect(late).toMatchObject({ reason: "sign-in-again" });
		const byToken = { ...(await bench.admin("ada")), sessionRef: crypto.randomUUID() };
		expect(await makeToken(byToken, PAYROLL)).toMatchObject({ reason: "sign-in-again" });
		expect(await stored()).toEqual([]);
	});

	it("is refused beside 100 that work, and not beside revoked ones", async () => {
		for (let each = 0; each < MAX_LIVE; each++)
			await insertToken(bench.rows, idOf("ben"), "read", { expires_at: NOW + DAY });
		const refused = await makeToken(await bench.admin("ada"), PAYROLL);
		expect(refused).toMatchObject({ reason: "too-many" });
		await bench.rows("update api_tokens set revoked_at = 1 where rowid = 1");
		expect(await makeToken(await bench.admin("ada"), PAYROLL)).toMatchObject({ ok: true });
	});
});

describe("a token that ends", () => {
	const one = async (owner: "ada" | "ben") => {
		const id = crypto.randomUUID();
		await insertToken(bench.rows, idOf(owner), "write", { id, expires_at: NOW + DAY });
		return id;
	};
	const ends = () => bench.rows("select revoked_at, revoked_by from api_tokens");

	it("is revoked by any administrator, once", async () => {
		const id = await one("ben");
		expect(await revokeToken(await bench.admin("ada"), id)).toEqual({
			ok: true,
			value: "Script to write",
		});
		expect(await revokeToken(await bench.admin("ben"), id)).toMatchObject({
			reason: "revoked-before",
		});
		expect(await ends()).toEqual([{ revoked_at: NOW, revoked_by: idOf("ada") }]);
		expect(await told("token.revoke")).toHaveLength(1);
		expect(await revokeToken(await bench.admin("ada"), "nothing")).toMatchObject({
			reason: "not-found",
		});
	});

	it("ends with its owner's access, and stays so when that comes back", async () => {
		await one("ben");
		await one("ada");
		await setDriverActive(await bench.admin("ada"), idOf("ben"), false);
		await setDriverActive(await bench.admin("ada"), idOf("ben"), true);
		const [bens, adas] = await bench.rows(
			"select revoked_at, revoked_by from api_tokens order by owner_id = ? desc",
			idOf("ben"),
		);
		expect(bens).toEqual({ revoked_at: NOW, revoked_by: idOf("ada") });
		expect(adas).toEqual({ revoked_at: null, revoked_by: null });
	});

	it("ends with its owner's role", async () => {
		await one("ben");
		const operator = { role: "operator", db: new Database(bench.batches), now: NOW } as const;
		const [ben] = await bench.rows<{ email: string }>(
			"select email from users where id = ?",
			idOf("ben"),
		);
		expect(await changeRole(operator, ben?.email ?? "", "none")).toMatchObject({ ok: true });
		expect(await ends()).toEqual([{ revoked_at: NOW, revoked_by: null }]);
	});
});

it("tells the owner once, in the week before, and nobody of one made for a few days", async () => {
	const seven = NOW + 7 * DAY;
	await insertToken(bench.rows, idOf("ada"), "read", { name: "Payroll", expires_at: seven });
	await insertToken(bench.rows, idOf("ada"), "read", { name: "Later", expires_at: seven + 1 });
	await insertToken(bench.rows, idOf("ben"), "read", { revoked_at: 1, expires_at: seven });
	await insertToken(bench.rows, idOf("ben"), "read", { created_at: NOW, expires_at: seven });
	const site = { appName: "Milepost", origin: "https://fleet.example" };
	const db = new Database(bench.batches);
	for (const now of [NOW, NOW + DAY - 1, NOW + DAY])
		await dailyReminders({ role: "system", db, now }, ZONE, site);
	const mails = await bench.rows(
		"select recipient_id, subject, body from mails where kind = 'token-expires' order by created_at",
	);
	expect(mails.map(({ subject }) => subject)).toEqual([
		"Your token Payroll expires on Nov 28, 2026",
		"Your token Later expires on Nov 28, 2026",
	]);
	expect(mails[0]).toEqual({
		recipient_id: idOf("ada"),
		subject: "Your token Payroll expires on Nov 28, 2026",
		body: "Hello Ada,\n\nYour token Payroll expires on Nov 28, 2026. Whatever uses it stops working then.\n\nMake a new one, and revoke the old one once it is no longer used: https://fleet.example/settings/tokens",
	});
});
