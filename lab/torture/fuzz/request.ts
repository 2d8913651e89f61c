/** A request of the fuzzer: a genuine one with one to three faults. */
import { gzipSync } from "node:zlib";
import { verdictForMethod } from "../../../app/routing/routes.ts";
import type { Dice } from "../dice.ts";
import { encode, type Field, percent } from "./bodies.ts";
import {
	fieldsOf,
	genuine,
	type Known,
	LINES,
	QUERY_NAMES,
	type RouteLine,
	urlOf,
} from "./grammar.ts";
import {
	CONTENT_TYPES,
	COOKIES,
	HEADERS,
	JSON_BODIES,
	jsonValue,
	NAMES,
	PATHS,
	TEXTS,
} from "./nasty.ts";

export const PEOPLE = ["visitor", "driver", "administrator"] as const;
export type PersonName = (typeof PEOPLE)[number];

export type FuzzRequest = {
	readonly as: PersonName;
	readonly method: string;
	readonly path: string;
	/** Headers as Node sends them, with text beyond ASCII as Latin-1. */
	readonly headers: Record<string, string>;
	/** Sent with the person's session, or instead of it. */
	readonly cookie?: { readonly text: string; readonly isAlone: boolean };
	readonly body?: Uint8Array | undefined;
	/** The request before any fault was added. */
	readonly genuine: Pick<FuzzRequest, "method" | "path" | "headers"> & {
		readonly body?: Uint8Array | undefined;
	};
	/** The names of its faults. */
	readonly faults: readonly string[];
};
type Encoding = "json" | "form" | "multipart";
/** A request before its body is written. */
type Draft = {
	-readonly [K in keyof FuzzRequest]: FuzzRequest[K];
} & { faults: string[]; fields: Field[]; encoding: Encoding };

const METHODS = ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "POST", "GET"];
const hasBody = (method: string) => method !== "GET" && method !== "HEAD";

/** A genuine request to a route. */
export function draft({ rule, method }: RouteLine, dice: Dice, known: Known): Draft {
	const { intents, names } = fieldsOf(rule);
	const fields: Field[] = names.map((name) => ({ name, value: genuine(name, dice, known) }));
	if (intents) fields.push({ name: "intent", value: dice.pick(intents) });
	const isCall = rule.kind === "api" && !rule.takesForm;
	const ofFile = rule.takesFile && (rule.kind === "page" || dice.once(2));
	const page = { Accept: "text/html", "Sec-Fetch-Site": "same-origin" };
	const own = {
		as: "visitor" as const,
		method,
		path: urlOf(rule, dice, known),
		headers: rule.kind === "api" ? { Accept: "application/json" } : page,
		faults: [],
		fields: hasBody(method) ? fields : [],
		encoding: (ofFile ? "multipart" : isCall ? "json" : "form") as Encoding,
	} satisfies Omit<Draft, "genuine">;
	const { body, headers } = encoded(own, dice);
	return { ...own, genuine: { method, path: own.path, headers, body } };
}

/** A draft's own body, or the one built from its fields, and the headers with its content type. */
function encoded(
	{ method, headers, body, fields, encoding }: Omit<Draft, "genuine">,
	dice: Dice,
): Pick<Draft, "headers" | "body"> {
	if (!hasBody(method) || method === "TRACE") return { headers, body: undefined };
	if (body) return { headers, body };
	const { bytes, contentType } = encode(fields, encoding, dice);
	return { headers: { "Content-Type": contentType, ...headers }, body: bytes };
}

/** A string encoded for a URL, including lone surrogates. */
const inUrl = (text: string) => percent(text).slice(0, 9000);

type Fault = (request: Draft, dice: Dice, known: Known) => void;
const FAULTS: Readonly<Record<string, Fault>> = {
	value: ({ fields }, dice) => {
		if (fields.length > 0) dice.pick(fields).value = dice.pick(TEXTS);
	},
	type: ({ fields }, dice) => {
		if (fields.length > 0) dice.pick(fields).value = jsonValue(dice);
	},
	missing: ({ fields }, dice) => {
		if (fields.length > 0) fields.splice(dice.below(fields.length), 1);
	},
	repeated: ({ fields }, dice) => {
		if (fields.length > 0) fields.push({ ...dice.pick(fields), value: dice.pick(TEXTS) });
	},
	many: ({ fields }, dice) => {
		const count = dice.pick([51, 600, 5000]);
		for (let each = 0; each < count; each++) fields.push({ name: `f${each}`, value: "x" });
	},
	name: ({ fields }, dice) => {
		fields.push({ name: dice.pick(NAMES), value: dice.pick(TEXTS) });
	},
	file: (request, dice) => {
		request.encoding = "multipart";
		request.fields.push({
			name: dice.pick(["receipt", "file", "statement", "csv"]),
			value: dice.pick(TEXTS),
			file: dice.pick(["x.png", "", "../../x", "a\0b.csv", 'a"b.csv', "x".repeat(3000)]),
		});
	},
	encoding: (request, dice) => {
		request.encoding = dice.pick(["json", "form", "multipart"]);
	},
	"content type": (request, dice) => {
		request.headers["Content-Type"] = dice.pick(CONTENT_TYPES);
	},
	json: (request, dice) => {
		request.body = Buffer.from(dice.pick(JSON_BODIES));
		request.headers["Content-Type"] ??= "application/json";
	},
	header: (request, dice) => {
		const [name, values] = dice.pick(HEADERS);
		request.headers[name] = dice.pick(values);
	},
	cookie: (request, dice) => {
		request.cookie = { text: dice.pick(COOKIES), isAlone: dice.once(2) };
	},
	method: (request, dice) => {
		request.method = dice.pick(METHODS);
	},
	query: (request, dice) => {
		const pairs = Array.from(
			{ length: 1 + dice.below(4) },
			() =>
				`${dice.once(6) ? inUrl(dice.pick(NAMES)) : dice.pick(QUERY_NAMES)}=${inUrl(dice.pick(TEXTS))}`,
		);
		request.path += `?${pairs.join("&").slice(0, 12_000)}`;
	},
	"filter with a row": (request, dice, known) => {
		const name = dice.pick(QUERY_NAMES);
		request.path += `?${name}=${inUrl(genuine(name, dice, known))}&dialog=${dice.pick(QUERY_NAMES)}`;
	},
	path: (request, dice) => {
		request.path = dice.pick(PATHS);
	},
	id: (request, dice) => {
		request.path = request.path.replace(
			/[0-9a-f]{8}-[\w-]{27}/,
			inUrl(dice.pick(TEXTS)).slice(0, 6000),
		);
	},
};
const FAULT_NAMES = Object.keys(FAULTS);

/** A body damaged in transit. */
function damaged(
	body: Uint8Array,
	headers: Draft["headers"],
	dice: Dice,
): Pick<Draft, "headers" | "body"> {
	switch (dice.below(6)) {
		case 0:
			return { headers: { ...headers, "Content-Encoding": "gzip" }, body: gzipSync(body) };
		case 1:
			return { headers, body: body.subarray(0, dice.below(body.byteLength + 1)) };
		case 2:
			return { headers, body: Buffer.concat([body, body.subarray(0, 2000)]) };
		case 3:
			return { headers, body: Buffer.from(Buffer.from(body).toString("utf8"), "utf16le") };
		default: {
			const bytes = Uint8Array.from(body);
			for (let each = 0; each < 4 && bytes.length > 0; each++)
				bytes[dice.below(bytes.length)] = dice.below(256);
			return { headers, body: bytes };
		}
	}
}

const KINDS = { visitor: "visitor", driver: "driver", administrator: "admin" } as const;
const isAllowed = ({ rule, method }: RouteLine, name: PersonName) =>
	verdictForMethod(rule, method, KINDS[name]) === "allow";

/** A random malformed request. */
export function malformedRequest(dice: Dice, known: Known): FuzzRequest {
	const line = dice.pick(LINES);
	const request = draft(line, dice, known);
	// Mostly a person with permission, because requests refused by the guard go no further.
	const allowed = PEOPLE.filter((name) => isAllowed(line, name));
	request.as = dice.pick(allowed.length === 0 || dice.once(5) ? PEOPLE : allowed);
	const count = 1 + dice.below(3);
	for (let each = 0; each < count; each++) {
		const name = dice.pick(FAULT_NAMES);
		FAULTS[name]?.(request, dice, known);
		request.faults.push(name);
	}
	const { fields, encoding, ...rest } = request;
	const { headers, body } = encoded(request, dice);
	if (!body || !dice.once(6)) return { ...rest, headers, body };
	return {
		...rest,
		...damaged(body, headers, dice),
		faults: [...request.faults, "bytes"],
	};
}
