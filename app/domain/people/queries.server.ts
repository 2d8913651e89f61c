/** Lists of people. Every query is a statement; none grows past its page. */
import { and, asc, count, eq, inArray, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { prepare } from "../../db/prepared.server.ts";
import { bounces, users } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { UserRow } from "../kernel/context.ts";
import { isOfOfficeIn } from "../kernel/shown-in-sql.server.ts";
import { MAX_OTHERS } from "./rules.ts";
import { isApproved, isRole } from "./standing.server.ts";

/** What lists, on screen and in the API, show of a person. */
export const PERSON_COLUMNS = {
	id: users.id,
	role: users.role,
	isViewer: users.isViewer,
	firstName: users.firstName,
	lastName: users.lastName,
	email: users.email,
	unverifiedEmail: users.unverifiedEmail,
	driverNumber: users.driverNumber,
	approvalStatus: users.approvalStatus,
	isActive: users.isActive,
	createdAt: users.createdAt,
	appliedAt: users.appliedAt,
	approvedAt: users.approvedAt,
	invitedAt: users.invitedAt,
	inviteExpiresAt: users.inviteExpiresAt,
	claimedAt: users.claimedAt,
	pseudonymizedAt: users.pseudonymizedAt,
};
/** Also why their email couldn't be delivered; drizzle omits the table's name in a field. */
export const SHOWN_PERSON = {
	...PERSON_COLUMNS,
	bounce: sql<
		string | null
	>`(select reason from bounces where ${bounces.address} = users.email)`.as("bounce"),
};
/** A person in a list. */
export type ListedPerson = Pick<UserRow, keyof typeof PERSON_COLUMNS>;

/**
 * Pending means applied, with a complete name (docs/product.md, 'People, sign-in and gates').
 * Literals, because a partial index is used only for its exact words.
 */
const isApplicant = sql`role = 'driver' and approval_status = 'pending' and applied_at is not null and is_active = 1`;

/**
 * How many approved, active drivers there are.
 * @param onlyIf if false, nobody is read
 */
export function countDrivers(build: Builder, onlyIf?: SQL) {
	return build
		.select({ count: count() })
		.from(users)
		.where(
			and(
				isRole("driver", onlyIf),
				sql`${users.approvalStatus} = 'approved'`,
				isNull(users.deletedAt),
				eq(users.isActive, true),
			),
		);
}

/** How many applications are pending. */
export const countApplications = prepare((build) =>
	build.select({ count: count() }).from(users).where(isApplicant),
);

/** A position among the applications. */
type ApplicationPlace = Pick<ListedPerson, "appliedAt" | "id">;
/** A position among people by name. */
type NamePlace = Pick<ListedPerson, "lastName" | "firstName" | "id">;

/**
 * The ids of a page of applications, oldest first, as a sub-select. The index is named, because the
 * planner would otherwise sort all applications.
 */
export function selectOldestApplications(
	size: number | Placeholder,
	after?: ApplicationPlace,
): SQL {
	const later = after ? sql`(applied_at, id) > (${after.appliedAt}, ${after.id})` : sql`1`;
	return sql`(select id from users indexed by users_applications
		where ${isApplicant} and ${later}
		order by applied_at, id limit ${size})`;
}

/** Applications, oldest first; the page after `after`. */
export function listPendingDrivers(build: Builder, size: number, after?: ApplicationPlace) {
	return after ? pendingDrivers(build, size, after) : firstPending({ size });
}

const firstPending = prepare((build, value: (name: "size") => Placeholder) =>
	pendingDrivers(build, value("size")),
);

function pendingDrivers(build: Builder, size: number | Placeholder, after?: ApplicationPlace) {
	return build
		.select(SHOWN_PERSON)
		.from(users)
		.where(sql`${users.id} in ${selectOldestApplications(size, after)}`)
		.orderBy(asc(users.appliedAt), asc(users.id));
}

/** A driver of the same name as an applicant, who may be the same person. */
const namesakeOf = (applicantId: SQL) => sql`(select other.user_id from person_names as other
	where other.circle in (1, 2) and other.name = (select name from person_names
		where user_id = ${applicantId} and name not like '@%' order by length(name) desc limit 1)
	limit 1)`;

/** For each of the oldest applications, a driver of the same name. */
export const selectNamesakesOfApplicants = (build: Builder, size: number) =>
	build.all<{ applicantId: string; id: string }>(sql`
		select applicant.id as applicantId, ${namesakeOf(sql`applicant.id`)} as id
		from ${selectOldestApplications(size)} as applicant where id is not null`);

/** Likewise for whoever is found, if an applicant. */
export const NAMESAKE = sql<
	string | null
>`iif(users.role = 'driver' and users.approval_status = 'pending',
	${namesakeOf(sql`users.id`)}, null)`.as("namesake");

/**
 * Approved drivers, active or inactive, by last name, first name, id.
 * @param position a row that was read, or an id; there is nothing after an unknown id
 */
export function listApprovedDrivers(
	build: Builder,
	isActive: boolean,
	size: number,
	position?: Position<NamePlace | string>,
) {
	return position
		? approvedDrivers(build, isActive, size, position)
		: firstDrivers({ size }, { isActive });
}

type FirstPage = { readonly isActive: boolean };
const firstDrivers = prepare(
	(build, value: (name: "size") => Placeholder, shape: FirstPage | undefined) =>
		approvedDrivers(build, shape?.isActive === true, value("size")),
);

function approvedDrivers(
	build: Builder,
	isActive: boolean,
	size: number | Placeholder,
	position?: Position<NamePlace | string>,
) {
	const { lastName, firstName, id } = users;
	const place = position && { way: position.way, values: placeOf(position.cursor) };
	const { past, order } = keyset([lastName, firstName, id], "asc", place);
	return build
		.select(SHOWN_PERSON)
		.from(users)
		.where(and(isApproved, eq(users.isActive, isActive), past))
		.orderBy(order)
		.limit(size);
}

/** A row's values in the order of names. */
const placeOf = (row: NamePlace | string) =>
	typeof row === "string"
		? sql`(select last_name, first_name, id from users where id = ${row})`
		: [row.lastName, row.firstName, row.id];

/** Every approved driver, inactive ones first, then by name: the order of one index. */
export function listAllDrivers(
	build: Builder,
	size: number,
	after?: NamePlace & Pick<ListedPerson, "isActive">,
) {
	const later =
		after &&
		sql`(${users.isActive}, ${users.lastName}, ${users.firstName}, ${users.id}) > (${after.isActive ? 1 : 0}, ${after.lastName}, ${after.firstName}, ${after.id})`;
	return build
		.select(PERSON_COLUMNS)
		.from(users)
		.where(and(isApproved, later))
		.orderBy(asc(users.isActive), asc(users.lastName), asc(users.firstName), asc(users.id))
		.limit(size);
}

/** Rejected applications, by name. */
export const listRejectedDrivers = prepare((build) =>
	build
		.select(SHOWN_PERSON)
		.from(users)
		.where(
			sql`${users.role} = 'driver' and ${users.approvalStatus} = 'rejected' and ${users.deletedAt} is null`,
		)
		.orderBy(asc(users.isActive), asc(users.lastName), asc(users.firstName), asc(users.id))
		.limit(MAX_OTHERS),
);

/** Administrators and accountants, active ones first. */
export const listOffice = prepare((build) =>
	build
		.select(SHOWN_PERSON)
		.from(users)
		.where(
			and(inArray(users.role, ["admin", "none"]), isOfOfficeIn("users"), isNull(users.deletedAt)),
		)
		.orderBy(sql`${users.isActive} desc`, asc(users.lastName), asc(users.firstName), asc(users.id))
		.limit(MAX_OTHERS),
);

/** The person a dialog is about. */
export function findPerson(build: Builder, id: string) {
	return build
		.select(SHOWN_PERSON)
		.from(users)
		.where(and(eq(users.id, id), isNull(users.deletedAt)));
}
