/** What an administrator decides about people who are there: approve, reject, activate, deactivate, rename. Invitations are next door. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { done, type Outcome, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { type AuditEntry, auditStatement } from "../audit/commands.server.ts";
import type { AdminContext, UserRow } from "../context.ts";
import { cancelMail, type Site } from "../mail/commands.server.ts";
import { endSessionsStatement } from "../users/commands.server.ts";
import type { ProfileInput } from "../users/input.ts";
import { nameOf } from "../users/rules.ts";
import { approvalMail, rejectionMail } from "./letters.server.ts";
import type { PeopleRefusal } from "./rules.ts";

type Changed = Outcome<UserRow, PeopleRefusal>;

/** The next driver number, taken inside the statement that needs it: counted up, and a number once given stays with its row for ever. */
export const nextDriverNumber = sql`(select coalesce(max(numbered.driver_number), 0) + 1 from users as numbered)`;

/** A live driver by id whom this attempt has not changed yet: a batch that is repeated finds its own work done. */
const liveDriver = (id: string, changeId: string): SQL =>
	sql`${users.id} = ${id} and ${users.role} = 'driver' and ${users.deletedAt} is null and ${users.lastChangeId} is not ${changeId}`;
const hasName = sql`${users.firstName} <> '' and ${users.lastName} <> ''`;

/** The person after the attempt, with the name of whoever decided about him; drizzle drops the table's name here, so it is written out. */
function personAfter(build: Builder, id: string) {
	return build
		.select({
			person: users,
			decidedBy: sql<
				string | null
			>`(select trim(deciders.first_name || ' ' || deciders.last_name) from users as deciders where deciders.id = users.decided_by)`.as(
				"decider_name",
			),
		})
		.from(users)
		.where(eq(users.id, id));
}

const audit = (admin: AdminContext, entry: Omit<AuditEntry, "entity">, condition: SQL) =>
	auditStatement(admin.db.build, actorOf(admin), { ...entry, entity: "user" }, users, condition);

/**
 * Approves an application, or mends a rejection; the driver gets a number unless he has one.
 * The driver's sessions stay: the gate opens with the next request.
 */
export async function approveDriver(admin: AdminContext, id: string, site: Site): Promise<Changed> {
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const occasion = { admin, site, personId: id, changeId };
	const isOpen = sql`${liveDriver(id, changeId)} and ${users.approvalStatus} in ('pending', 'rejected') and ${hasName} and ${users.id} <> ${user.id}`;
	const driverNumber = sql`coalesce(${users.driverNumber}, ${nextDriverNumber})`;
	const { after } = await db.batch({
		audit: audit(
			admin,
			{
				action: "driver.approve",
				before: sql`json_object('approvalStatus', ${users.approvalStatus})`,
				after: sql`json_object('approvalStatus', 'approved', 'driverNumber', ${driverNumber})`,
			},
			isOpen,
		),
		change: db.build
			.update(users)
			.set({ approvalStatus: "approved", driverNumber, approvedAt: now, decidedBy: user.id, lastChangeId: changeId })
			.where(isOpen),
		unsaid: cancelMail(db.build, "driver-rejected", id, sql`${users.lastChangeId} = ${changeId}`),
		mail: approvalMail(db.build, occasion),
		after: personAfter(db.build, id),
	});
	return decided(after[0], changeId);
}

/** Rejects an application. Refused once it is decided, whichever way. */
export async function rejectDriver(admin: AdminContext, id: string, site: Site): Promise<Changed> {
	const { db, user } = admin;
	const changeId = crypto.randomUUID();
	const isOpen = sql`${liveDriver(id, changeId)} and ${users.approvalStatus} = 'pending' and ${users.appliedAt} is not null and ${hasName} and ${users.id} <> ${user.id}`;
	const { after } = await db.batch({
		audit: audit(
			admin,
			{
				action: "driver.reject",
				before: sql`json_object('approvalStatus', ${users.approvalStatus})`,
				after: sql`json_object('approvalStatus', 'rejected')`,
			},
			isOpen,
		),
		change: db.build.update(users).set({ approvalStatus: "rejected", decidedBy: user.id, lastChangeId: changeId }).where(isOpen),
		mail: rejectionMail(db.build, { admin, site, personId: id, changeId }),
		after: personAfter(db.build, id),
	});
	return decided(after[0], changeId);
}

function decided(after: { person: UserRow; decidedBy: string | null } | undefined, changeId: string): Changed {
	if (after?.person.lastChangeId === changeId) return done(after.person);
	if (after?.person.role !== "driver" || after.person.deletedAt !== null) return refused("not-found");
	const { person, decidedBy } = after;
	if (person.approvalStatus === "pending") return refused("not-applied", { name: nameOf(person) });
	return refused("already-decided", {
		name: nameOf(person),
		status: person.approvalStatus,
		decidedBy,
		decidedAt: person.approvalStatus === "approved" ? person.approvedAt : null,
	});
}

/**
 * Activates or deactivates an approved driver or an administrator; deactivation ends every session of his in the same batch.
 * Nobody deactivates himself, and whoever deactivates is still an active administrator when it happens: so one always remains.
 * @param isActive the state wanted; absent, the call toggles
 */
export async function setDriverActive(admin: AdminContext, id: string, isActive?: boolean): Promise<Changed> {
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const isAskerInPlace = sql`exists (select 1 from users as asking where asking.id = ${user.id} and asking.id <> ${users.id} and asking.role = 'admin' and asking.is_active = 1 and asking.deleted_at is null)`;
	const isWanted = isActive === undefined ? sql`1` : sql`${users.isActive} <> ${isActive ? 1 : 0}`;
	const isOpen = sql`${users.id} = ${id} and ${users.deletedAt} is null and ${users.lastChangeId} is not ${changeId}
		and (${users.role} = 'admin' or (${users.role} = 'driver' and ${users.approvalStatus} = 'approved')) and ${isWanted} and ${isAskerInPlace}`;
	const isOn = sql`${isOpen} and ${users.isActive} = 1`;
	const isOff = sql`${isOpen} and ${users.isActive} = 0`;
	const [on, off] = [sql`json_object('isActive', json('true'))`, sql`json_object('isActive', json('false'))`];
	const { after, asker } = await db.batch({
		activated: audit(admin, { action: "user.activate", before: off, after: on }, isOff),
		deactivated: audit(admin, { action: "user.deactivate", before: on, after: off }, isOn),
		sessions: endSessionsStatement(db.build, isOn, "deactivated", now),
		change: db.build
			.update(users)
			.set({
				isActive: sql`1 - ${users.isActive}`,
				deactivatedAt: sql`iif(${users.isActive} = 1, ${now}, null)`,
				lastChangeId: changeId,
			})
			.where(isOpen),
		after: db.build.select().from(users).where(eq(users.id, id)),
		asker: db.build.select().from(users).where(eq(users.id, user.id)),
	});
	const person = after[0];
	if (person?.lastChangeId === changeId) return done(person);
	if (!person || person.deletedAt !== null || person.role === "none") return refused("not-found");
	const name = nameOf(person);
	if (person.id === user.id) return refused("oneself");
	if (!asker[0]?.isActive) return refused("no-longer-administrator");
	if (person.role === "driver" && person.approvalStatus !== "approved") return refused("not-approved", { name });
	return refused("unchanged", { name, isActive: person.isActive });
}

/** Corrects the name of a driver who has one; a name that is missing is his own to give. */
export async function renameDriver(admin: AdminContext, id: string, input: ProfileInput): Promise<Changed> {
	const { db } = admin;
	const changeId = crypto.randomUUID();
	const isOpen = sql`${liveDriver(id, changeId)} and ${hasName}`;
	const { after } = await db.batch({
		audit: audit(
			admin,
			{
				action: "driver.rename",
				before: sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName})`,
				after: sql`json_object('firstName', ${input.firstName}, 'lastName', ${input.lastName})`,
			},
			sql`${isOpen} and (${users.firstName} <> ${input.firstName} or ${users.lastName} <> ${input.lastName})`,
		),
		change: db.build
			.update(users)
			.set({ ...input, lastChangeId: changeId })
			.where(isOpen),
		after: db.build.select().from(users).where(eq(users.id, id)),
	});
	const person = after[0];
	if (person?.lastChangeId === changeId) return done(person);
	if (person?.role !== "driver" || person.deletedAt !== null) return refused("not-found");
	return refused("not-applied", { name: nameOf(person) });
}
