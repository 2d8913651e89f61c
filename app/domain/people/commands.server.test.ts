/** Approving, rejecting, activating and renaming people, one by one and concurrently. */
import { describe, expect, it } from "vitest";
import { some } from "../../../lab/torture/plan.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase, signIn } from "../../../tests/support/database.ts";
import { peopleOf } from "../../../tests/support/people.ts";
import { approveDriver } from "./commands/approve.server.ts";
import { completeProfile } from "./commands/complete-profile.server.ts";
import { createAdmin, createDriver } from "./commands/create.server.ts";
import { rejectDriver } from "./commands/reject.server.ts";
import { renameDriver } from "./commands/rename.server.ts";
import { renewInvitation } from "./commands/renew-invitation.server.ts";
import { setDriverActive } from "./commands/set-active.server.ts";
import { whyNotChanged } from "./refusals.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const SITE = { origin: "https://fleet.example" };
const bench = await openDatabase("everyone", NOW);
await signIn(bench, "ada", NOW - 60_000);
await signIn(bench, "ben", NOW - 60_000);
const unknown = "99999999-9999-4999-8999-999999999999";

const { auditOf, mailsAbout, rowOf, stranger, session, endOf } = peopleOf(bench, NOW);
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
		await approveDriver(await bench.admin("ada"), idOf("nora"), SITE);
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

	it("doesn't approve what its administrator saw as pending and another one has rejected since", async () => {
		const id = await stranger();
		await rejectDriver(await bench.admin("ada"), id, SITE);
		const late = await approveDriver(await bench.admin("ben"), id, SITE, "pending");
		expect(!late.ok && whyNotChanged(late, { timeZone: "UTC" }).message).toMatch(
			/^Sam Stranger \d+ was already rejected by Ada Admin\.$/,
		);
		expect(await rowOf(id)).toMatchObject({ approval_status: "rejected", driver_number: null });
		expect((await mailsAbout(id)).map(({ kind, status }) => [kind, status])).toEqual([
			["driver-rejected", "queued"],
		]);
		const known = await approveDriver(await bench.admin("ben"), id, SITE);
		expect(known).toMatchObject({ ok: true, value: { approvalStatus: "approved" } });
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

describe("complete one's profile", () => {
	it("is an application only of a driver without a decision", async () => {
		const unnamed = ["lena", "nora"] as const;
		await bench.rows("update users set applied_at = null");
		await bench.rows(
			"update users set first_name = '', last_name = '' where id in (?, ?)",
			...unnamed.map(idOf),
		);
		for (const name of unnamed)
			await completeProfile(await bench.self(name), { firstName: "Paula", lastName: "Person" });
		const ada = await rowOf(idOf("ada"));
		const outcome = await completeProfile(await bench.self("ada"), {
			firstName: "Ada",
			lastName: "Admin",
		});
		expect(outcome.ok).toBe(true);
		expect(await rowOf(idOf("ada"))).toEqual(ada);
		expect(await auditOf(idOf("ada"))).toEqual([]);
		await completeProfile(await bench.self("ada"), { firstName: "Ada", lastName: "Adams" });
		expect(
			await bench.rows(
				"select last_name, applied_at from users where last_name in ('Person', 'Adams') order by applied_at, last_name",
			),
		).toEqual([
			{ last_name: "Adams", applied_at: null },
			{ last_name: "Person", applied_at: null },
			{ last_name: "Person", applied_at: NOW },
		]);
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
		for (let round = 0; round < some(20); round++) {
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
		for (let round = 0; round < some(20); round++) {
			const ids = await Promise.all(Array.from({ length: 50 }, () => stranger()));
			const admin = await bench.admin("ada");
			const outcomes = await Promise.all(ids.map((id) => approveDriver(admin, id, SITE)));
			const numbers = outcomes.map((outcome) => outcome.ok && outcome.value.driverNumber);
			expect(new Set(numbers).size).toBe(50);
			expect(numbers.every((number) => Number.isInteger(number))).toBe(true);
		}
	});

	it("approve and reject at once: each happens at most once, in a possible order", async () => {
		for (let round = 0; round < some(20); round++) {
			const id = await stranger();
			const [ada, ben] = [await bench.admin("ada"), await bench.admin("ben")];
			const outcomes = await Promise.all(
				Array.from({ length: 20 }, (_, each) =>
					each % 2 ? rejectDriver(ada, id, SITE) : approveDriver(ben, id, SITE),
				),
			);
			const actions = (await auditOf(id)).map(({ action }) => action);
			// An approval may follow a rejection, but is final.
			expect([["driver.approve"], ["driver.reject", "driver.approve"]]).toContainEqual(actions);
			expect(outcomes.filter(({ ok }) => ok)).toHaveLength(actions.length);
			expect(await rowOf(id)).toMatchObject({
				approval_status: "approved",
				decided_by: idOf("ben"),
			});
		}
	});

	it("two administrators deactivate each other: one remains, with a live session", async () => {
		for (let round = 0; round < some(20); round++) {
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

	it("one email given to 50 people at once: one account", async () => {
		for (let round = 0; round < some(20); round++) {
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

/** A context for someone outside the cast. */
async function asAdmin(id: string) {
	const ada = await bench.admin("ada");
	return { ...ada, user: { ...ada.user, id } };
}

describe("a batch that D1 commits without responding", () => {
	/** A binding whose first batch runs and is then reported as lost. */
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
