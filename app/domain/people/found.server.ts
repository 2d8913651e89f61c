/** The people whom the drivers screen's search finds. */
import { asc, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { isOfOffice, roleOf } from "../kernel/standing.ts";
import { matchPeople, SCOPE_CIRCLES } from "./choice.server.ts";
import { MAX_FOUND } from "./choice.ts";
import { type ListedPerson, NAMESAKE, SHOWN_PERSON } from "./queries.server.ts";
import type { PeopleList } from "./search.ts";

/** The circle of `person_names` in which a list's people are. */
const CIRCLES: Readonly<Record<PeopleList, string>> = {
	active: "(2)",
	inactive: "(1)",
	pending: "(0)",
	rejected: "(0)",
	administrators: "(0)",
};

/**
 * Whoever a search finds, by name, plus one row that shows whether there are more. Names that match
 * only part of it count if none matches all of it.
 * @param text not empty
 * @param list the only list that is shown; absent for all
 */
export function findPeople(build: Builder, text: string, list?: PeopleList) {
	const circles = list ? CIRCLES[list] : SCOPE_CIRCLES.everybody;
	const { tables, rows } = matchPeople(text);
	return build
		.select({ ...SHOWN_PERSON, namesake: NAMESAKE })
		.from(users)
		.where(
			sql`${users.id} in (with reach(circle) as (values ${sql.raw(circles)}), ${tables},
				found(id, matched) as materialized (${rows})
				select id from found where matched is null or (select max(matched is null) from found) = 0)`,
		)
		.orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
		.limit(MAX_FOUND + 1);
}

/** The list that a person is in; undefined for someone who hasn't applied yet. */
export function listOf(user: ListedPerson): PeopleList | undefined {
	const role = roleOf(user);
	if (isOfOffice(role)) return "administrators";
	if (role !== "driver") return undefined;
	if (user.approvalStatus === "approved") return user.isActive ? "active" : "inactive";
	if (user.approvalStatus === "rejected") return "rejected";
	return user.appliedAt !== null && user.isActive ? "pending" : undefined;
}
