/**
 * The people a form offers to choose from, at a cost that doesn't grow with the fleet: every name
 * is found as a range of an index.
 */
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { prepare } from "../../db/prepared.server.ts";
import { fold } from "../../values/fold.ts";
import { roleIn } from "../kernel/shown-in-sql.server.ts";
import {
	type ChoiceRow,
	MAX_FOUND,
	MAX_IN_SELECT,
	type PeopleScope,
	type PersonQuery,
} from "./choice.ts";
import { driverNumberIn } from "./rules.ts";

type Standing = readonly [
	role: "admin" | "driver" | "none",
	approvalStatus: "pending" | "approved" | "rejected",
	isActive: 0 | 1,
];

const EVERY_STANDING: readonly Standing[] = (["admin", "driver", "none"] as const).flatMap((role) =>
	(["approved", "pending", "rejected"] as const).flatMap((status) => [
		[role, status, 1] as const,
		[role, status, 0] as const,
	]),
);

/** Who a form can refer to. */
const PEOPLE_SCOPES = {
	/** Approved, active drivers, who can be charged something new. */
	activeDrivers: [["driver", "approved", 1]],
	/** Approved drivers, including former ones: anyone with history. */
	approvedDrivers: [
		["driver", "approved", 1],
		["driver", "approved", 0],
	],
	/** Everyone who ever had an account. */
	everybody: EVERY_STANDING,
} as const satisfies Record<PeopleScope, readonly Standing[]>;

/** The circles of `person_names` in each scope. */
export const SCOPE_CIRCLES: Readonly<Record<PeopleScope, string>> = {
	activeDrivers: "(2)",
	approvedDrivers: "(2), (1)",
	everybody: "(2), (1), (0)",
};

/** Folded beginnings by which a name may be found. */
type NamePrefix = {
	readonly spelling: string;
	/** In characters. The longest one that a name matches counts. */
	readonly length: number;
	/** What a form says was found, if that isn't all that was typed. */
	readonly matched: string | null;
};

/**
 * How many characters are cut off the end of what was typed if nobody's name starts with all of it.
 */
const CUTS = [1, 2, 4, 8];
/** The minimum length of a part of what was typed. */
const SHORTEST_PART = 3;
/** How many words of a search count. */
const MAX_WORDS = 4;
/** How many people with one of the words are read if no name has two of them side by side. */
const MAX_LOOKED_AT = 36;
/** How far names with each word are counted to find the rarest. */
const MAX_COUNTED = 10;

const wordsOf = (text: string) => fold(text).split(" ").filter(Boolean).slice(0, MAX_WORDS);

/**
 * What a search looks for: all that was typed, with each word last in turn, since only the last one
 * may be incomplete: `O Okafor` starts no row of `person_names`, but `Okafor O` does. And in case
 * nobody's name starts with that, as much of it as may be right: with up to half cut off (for a
 * typo), each word, and the words after the first.
 */
function namePrefixes(words: readonly string[]): NamePrefix[] {
	const text = words.join(" ");
	const characters = [...text];
	const cut = CUTS.filter((missing) => missing <= characters.length / 2).map((missing) =>
		characters.slice(0, -missing).join("").trim(),
	);
	// Sets, so that nobody is found, and read, twice.
	const wholes = new Set(
		words.map((word, position) => [...words.toSpliced(position, 1), word].join(" ")),
	);
	const parts = new Set(words.length > 1 ? [...cut, ...words, words.slice(1).join(" ")] : cut);
	return [
		...[...wholes].map((spelling) => ({ spelling, matched: null })),
		...[...parts]
			.filter((part) => [...part].length >= SHORTEST_PART)
			.map((part) => ({ spelling: part, matched: part })),
	].map((prefix) => ({ ...prefix, length: [...prefix.spelling].length }));
}

/** A row of the result, for someone in `users`. */
const rowOf = (
	part: ChoiceRow["part"],
	matched: SQL = sql`null`,
) => sql`select ${part} as part, users.id as id, ${roleIn("users")} as role,
	users.first_name as firstName, users.last_name as lastName, users.email as email, users.driver_number as driverNumber,
	users.is_active as isActive, ${matched} as matched, is_search as isSearch from size`;

/** People of one standing of the scope. */
const OF_STANDING = sql`users.role = circle.role and users.approval_status = circle.status and users.is_active = circle.active
	and users.deleted_at is null`;
/**
 * The rows of one circle that start with this, up to the last character there is: a range of an
 * index.
 */
const rowsThatBegin = (beginning: SQL) => sql`person_names as names on names.circle = reach.circle
	and names.name >= ${beginning} and names.name < ${beginning} || char(1114111)`;

/** Who a search finds by name: only the best matches, each with what their name starts with. */
function foundByName(words: readonly string[]): { tables: SQL; rows: SQL } {
	const begun = rowsThatBegin(sql`beginnings.spelling`);
	const whole = [...words.join(" ")].length;
	const hasEach = words.map(
		(
			word,
		) => sql`((select spelling from rarest) = ${word} or exists (select 1 from person_names as others
			where others.user_id = looked_at.id and others.name >= ${word} and others.name < ${word} || char(1114111)))`,
	);
	return {
		tables: sql`beginnings(spelling, length, matched) as materialized (
				select value ->> 'spelling', value ->> 'length', value ->> 'matched' from json_each(${JSON.stringify(namePrefixes(words))})),
			closest(length) as materialized (select max(length) from beginnings
				where exists (select 1 from reach cross join ${begun})),
			words(spelling) as materialized (select value from json_each(${JSON.stringify(words)})
				where ${words.length > 1 ? 1 : 0} and coalesce((select length from closest), 0) < ${whole}),
			rarest(spelling) as materialized (select spelling from words
				order by (select count(*) from (select 1 from reach cross join ${rowsThatBegin(sql`words.spelling`)} limit ${MAX_COUNTED})),
					length(spelling) desc limit 1),
			looked_at(id) as materialized (select distinct names.user_id
				from rarest cross join reach cross join ${rowsThatBegin(sql`rarest.spelling`)} limit ${MAX_LOOKED_AT}),
			together(id) as materialized (select id from looked_at where ${hasEach.length > 0 ? sql.join(hasEach, sql` and `) : sql`0`} limit ${MAX_FOUND + 1}),
			named(id, matched) as materialized (select distinct names.user_id, beginnings.matched
				from closest cross join beginnings on beginnings.length = closest.length cross join reach cross join ${begun}
				where not exists (select 1 from together) limit ${MAX_FOUND + 1})`,
		rows: sql`select id, null as matched from together union all select id, matched from named`,
	};
}

/** Who a search finds: by code or the beginning of an email, or else also by that of a name. */
export function matchPeople(text: string): { tables: SQL; rows: SQL } {
	const number = driverNumberIn(text);
	const isInReach = sql`iif(users.role = 'driver' and users.approval_status = 'approved', 1 + users.is_active, 0)
		in (select circle from reach)`;
	const addressed = sql`addressed(id) as materialized (
			select names.user_id from reach cross join ${rowsThatBegin(sql`${`@${text.toLowerCase()}`}`)} limit ${MAX_FOUND + 1})`;
	// An email may begin with digits, too.
	if (number !== undefined)
		return {
			tables: sql`numbered(id) as (select users.id from users where users.driver_number = ${number}
				and users.deleted_at is null and ${isInReach}),
				${addressed}`,
			rows: sql`select id, null as matched from numbered union select id, null from addressed`,
		};
	const byName = foundByName(wordsOf(text));
	return {
		tables: sql`${byName.tables}, ${addressed}`,
		rows: sql`${byName.rows} union all select id, null from addressed`,
	};
}

/**
 * The rows of `toPersonChoice`: the chosen person; everyone, if a select is enough; otherwise whom
 * the search finds.
 * @param circle the scope of the form
 * @param otherwise who is chosen by default, such as the person of the row that is shown
 */
export function selectPersonChoices(
	build: Builder,
	circle: PeopleScope,
	query: PersonQuery,
	otherwise?: SQL,
) {
	return query.text || otherwise
		? choices(build, circle, query.text, query.id ? sql`${query.id}` : otherwise)
		: choicesWithout({ id: query.id || null }, circle);
}

/** Without a search, for opening a form. */
const choicesWithout = prepare(
	(build, value: (name: "id") => Placeholder, circle: PeopleScope | undefined) =>
		choices(build, circle ?? "everybody", "", sql`${value("id")}`),
);

function choices(build: Builder, circle: PeopleScope, text: string, chosen: SQL = sql`null`) {
	// Written out: as parameters they would be half of what D1 allows.
	const standings = PEOPLE_SCOPES[circle].map(
		([role, status, active]) => `('${role}', '${status}', ${active})`,
	);
	const members = sql`circle cross join users on ${OF_STANDING}`;
	const search = text ? matchPeople(text) : undefined;
	return build.all<ChoiceRow>(sql`
		with standings(role, status, active) as (values ${sql.raw(standings.join(", "))}),
			circle as materialized (select role, status, active from standings where exists (
				select 1 from users where users.role = standings.role and approval_status = standings.status and is_active = standings.active)),
			size as materialized (select count(*) > ${MAX_IN_SELECT} as is_search from (select 1 from ${members} limit ${MAX_IN_SELECT + 1})),
			reach(circle) as (select column1 from (values ${sql.raw(SCOPE_CIRCLES[circle])}) cross join size where is_search)
			${search ? sql`, ${search.tables}` : sql``}
		${sizeRow}
		union all ${rowOf("chosen")} cross join users on users.id = ${chosen}
		union all ${rowOf("few")} cross join ${members} where not is_search
		${search ? sql`union all ${foundRows(search.rows)}` : sql``}`);
}

const sizeRow = sql`select 'size' as part, '' as id, '' as role, '' as firstName, '' as lastName, null as email, null as driverNumber, 0 as isActive,
	null as matched, is_search as isSearch from size`;
const foundRows = (rows: SQL) => sql`select * from (${rowOf("found", sql`anybody.matched`)}
	cross join (${rows}) as anybody cross join users on users.id = anybody.id)`;

/**
 * The rows of `toPersonChoice` for a search, however small the fleet is.
 * @param text not empty
 */
export function searchPeople(build: Builder, circle: PeopleScope, text: string) {
	const { tables, rows } = matchPeople(text);
	return build.all<ChoiceRow>(sql`
		with size(is_search) as (values (1)), reach(circle) as (values ${sql.raw(SCOPE_CIRCLES[circle])}), ${tables}
		${sizeRow} union all ${foundRows(rows)}`);
}

/**
 * A driver with exactly one of some folded names, first or last name first, shared by no other
 * driver.
 */
export function selectNamesakes(build: Builder, names: readonly string[]) {
	return build.all<{
		name: string;
		id: string;
		firstName: string;
		lastName: string;
		driverNumber: number | null;
	}>(sql`
		select asked.value as name, users.id as id, users.first_name as firstName,
			users.last_name as lastName, users.driver_number as driverNumber
		from json_each(${JSON.stringify([...new Set(names)].filter(Boolean))}) as asked
		cross join users on users.id = (select iif(count(*) = 1, max(user_id), null) from (
			select user_id from person_names where circle in (1, 2) and name = asked.value limit 2))`);
}
