/** Creating and inviting drivers and administrators. */
import { describe, expect, it } from "vitest";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase, signIn } from "../../../tests/support/database.ts";
import { peopleOf } from "../../../tests/support/people.ts";
import { INVITATION_TTL_MS } from "../kernel/time-limits.ts";
import { cancelInvitation } from "./commands/cancel-invitation.server.ts";
import { createAdmin, createDriver } from "./commands/create.server.ts";
import { renewInvitation } from "./commands/renew-invitation.server.ts";
import { setDriverActive } from "./commands/set-active.server.ts";
import { whyNotChanged } from "./refusals.ts";
import { formatDriverCode } from "./rules.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const SITE = { origin: "https://fleet.example" };
const bench = await openDatabase("everyone", NOW);
await signIn(bench, "ada", NOW - 60_000);
await signIn(bench, "ben", NOW - 60_000);
const unknown = "99999999-9999-4999-8999-999999999999";

const { auditOf, mailsAbout, rowOf, stranger } = peopleOf(bench, NOW);
const person = (email: string) => ({ email, firstName: "Paula", lastName: "Person" });

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

	it.each([
		["ivan", "Their account is inactive: activate it instead."],
		["rex", "Their application was rejected: approve it instead."],
		["nora", "Their application is pending: approve it instead."],
		["nina", "They haven't completed their profile yet: approve their application once they have."],
	] as const)("says what to do about an email that %s has", async (name, advice) => {
		const ada = await bench.admin("ada");
		const email = `${name}@milepost.test`;
		const outcome = await createDriver(ada, person(email), SITE);
		expect(outcome).toMatchObject({ reason: "email-taken", details: { email, advice } });
	});

	it("makes an administrator within 15 minutes of the creator's sign-in, and not after", async () => {
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
		// Another administrator's fresh session doesn't count.
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

	it("renews an expired invitation for as long as its role allows", async () => {
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

	it("cancels an invitation: the email is free again, the driver ID isn't", async () => {
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

	it("refuses to renew or cancel an account that was claimed or never invited", async () => {
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
