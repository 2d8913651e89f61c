import { describe, expect, it } from "vitest";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase, signIn } from "../../../tests/support/database.ts";
import { insertRow } from "../../../tests/support/rows.ts";
import { formatDriverCode } from "../users/rules.ts";
import { approveDriver } from "./commands/approve.server.ts";
import { cancelInvitation } from "./commands/cancel-invitation.server.ts";
import { createAdmin, createDriver } from "./commands/create.server.ts";
import { rejectDriver } from "./commands/reject.server.ts";
import { renameDriver } from "./commands/rename.server.ts";
import { renewInvitation } from "./commands/renew-invitation.server.ts";
import { setDriverActive } from "./commands/set-active.server.ts";
import { driverCodeOfRow } from "./emails.server.ts";
import { whyNotChanged } from "./refusals.ts";
import { INVITATION_TTL_MS } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const SITE = { origin: "https://fleet.example" };
const bench = await openDatabase("everyone", NOW);
await signIn(bench, "ada", NOW - 60_000);
await signIn(bench, "ben", NOW - 60_000);
const unknown = "99999999-9999-4999-8999-999999999999";

type Mail = { kind: string; address: string; subject: string; body: string; status: string };
type Event = { actor_id: string; action: string; before: string | null; after: string | null };
const auditOf = (id: string) =>
	bench.rows<Event>(
		"select actor_id, action, before, after from audit_events where entity = 'user' and entity_id = ? order by id",
		id,
	);
const mailsAbout = (id: string) =>
	bench.rows<Mail>(
		"select kind, address, subject, body, status from mails where about_id = ? order by rowid",
		id,
	);
const rowOf = async (id: string) => (await bench.rows("select * from users where id = ?", id))[0];

let strangers = 0;
/** Somebody new in the database, in whatever state a test needs. */
async function stranger(more: Record<string, string | number | null> = {}): Promise<string> {
	const id = crypto.randomUUID();
	const row = {
		id,
		role: "driver",
		first_name: "Sam",
		last_name: `Stranger ${++strangers}`,
		email: `sam${strangers}@milepost.test`,
		approval_status: "pending",
		is_active: 1,
		created_at: NOW,
		applied_at: NOW,
		...more,
	};
	await insertRow(bench.rows, "users", row);
	return id;
}

async function session(userId: string): Promise<string> {
	const hash = crypto.randomUUID().replaceAll("-", "").repeat(2);
	await bench.rows(
		"insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at) values (?, ?, ?, ?, ?, ?)",
		hash,
		userId,
		NOW,
		NOW,
		NOW + 1e9,
		NOW + 1e9,
	);
	return hash;
}
const endOf = async (hash: string) =>
	(
		await bench.rows<{ ended_reason: string | null }>(
			"select ended_reason from sessions where token_hash = ?",
			hash,
		)
	)[0]?.ended_reason;

const person = (email: string) => ({ email, firstName: "Paula", lastName: "Person" });

describe("approve", () => {
	it("approves an application, gives the next driver ID, writes the audit and the mail, and keeps the session", async () => {
		const admin = await bench.admin("ada");
		const hash = await session(idOf("nora"));
		const outcome = await approveDriver(admin, idOf("nora"), SITE);
		expect(outcome).toMatchObject({
			ok: true,
			value: {
				approvalStatus: "approved",
				driverNumber: 6,
				approvedAt: NOW,
				decidedBy: idOf("ada"),
			},
		});
		expect(await auditOf(idOf("nora"))).toEqual([
			{
				actor_id: idOf("ada"),
				action: "driver.approve",
				before: '{"approvalStatus":"pending"}',
				after: '{"approvalStatus":"approved","driverNumber":6}',
			},
		]);
		const [mail, ...rest] = await mailsAbout(idOf("nora"));
		expect(rest).toEqual([]);
		expect(mail).toMatchObject({
			kind: "driver-approved",
			address: "nora@milepost.test",
			subject: "Your Milepost application has been approved",
		});
		expect(mail?.body).toBe(
			"Hello Nora,\n\nYour driver application has been approved. Your driver ID is DRV-0006.\n\nSign in to log mileage and request funds: https://fleet.example",
		);
		expect(await endOf(hash)).toBeNull();
	});

	it("tells the second administrator who was first, and changes nothing", async () => {
		const before = await rowOf(idOf("nora"));
		const outcome = await approveDriver(await bench.admin("ben"), idOf("nora"), SITE);
		expect(outcome).toMatchObject({ ok: false, reason: "already-decided" });
		expect(!outcome.ok && whyNotChanged(outcome, { timeZone: "America/New_York" }).message).toBe(
			"Nora Newcomer was already approved by Ada Admin on Nov 21, 2026.",
		);
		expect(await rowOf(idOf("nora"))).toEqual(before);
		expect(await auditOf(idOf("nora"))).toHaveLength(1);
	});

	it("approves after a rejection, keeps an earlier driver ID, and cancels the queued rejection email", async () => {
		const id = await stranger({ driver_number: 900 });
		await rejectDriver(await bench.admin("ben"), id, SITE);
		const outcome = await approveDriver(await bench.admin("ada"), id, SITE);
		expect(outcome).toMatchObject({ ok: true, value: { driverNumber: 900 } });
		expect((await mailsAbout(id)).map(({ kind, status }) => [kind, status])).toEqual([
			["driver-rejected", "cancelled"],
			["driver-approved", "queued"],
		]);
		await bench.rows("update users set driver_number = null where id = ?", id);
	});

	it("refuses a name that is missing, an administrator, a cancelled row and an unknown id", async () => {
		const admin = await bench.admin("ada");
		expect(await approveDriver(admin, idOf("nina"), SITE)).toMatchObject({ reason: "not-applied" });
		expect(await approveDriver(admin, idOf("ben"), SITE)).toMatchObject({ reason: "not-found" });
		expect(
			await approveDriver(admin, await stranger({ deleted_at: NOW, is_active: 0 }), SITE),
		).toMatchObject({ reason: "not-found" });
		for (const id of [unknown, "", "' or 1=1", "\u0000", "x".repeat(5000)])
			expect(await approveDriver(admin, id, SITE)).toMatchObject({ reason: "not-found" });
		expect(await auditOf(idOf("nina"))).toEqual([]);
	});
});

describe("reject", () => {
	it("rejects an application once, with audit and mail", async () => {
		const id = await stranger();
		const admin = await bench.admin("ada");
		expect(await rejectDriver(admin, id, SITE)).toMatchObject({
			ok: true,
			value: { approvalStatus: "rejected", driverNumber: null, approvedAt: null },
		});
		const second = await rejectDriver(await bench.admin("ben"), id, SITE);
		expect(!second.ok && whyNotChanged(second, { timeZone: "UTC" }).message).toMatch(
			/^Sam Stranger \d+ was already rejected by Ada Admin\.$/,
		);
		expect((await auditOf(id)).map(({ action }) => action)).toEqual(["driver.reject"]);
		const mails = await mailsAbout(id);
		expect(mails).toHaveLength(1);
		expect(mails[0]?.body).toContain("was not approved");
	});

	it("refuses non-applicants, approved drivers and unknown ids", async () => {
		const admin = await bench.admin("ada");
		expect(await rejectDriver(admin, idOf("nina"), SITE)).toMatchObject({ reason: "not-applied" });
		expect(await rejectDriver(admin, idOf("dana"), SITE)).toMatchObject({
			reason: "already-decided",
			details: { status: "approved" },
		});
		expect(await rejectDriver(admin, unknown, SITE)).toMatchObject({ reason: "not-found" });
	});
});

describe("activate and deactivate", () => {
	it("ends every session of the person in the same batch, and nobody else's", async () => {
		const [hers, hersToo, his] = [
			await session(idOf("dana")),
			await session(idOf("dana")),
			await session(idOf("omar")),
		];
		const admin = await bench.admin("ada");
		expect(await setDriverActive(admin, idOf("dana"), false)).toMatchObject({
			ok: true,
			value: { isActive: false, deactivatedAt: NOW },
		});
		expect([await endOf(hers), await endOf(hersToo), await endOf(his)]).toEqual([
			"deactivated",
			"deactivated",
			null,
		]);
		expect(await auditOf(idOf("dana"))).toEqual([
			{
				actor_id: idOf("ada"),
				action: "user.deactivate",
				before: '{"isActive":true}',
				after: '{"isActive":false}',
			},
		]);
		expect(await setDriverActive(admin, idOf("dana"), false)).toMatchObject({
			reason: "unchanged",
			details: { isActive: false },
		});
		expect(await setDriverActive(admin, idOf("dana"), true)).toMatchObject({
			ok: true,
			value: { isActive: true, deactivatedAt: null, driverNumber: 1 },
		});
		expect((await auditOf(idOf("dana"))).map(({ action }) => action)).toEqual([
			"user.deactivate",
			"user.activate",
		]);
	});

	it("toggles when no state is given", async () => {
		const admin = await bench.admin("ada");
		expect(await setDriverActive(admin, idOf("ivan"))).toMatchObject({
			ok: true,
			value: { isActive: true },
		});
		expect(await setDriverActive(admin, idOf("ivan"))).toMatchObject({
			ok: true,
			value: { isActive: false },
		});
	});

	it("refuses your own account, applicants, cancelled rows and unknown ids", async () => {
		const admin = await bench.admin("ada");
		for (const isActive of [false, true, undefined])
			expect(await setDriverActive(admin, idOf("ada"), isActive)).toMatchObject({
				reason: "oneself",
			});
		expect(await setDriverActive(admin, idOf("nina"), false)).toMatchObject({
			reason: "not-approved",
		});
		expect(await setDriverActive(admin, idOf("rex"), false)).toMatchObject({
			reason: "not-approved",
		});
		expect(
			await setDriverActive(
				admin,
				await stranger({ deleted_at: NOW, approval_status: "approved" }),
				false,
			),
		).toMatchObject({
			reason: "not-found",
		});
		expect(await setDriverActive(admin, unknown)).toMatchObject({ reason: "not-found" });
	});

	it("refuses an administrator deactivated after the guard admitted them", async () => {
		const ben = await bench.admin("ben");
		expect(await setDriverActive(await bench.admin("ada"), idOf("ben"), false)).toMatchObject({
			ok: true,
		});
		await expect(setDriverActive(ben, idOf("omar"), false)).rejects.toThrow(AccessLost);
		expect(await setDriverActive(await bench.admin("ada"), idOf("ben"), true)).toMatchObject({
			ok: true,
		});
	});
});

describe("create and invite", () => {
	it("makes an approved driver with a driver ID, invited for 30 days", async () => {
		const outcome = await createDriver(
			await bench.admin("ada"),
			person("paula@milepost.test"),
			SITE,
		);
		if (!outcome.ok) throw new Error(outcome.reason);
		expect(outcome.value).toMatchObject({
			role: "driver",
			approvalStatus: "approved",
			isActive: true,
			approvedAt: NOW,
			createdBy: idOf("ada"),
			appliedAt: null,
			invitedAt: NOW,
			inviteExpiresAt: NOW + 30 * 86_400_000,
			claimedAt: null,
		});
		expect(formatDriverCode(outcome.value.driverNumber)).toMatch(/^DRV-\d{4}$/);
		const [event] = await auditOf(outcome.value.id);
		expect(event).toMatchObject({ action: "driver.create", before: null });
		expect(JSON.parse(event?.after ?? "")).toMatchObject({
			role: "driver",
			email: "paula@milepost.test",
			driverNumber: outcome.value.driverNumber,
		});
		const mails = await mailsAbout(outcome.value.id);
		expect(mails.map(({ kind, address }) => [kind, address])).toEqual([
			["invitation", "paula@milepost.test"],
		]);
		expect(mails[0]?.body).toBe(
			"Hello Paula,\n\nAda Admin has invited you to join Milepost as a driver.\n\nSign in with this email address by Dec 21, 2026, 12:00 PM (America/New York):\nhttps://fleet.example\n\nIf you weren't expecting this invitation, you can ignore this email.",
		);
	});

	it("makes an administrator within 15 minutes of the maker's sign-in, and not after", async () => {
		const minute = 60_000;
		const ada = await bench.admin("ada", NOW + 13 * minute);
		const late = await bench.admin("ada", NOW + 14 * minute);
		const refusal = await createAdmin(late, person("late.boss@milepost.test"), SITE);
		expect(refusal).toMatchObject({ ok: false, reason: "sign-in-again" });
		if (!refusal.ok) expect(whyNotChanged(refusal, late).status).toBe(403);
		expect(await bench.rows("select 1 from users where email like 'late.boss%'")).toEqual([]);
		expect(await createDriver(late, person("late.driver@milepost.test"), SITE)).toMatchObject({
			ok: true,
		});
		// Somebody else's fresh session helps nobody.
		await bench.rows(
			"update sessions set created_at = ? where user_id = ?",
			NOW + 14 * minute,
			idOf("ben"),
		);
		expect(await createAdmin(late, person("late.boss@milepost.test"), SITE)).toMatchObject({
			ok: false,
		});
		expect(await createAdmin(ada, person("early.boss@milepost.test"), SITE)).toMatchObject({
			ok: true,
		});
	});

	it("makes an administrator invited for 72 hours, and tells every other active one", async () => {
		const outcome = await createAdmin(await bench.admin("ada"), person("boss@milepost.test"), SITE);
		if (!outcome.ok) throw new Error(outcome.reason);
		expect(outcome.value).toMatchObject({
			role: "admin",
			approvalStatus: "approved",
			driverNumber: null,
			inviteExpiresAt: NOW + 72 * 3_600_000,
		});
		const mails = await mailsAbout(outcome.value.id);
		expect(mails.map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual([
			"invitation boss@milepost.test",
			"new-admin admin@milepost.test",
			"new-admin ben@milepost.test",
		]);
		expect(mails.find(({ kind }) => kind === "invitation")?.body).toContain("as an administrator");
		expect(mails.find(({ address }) => address === "ben@milepost.test")?.body).toBe(
			"Hello Ben,\n\nAda Admin has invited Paula Person (boss@milepost.test) to Milepost as an administrator with full access.\n\nIf this is a mistake, cancel the invitation in Driver Management: https://fleet.example/drivers",
		);
		expect((await auditOf(outcome.value.id)).map(({ action }) => action)).toEqual(["admin.create"]);
	});

	it.each<CastName>(["nina", "nora", "rex", "ivan", "ines", "ben"])(
		"refuses the address of %s and leaves that account as it is",
		async (name) => {
			const before = await rowOf(idOf(name));
			const people = await bench.rows("select id from users");
			const email = String(before?.email);
			for (const create of [createDriver, createAdmin]) {
				const outcome = await create(await bench.admin("ada"), person(email), SITE);
				expect(outcome).toMatchObject({ ok: false, reason: "email-taken", details: { email } });
			}
			expect(await rowOf(idOf(name))).toEqual(before);
			expect(await bench.rows("select id from users")).toHaveLength(people.length);
		},
	);

	it("creates nobody for an administrator deactivated after the guard admitted them", async () => {
		const ben = await bench.admin("ben");
		expect(await setDriverActive(await bench.admin("ada"), idOf("ben"), false)).toMatchObject({
			ok: true,
		});
		for (const create of [createDriver, createAdmin])
			await expect(create(ben, person("too.late@milepost.test"), SITE)).rejects.toThrow(AccessLost);
		expect(await bench.rows("select 1 from users where email = 'too.late@milepost.test'")).toEqual(
			[],
		);
		expect(await setDriverActive(await bench.admin("ada"), idOf("ben"), true)).toMatchObject({
			ok: true,
		});
	});

	it("renews an invitation that has run out, by the length of its role", async () => {
		const later = NOW + 60 * 86_400_000;
		for (const [create, role] of [
			[createDriver, "driver"],
			[createAdmin, "admin"],
		] as const) {
			const made = await create(
				await bench.admin("ada"),
				person(`late-${role}@milepost.test`),
				SITE,
			);
			if (!made.ok) throw new Error(made.reason);
			const outcome = await renewInvitation(await bench.admin("ben", later), made.value.id, SITE);
			expect(outcome).toMatchObject({
				ok: true,
				value: { invitedAt: later, inviteExpiresAt: later + INVITATION_TTL_MS[role] },
			});
			expect((await auditOf(made.value.id)).at(-1)).toMatchObject({
				actor_id: idOf("ben"),
				action: "invitation.renew",
				before: `{"inviteExpiresAt":${NOW + INVITATION_TTL_MS[role]}}`,
				after: `{"inviteExpiresAt":${later + INVITATION_TTL_MS[role]}}`,
			});
			const invitations = (await mailsAbout(made.value.id)).filter(
				({ kind }) => kind === "invitation",
			);
			expect(invitations.map(({ status }) => status)).toEqual(["cancelled", "queued"]);
		}
	});

	it("cancels an invitation: the address is free again, the driver ID is not", async () => {
		const admin = await bench.admin("ada");
		const first = await createDriver(admin, person("again@milepost.test"), SITE);
		if (!first.ok) throw new Error(first.reason);
		expect(await cancelInvitation(admin, first.value.id)).toMatchObject({
			ok: true,
			value: { isActive: false, deletedAt: NOW },
		});
		expect(await cancelInvitation(admin, first.value.id)).toMatchObject({ reason: "not-found" });
		expect(await renewInvitation(admin, first.value.id, SITE)).toMatchObject({
			reason: "not-found",
		});
		expect((await auditOf(first.value.id)).map(({ action }) => action)).toEqual([
			"driver.create",
			"invitation.cancel",
		]);
		expect((await mailsAbout(first.value.id)).map(({ status }) => status)).toEqual(["cancelled"]);
		const second = await createDriver(admin, person("again@milepost.test"), SITE);
		if (!second.ok) throw new Error(second.reason);
		expect(second.value.driverNumber).toBe((first.value.driverNumber ?? 0) + 1);
	});

	it("refuses to renew or cancel what was claimed or never was an invitation", async () => {
		const admin = await bench.admin("ada");
		const claimed = await stranger({
			approval_status: "approved",
			invited_at: NOW,
			invite_expires_at: NOW + 1,
			claimed_at: NOW,
		});
		for (const id of [claimed, idOf("dana"), idOf("ada"), idOf("rex")]) {
			expect(await renewInvitation(admin, id, SITE)).toMatchObject({ reason: "not-invited" });
			expect(await cancelInvitation(admin, id)).toMatchObject({ reason: "not-invited" });
			expect(await rowOf(id)).toMatchObject({ deleted_at: null, is_active: 1 });
		}
		expect(await renewInvitation(admin, unknown, SITE)).toMatchObject({ reason: "not-found" });
	});
});

describe("rename", () => {
	it("corrects a driver's name, audited once, and says nothing when nothing changed", async () => {
		const admin = await bench.admin("ada");
		const name = { firstName: "Omár", lastName: "Okafor-Smith" };
		expect(await renameDriver(admin, idOf("omar"), name)).toMatchObject({ ok: true, value: name });
		expect(await renameDriver(admin, idOf("omar"), name)).toMatchObject({ ok: true, value: name });
		expect(await auditOf(idOf("omar"))).toEqual([
			{
				actor_id: idOf("ada"),
				action: "driver.rename",
				before: '{"firstName":"Omar","lastName":"Okafor"}',
				after: '{"firstName":"Omár","lastName":"Okafor-Smith"}',
			},
		]);
		expect(await renameDriver(admin, idOf("ben"), name)).toMatchObject({ reason: "not-found" });
		expect(await renameDriver(admin, idOf("nina"), name)).toMatchObject({ reason: "not-applied" });
		expect(await renameDriver(admin, unknown, name)).toMatchObject({ reason: "not-found" });
	});
});

describe("races", () => {
	it("50 administrators approve one driver: one wins, one audit row, one mail", async () => {
		for (let round = 0; round < 20; round++) {
			const id = await stranger();
			const admins = await Promise.all(
				Array.from({ length: 50 }, (_, each) => bench.admin(each % 2 ? "ada" : "ben")),
			);
			const outcomes = await Promise.all(admins.map((admin) => approveDriver(admin, id, SITE)));
			expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
			expect(await auditOf(id)).toHaveLength(1);
			expect(await mailsAbout(id)).toHaveLength(1);
		}
	});

	it("50 approvals of 50 drivers: 50 driver IDs", async () => {
		for (let round = 0; round < 20; round++) {
			const ids = await Promise.all(Array.from({ length: 50 }, () => stranger()));
			const admin = await bench.admin("ada");
			const outcomes = await Promise.all(ids.map((id) => approveDriver(admin, id, SITE)));
			const numbers = outcomes.map((outcome) => outcome.ok && outcome.value.driverNumber);
			expect(new Set(numbers).size).toBe(50);
			expect(numbers.every((number) => Number.isInteger(number))).toBe(true);
		}
	});

	it("approve and reject at once: each happens at most once, in an order that makes sense", async () => {
		for (let round = 0; round < 20; round++) {
			const id = await stranger();
			const [ada, ben] = [await bench.admin("ada"), await bench.admin("ben")];
			const outcomes = await Promise.all(
				Array.from({ length: 20 }, (_, each) =>
					each % 2 ? rejectDriver(ada, id, SITE) : approveDriver(ben, id, SITE),
				),
			);
			const actions = (await auditOf(id)).map(({ action }) => action);
			// A rejection may be mended by an approval that comes after it; an approval is final.
			expect([["driver.approve"], ["driver.reject", "driver.approve"]]).toContainEqual(actions);
			expect(outcomes.filter(({ ok }) => ok)).toHaveLength(actions.length);
			expect(await rowOf(id)).toMatchObject({
				approval_status: "approved",
				decided_by: idOf("ben"),
			});
		}
	});

	it("two administrators deactivate each other: one remains, with a live session", async () => {
		for (let round = 0; round < 20; round++) {
			const one = await stranger({ role: "admin", approval_status: "approved" });
			const two = await stranger({ role: "admin", approval_status: "approved" });
			await bench.rows(
				"update users set is_active = 0 where role = 'admin' and id not in (?, ?)",
				one,
				two,
			);
			const [first, second] = [await asAdmin(one), await asAdmin(two)];
			const sessions = new Map([
				[one, await session(one)],
				[two, await session(two)],
			]);
			const attempts = await Promise.allSettled(
				Array.from({ length: 10 }, (_, each) =>
					each % 2 ? setDriverActive(first, two, false) : setDriverActive(second, one, false),
				),
			);
			for (const each of attempts)
				if (each.status === "rejected") expect(each.reason).toBeInstanceOf(AccessLost);
			const left = await bench.rows<{ id: string }>(
				"select id from users where role = 'admin' and is_active = 1",
			);
			expect(left).toHaveLength(1);
			for (const [id, hash] of sessions)
				expect(await endOf(hash)).toBe(id === left[0]?.id ? null : "deactivated");
			await bench.rows("update users set is_active = 0 where role = 'admin'");
		}
		await bench.rows("update users set is_active = 1 where id in (?, ?)", idOf("ada"), idOf("ben"));
	});

	it("one address given to 50 people at once: one account", async () => {
		for (let round = 0; round < 20; round++) {
			const admin = await bench.admin("ada");
			const email = `crowd${round}@milepost.test`;
			const outcomes = await Promise.all(
				Array.from({ length: 50 }, (_, each) =>
					(each % 2 ? createDriver : createAdmin)(admin, person(email), SITE),
				),
			);
			expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
			expect(await bench.rows("select id from users where email = ?", email)).toHaveLength(1);
		}
	});
});

/** A proof for somebody outside the cast. */
async function asAdmin(id: string) {
	const ada = await bench.admin("ada");
	return { ...ada, user: { ...ada.user, id } };
}

describe("a batch that D1 commits without responding", () => {
	/** A binding whose first batch is carried out, and then reported as lost. */
	function forgetful(binding: D1Database): D1Database {
		let isLost = false;
		return {
			prepare: (query: string) => binding.prepare(query),
			batch: async (statements: D1PreparedStatement[]) => {
				const results = await binding.batch(statements);
				if (isLost) return results;
				isLost = true;
				throw new Error("D1_ERROR: Network connection lost.");
			},
		} as unknown as D1Database;
	}

	it("is recognized when retried, and leaves one audit row", async () => {
		const { Database } = await import("../../db/client.server.ts");
		const admin = async () => ({
			...(await bench.admin("ada")),
			db: new Database(forgetful(bench.batches)),
		});
		const [pending, active, named] = [
			await stranger(),
			await stranger({ approval_status: "approved" }),
			await stranger(),
		];
		const invited = await stranger({
			approval_status: "approved",
			invited_at: NOW,
			invite_expires_at: NOW,
		});
		const cases: [string, Promise<{ ok: boolean }>][] = [
			[pending, approveDriver(await admin(), pending, SITE)],
			[active, setDriverActive(await admin(), active)],
			[named, renameDriver(await admin(), named, { firstName: "New", lastName: "Name" })],
			[invited, renewInvitation(await admin(), invited, SITE)],
		];
		for (const [id, outcome] of cases) {
			expect((await outcome).ok).toBe(true);
			expect(await auditOf(id)).toHaveLength(1);
		}
		expect(await rowOf(active)).toMatchObject({ is_active: 0 });
		const made = await createDriver(await admin(), person("lost@milepost.test"), SITE);
		if (!made.ok) throw new Error(made.reason);
		expect(await auditOf(made.value.id)).toHaveLength(1);
		expect(await mailsAbout(made.value.id)).toHaveLength(1);
	});
});

it("writes a driver ID in a mail as the screens write it", async () => {
	const { Database } = await import("../../db/client.server.ts");
	const { users } = await import("../../db/schema.ts");
	const db = new Database(bench.door);
	for (const number of [70_001, 9_999, 10_000, 123_456]) await stranger({ driver_number: number });
	const { rows } = await db.batch({
		rows: db.build
			.select({ number: users.driverNumber, code: driverCodeOfRow.as("code") })
			.from(users),
	});
	const numbered = rows.filter(({ number }) => number !== null);
	expect(numbered.length).toBeGreaterThan(8);
	for (const { number, code } of numbered) expect(code).toBe(formatDriverCode(number));
});
