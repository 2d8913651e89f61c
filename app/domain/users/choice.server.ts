/**
 * The people a form offers to choose from, at a cost that does not grow with the fleet.
 *
 * A name is searched by its beginning, without regard to capitals, in an index that regards them: from the empty beginning on, each
 * character is tried small and large, and only beginnings that somebody's name has are followed. So the rows read depend on the length of
 * what was typed and on how often spellings part, not on how many people there are.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { type AskedPerson, type ChoiceRow, MOST_FOUND, MOST_IN_SELECT } from "./choice.ts";

type Standing = readonly [role: "admin" | "driver" | "none", approvalStatus: "pending" | "approved" | "rejected", isActive: 0 | 1];

const EVERY_STANDING: readonly Standing[] = (["admin", "driver", "none"] as const).flatMap((role) =>
	(["approved", "pending", "rejected"] as const).flatMap((status) => [[role, status, 1] as const, [role, status, 0] as const]),
);

/** Whom a form may mean. */
const CIRCLES = {
	/** Approved drivers at work: who can be charged something new. */
	activeDrivers: [["driver", "approved", 1]],
	/** Approved drivers, also those who have left: whoever has history. */
	approvedDrivers: [
		["driver", "approved", 1],
		["driver", "approved", 0],
	],
	/** Everybody who ever had an account. */
	everybody: EVERY_STANDING,
} as const satisfies Record<string, readonly Standing[]>;
export type Circle = keyof typeof CIRCLES;

/** Rows that are looked at for a first name among people whose last names begin alike. */
const MOST_NAMESAKES = 40;
/** After every character there is. */
const END = sql`char(1114111)`;

/** What is looked for: how a last name begins and, with two words, how the first name does. */
type Needle = { readonly small: string; readonly large: string; readonly first: string };

/** One spelling of every character, so that both texts have the same length in characters. */
const spelled = (text: string, change: (character: string) => string) =>
	[...text].map((character) => ([...change(character)].length === 1 ? change(character) : character)).join("");

function needle(last: string, first = ""): Needle {
	return {
		small: spelled(last, (character) => character.toLowerCase()),
		large: spelled(last, (character) => character.toUpperCase()),
		first: first.toLowerCase(),
	};
}

/** `Okafor`, `Omar Okafor`, `Okafor Omar` and `Okafor, Omar` all mean the same person; `van Dijk` is one last name. */
function needlesOf(text: string): Needle[] {
	const [before = "", after = ""] = text.split(/, ?| /, 2);
	const rest = text.slice(text.length - after.length);
	if (!after) return [needle(text.replace(/,$/, ""))];
	const parted = text.includes(",") ? [] : [needle(text), needle(text.slice(before.length + 1), before)];
	return [...parted, needle(before, rest)];
}

/** A code as people type it: `DRV-0012`, `drv12`, `0012` or `12`. */
function driverNumberIn(text: string): number | undefined {
	const [, digits] = /^(?:drv)?[- ]?0*(\d{1,9})$/i.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** A row of the answer, of somebody in `users`; nothing is selected twice, because every row passed on counts as read. */
const rowOf = (part: ChoiceRow["part"], matched: SQL = sql`null`) => sql`select ${part} as part, users.id as id, users.role as role,
	users.first_name as firstName, users.last_name as lastName, users.email as email, users.driver_number as driverNumber,
	users.is_active as isActive, ${matched} as matched, is_search as isSearch from size`;
/** People of a row's standing whose last names begin in one way: a range of the index `users_by_standing`. */
const beginsWith = (of: SQL, beginning: SQL) => sql`users.role = ${of}.role and users.approval_status = ${of}.status
	and users.is_active = ${of}.active and users.last_name >= ${beginning} and users.last_name < ${beginning} || ${END}`;

/** The beginnings of last names that somebody has, with how many characters of the needle are still to come. */
function walk(needles: readonly Needle[]): SQL {
	const roots = needles.map(({ small, large, first }) => sql`select ${small} as small, ${large} as large, ${first} as first`);
	const step = (letter: SQL, condition: SQL) => sql`
		select small, large, first, role, status, active, depth + 1, beginning || ${letter}, rest - 1 from walk
		where rest > 0 and ${condition} and exists (select 1 from users where ${beginsWith(sql`walk`, sql`walk.beginning || ${letter}`)})`;
	const small = sql`substr(small, depth + 1, 1)`;
	const large = sql`substr(large, depth + 1, 1)`;
	return sql`walk(small, large, first, role, status, active, depth, beginning, rest) as materialized (
		select small, large, first, role, status, active, 0, '', length(small) from (${sql.join(roots, sql` union all `)}) cross join circle
		union all ${step(small, sql`1`)}
		union all ${step(large, sql`${small} <> ${large}`)})`;
}

/** Who a search finds: by the beginning of the name, by the code, by the beginning of the address. */
function found(text: string, needles: readonly Needle[]): SQL {
	// All of it, or most of it: a missing accent or a slip at the end still finds.
	const isAlike = sql`(walk.rest = 0 or (walk.depth > 2 and walk.rest <= walk.depth))`;
	const begins = beginsWith(sql`walk`, sql`walk.beginning`);
	// The index stops at enough people; a first name is looked for among the first so many of those who share the beginning.
	const isNamed = needles.every(({ first }) => first === "")
		? begins
		: sql`users.id in (select id from (select id, first_name from users where ${begins} order by last_name, first_name, id limit ${MOST_NAMESAKES})
			where substr(lower(first_name), 1, length(walk.first)) = walk.first)`;
	const byName = sql`${rowOf("found", sql`substr(walk.small, 1, walk.depth)`)} cross join walk cross join users on ${isNamed}
		where is_search and walk.rest = (select min(rest) from walk where ${isAlike}) and ${isAlike} and users.deleted_at is null`;
	const isInCircle = sql`is_search and (users.role, users.approval_status, users.is_active) in (select role, status, active from circle)`;
	const address = text.toLowerCase();
	const byAddress = sql`${rowOf("found")} cross join users on users.id in (
			select id from users where email is not null and deleted_at is null and email >= ${address} and email < ${address} || ${END}
			order by email limit ${MOST_FOUND + 1})
		where ${isInCircle}`;
	const number = driverNumberIn(text);
	if (number !== undefined) return sql`${rowOf("found")} cross join users on users.driver_number = ${number} where ${isInCircle}`;
	return sql`select * from (${byName} limit ${MOST_FOUND + 1}) ${text.includes(" ") ? sql`` : sql`union all ${byAddress}`}`;
}

/**
 * The rows of `choiceFrom`: whoever is chosen; everybody, when a select can name them; otherwise whom the search finds.
 * @param circle whom the form may mean
 * @param otherwise who is chosen when nobody is asked for, such as the person of a row that is shown
 */
export function peopleToChoose(build: Builder, circle: Circle, { id, text }: AskedPerson, otherwise: SQL = sql`null`) {
	// Written out: as parameters they would be half of what D1 allows.
	const standings = CIRCLES[circle].map(([role, status, active]) => `('${role}', '${status}', ${active})`);
	const members = sql`circle cross join users on users.role = circle.role and users.approval_status = circle.status
		and users.is_active = circle.active and users.deleted_at is null`;
	const needles = text ? needlesOf(text) : [];
	return build.all<ChoiceRow>(sql`
		with recursive standings(role, status, active) as (values ${sql.raw(standings.join(", "))}),
			circle as materialized (select role, status, active from standings where exists (
				select 1 from users where users.role = standings.role and approval_status = standings.status and is_active = standings.active)),
			size as materialized (select count(*) > ${MOST_IN_SELECT} as is_search from (select 1 from ${members} limit ${MOST_IN_SELECT + 1}))
			${text ? sql`, ${walk(needles)}` : sql``}
		select 'size' as part, '' as id, '' as role, '' as firstName, '' as lastName, null as email, null as driverNumber, 0 as isActive,
			null as matched, is_search as isSearch from size
		union all ${rowOf("chosen")} cross join users on users.id = ${id ? sql`${id}` : otherwise}
		union all ${rowOf("few")} cross join ${members} where not is_search
		${text ? sql`union all ${found(text, needles)}` : sql``}`);
}
