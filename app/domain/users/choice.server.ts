/**
 * The people a form offers to choose from, at a cost that does not grow with the fleet: every name
 * is found as a range of an index.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { type ChoiceRow, MAX_FOUND, MAX_IN_SELECT, type PersonQuery } from "./choice.ts";

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
	/** Approved drivers at work: who can be charged something new. */
	activeDrivers: [["driver", "approved", 1]],
	/** Approved drivers, including former ones: anyone with history. */
	approvedDrivers: [
		["driver", "approved", 1],
		["driver", "approved", 0],
	],
	/** Everybody who ever had an account. */
	everybody: EVERY_STANDING,
} as const satisfies Record<string, readonly Standing[]>;
export type PeopleScope = keyof typeof PEOPLE_SCOPES;

/** What a name may begin with to be found. */
type NamePrefix = {
	readonly spelling: string;
	/** In characters. The longest that some name has is the one that counts. */
	readonly length: number;
	/** What a form says was found, when that is not all that was typed. */
	readonly matched: string | null;
};

/**
 * Characters that are cut off the end of what was typed when nobody's name begins with all of it.
 */
const CUTS = [1, 2, 4, 8];
/** Characters that a part of what was typed has at least. */
const SHORTEST_PART = 3;

/**
 * The indexes take A to Z for a to z and no more. A text with other letters is looked for in the
 * ways that names are written: as it was typed, all small, all large, and with a large letter at
 * the beginning of each word.
 */
function caseVariants(text: string): string[] {
	const small = text.toLowerCase();
	const titled = small.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
	const folded = [text, small, text.toUpperCase(), titled].map((each) =>
		each.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
	);
	return [...new Set(folded)];
}

/**
 * What a search looks for: all that was typed, also with its first word last, since `O Okafor`
 * begins no name and `Okafor O` does. And for when nobody's name begins so, as much of it as may be
 * right: up to half cut off (a missing accent, a slip), the first word, the others.
 */
function namePrefixes(typed: string): NamePrefix[] {
	const text = typed.replace(/\s*,\s*/g, " ").trim();
	const characters = [...text];
	const [first = "", ...others] = text.split(" ");
	const rest = others.join(" ");
	const cut = CUTS.filter((missing) => missing <= characters.length / 2).map((missing) =>
		characters.slice(0, -missing).join("").trim(),
	);
	// Sets, so that nobody is found, and read, twice.
	const wholes = new Set(rest ? [text, `${rest} ${first}`] : [text]);
	const parts = new Set(rest ? [...cut, first, rest] : cut);
	return [
		...[...wholes].filter(Boolean).map((beginning) => ({ beginning, matched: null })),
		...[...parts]
			.filter((part) => [...part].length >= SHORTEST_PART)
			.map((part) => ({ beginning: part, matched: part.toLowerCase() })),
	].flatMap(({ beginning, matched }) =>
		caseVariants(beginning).map((spelling) => ({
			spelling,
			length: [...beginning].length,
			matched,
		})),
	);
}

/** A code as people type it: `DRV-0012`, `drv12`, `0012` or `12`. */
function driverNumberIn(text: string): number | undefined {
	const [, digits] = /^(?:drv)?[- ]?0*(\d{1,9})$/i.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** A row of the answer, of somebody in `users`. */
const rowOf = (
	part: ChoiceRow["part"],
	matched: SQL = sql`null`,
) => sql`select ${part} as part, users.id as id, users.role as role,
	users.first_name as firstName, users.last_name as lastName, users.email as email, users.driver_number as driverNumber,
	users.is_active as isActive, ${matched} as matched, is_search as isSearch from size`;

/** People of one standing of the circle. */
const OF_STANDING = sql`users.role = circle.role and users.approval_status = circle.status and users.is_active = circle.active
	and users.deleted_at is null`;
/** True of texts that begin so: up to the last character there is. */
const begins = (text: SQL, beginning: SQL) =>
	sql`${text} >= ${beginning} and ${text} < ${beginning} || char(1114111)`;
/**
 * People of one standing whose names begin in one way: a range of the index `users_by_last_name`,
 * and one of `users_by_first_name`.
 */
const NAMED = [
	sql`users.last_name || ' ' || users.first_name`,
	sql`users.first_name || ' ' || users.last_name`,
].map(
	(name) =>
		sql`users on ${OF_STANDING} and ${begins(sql`(${name}) collate nocase`, sql`beginnings.spelling`)}`,
);

/** The beginnings that are looked for, and the length of the longest that somebody's name has. */
function searched(text: string): SQL {
	const somebody = NAMED.map((named) => sql`exists (select 1 from circle cross join ${named})`);
	return sql`beginnings(spelling, length, matched) as materialized (
			select value ->> 'spelling', value ->> 'length', value ->> 'matched' from json_each(${JSON.stringify(namePrefixes(text))})),
		closest(length) as materialized (select max(length) from beginnings where ${sql.join(somebody, sql` or `)})`;
}

/**
 * Who a search finds: by the code, or else by the beginning of the name, and by that of the
 * address.
 */
function found(text: string): SQL {
	const isInCircle = sql`is_search and (users.role, users.approval_status, users.is_active) in (select role, status, active from circle)`;
	const number = driverNumberIn(text);
	if (number !== undefined)
		return sql`${rowOf("found")} cross join users on users.driver_number = ${number} where ${isInCircle}`;
	const byName = NAMED.map(
		(named) => sql`select * from (${rowOf("found", sql`beginnings.matched`)}
			cross join closest cross join beginnings on beginnings.length = closest.length cross join circle cross join ${named}
			where is_search limit ${MAX_FOUND + 1})`,
	);
	const byAddress = sql`${rowOf("found")} cross join users on users.id in (
			select id from users where email is not null and deleted_at is null and ${begins(sql`email`, sql`${text.toLowerCase()}`)}
			order by email limit ${MAX_FOUND + 1})
		where ${isInCircle}`;
	return sql`select * from (${sql.join([...byName, byAddress], sql` union all `)})`;
}

/**
 * The rows of `toPersonChoice`: whoever is chosen; everybody, when a select can name them;
 * otherwise whom the search finds.
 * @param circle whom the form may mean
 * @param otherwise who is chosen when nobody is asked for, such as the person of a row that is
 * shown
 */
export function selectPersonChoices(
	build: Builder,
	circle: PeopleScope,
	{ id, text }: PersonQuery,
	otherwise: SQL = sql`null`,
) {
	// Written out: as parameters they would be half of what D1 allows.
	const standings = PEOPLE_SCOPES[circle].map(
		([role, status, active]) => `('${role}', '${status}', ${active})`,
	);
	const members = sql`circle cross join users on ${OF_STANDING}`;
	return build.all<ChoiceRow>(sql`
		with standings(role, status, active) as (values ${sql.raw(standings.join(", "))}),
			circle as materialized (select role, status, active from standings where exists (
				select 1 from users where users.role = standings.role and approval_status = standings.status and is_active = standings.active)),
			size as materialized (select count(*) > ${MAX_IN_SELECT} as is_search from (select 1 from ${members} limit ${MAX_IN_SELECT + 1}))
			${text ? sql`, ${searched(text)}` : sql``}
		select 'size' as part, '' as id, '' as role, '' as firstName, '' as lastName, null as email, null as driverNumber, 0 as isActive,
			null as matched, is_search as isSearch from size
		union all ${rowOf("chosen")} cross join users on users.id = ${id ? sql`${id}` : otherwise}
		union all ${rowOf("few")} cross join ${members} where not is_search
		${text ? sql`union all ${found(text)}` : sql``}`);
}
