/** Interprets the search box: a number of some kind, or a person. */
import { driverNumberIn } from "../people/rules.ts";

/** How many characters of a search count. */
const MAX_LENGTH = 100;

/** What a text may mean; a plain number may mean three things. */
export type FindQuery = {
	readonly text: string;
	readonly requestNumber: number | undefined;
	readonly payoutNumber: number | undefined;
	/** Only with its prefix. */
	readonly settlementNumber: number | undefined;
	/** Whether it may be a name, an email or a driver ID. */
	readonly isPerson: boolean;
};

/** Parses a URL. */
export function parseFind(query: URLSearchParams): FindQuery {
	const text = (query.get("q") ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH).trim();
	const [, prefix, digits] = /^(fr|po|st)?[- #]*0*(\d{1,9})$/i.exec(text) ?? [];
	const kind = prefix?.toLowerCase();
	const number = digits === undefined ? undefined : Number(digits);
	return {
		text,
		requestNumber: kind === undefined || kind === "fr" ? number : undefined,
		payoutNumber: kind === undefined || kind === "po" ? number : undefined,
		settlementNumber: kind === "st" ? number : undefined,
		isPerson: text !== "" && (kind === undefined || driverNumberIn(text) !== undefined),
	};
}
