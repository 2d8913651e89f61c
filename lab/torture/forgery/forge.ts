/** Requests that name another person's rows in their URL or body. */

import { verdictForMethod } from "../../../app/routing/routes.ts";
import { multipart } from "../../../tests/support/forms.ts";
import type { Dice } from "../dice.ts";
import { fieldsOf, LINES, QUERY_NAMES, type RouteLine } from "../fuzz/grammar.ts";
import { draft } from "../fuzz/request.ts";
import { SPELLINGS } from "./spellings.ts";
import type { Victim } from "./victim.ts";

export type Forged = {
	readonly path: string;
	readonly options: {
		readonly method?: string;
		readonly body?: string | Uint8Array;
		readonly headers?: Record<string, string>;
	};
	/** Whether its path names a single row by its genuine id. */
	readonly isAboutOne: boolean;
	/** Whether only a query parameter names it. */
	readonly isQuery: boolean;
	/** A description for the log. */
	readonly what: string;
};

/** Every route but sign-in and sign-out, which take no ids. */
const PLACES = LINES.filter(({ rule }) => !/\/api\/(login|logout|callback)/.test(rule.path));
const SPELLING_NAMES = Object.keys(SPELLINGS);
const ID = /[0-9a-f]{8}-[\w-]{27}/;

/** A request to a random route; `own` is the sender's own id. */
export async function forge(victim: Victim, own: string, dice: Dice): Promise<Forged> {
	const { rule, method } = dice.pick(PLACES);
	const request = draft({ rule, method }, dice, victim.known);
	const spelling = dice.pick(SPELLING_NAMES);
	const spell = (id: string) => SPELLINGS[spelling]?.(id, own) ?? id;
	const isSpelledInPath = rule.path.includes(":id") && dice.once(2);
	const named = dice.once(3) ? dice.pick(victim.ids) : undefined;
	const path = isSpelledInPath
		? request.path.replace(ID, (id) => encodeURIComponent(spell(named ?? id)))
		: request.path;
	const query = dice.once(method === "GET" ? 1 : 4)
		? `?${dice.pick(QUERY_NAMES)}=${encodeURIComponent(spell(dice.pick(victim.ids)))}`
		: "";
	const isAboutOne = path !== rule.path && !isSpelledInPath;
	const forged = { path: path + query, isAboutOne, isQuery: method === "GET" && !isAboutOne };
	if (method === "GET") return { ...forged, options: {}, what: `GET ${forged.path} (${spelling})` };

	const fields = Object.fromEntries(
		request.fields.map(({ name, value }) => {
			const isId = victim.ids.includes(String(value));
			return [name, isId && dice.once(2) ? spell(String(value)) : String(value)];
		}),
	);
	const names = Object.keys(fields);
	if (names.length > 0 && dice.once(3)) fields[dice.pick(names)] = spell(dice.pick(victim.ids));
	const what = `${method} ${forged.path} (${spelling}) ${JSON.stringify(fields)}`;
	return { ...forged, what, options: await bodyOf(request.encoding, method, fields) };
}

/** Sends an id in every path, query parameter, field and intent that drivers' requests accept. */
export async function forgeEverywhere(
	victim: Victim,
	id: string,
	dice: Dice,
): Promise<readonly Forged[]> {
	const forged: Forged[] = [];
	for (const line of PLACES.filter(isDriversOwn)) {
		const { rule, method } = line;
		const request = draft(line, dice, victim.known);
		const path = rule.path.replace(":id", id);
		const isAboutOne = path !== rule.path;
		const place = { isAboutOne, isQuery: method === "GET" && !isAboutOne };
		if (method === "GET") {
			const paths = isAboutOne ? [path] : QUERY_NAMES.map((name) => `${path}?${name}=${id}`);
			forged.push(...paths.map((each) => ({ ...place, path: each, options: {}, what: each })));
			continue;
		}
		const given = Object.fromEntries(
			request.fields.map(({ name, value }) => [
				name,
				victim.ids.includes(String(value)) || isIdName(name) ? id : String(value),
			]),
		);
		for (const intent of fieldsOf(rule).intents ?? [undefined]) {
			const fields: Record<string, string> = intent === undefined ? given : { ...given, intent };
			forged.push({
				...place,
				path,
				options: await bodyOf(request.encoding, method, fields),
				what: `${method} ${path} ${JSON.stringify(fields)}`,
			});
		}
	}
	return forged;
}

const isDriversOwn = ({ rule, method }: RouteLine) =>
	verdictForMethod(rule, method, "driver") === "allow";
const isIdName = (name: string) => /^(id|session)$|Id$|receiptUrl/.test(name);

async function bodyOf(
	encoding: "json" | "form" | "multipart",
	method: string,
	fields: Record<string, string>,
): Promise<Forged["options"]> {
	if (encoding === "multipart") return multipart(fields, undefined);
	const [body, type] =
		encoding === "form"
			? [new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded"]
			: [JSON.stringify(fields), "application/json"];
	return { method, body, headers: { "Content-Type": type } };
}
