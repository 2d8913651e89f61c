/** A row's driver: an id or a name, and nothing else about a person. */
import { hasForbiddenCharacter, hasReorderingCharacter, truncate } from "../../values/fields.ts";
import { isBroken } from "./amount.ts";
import { foldDriver } from "./heading.ts";

const MAX_NAME_LENGTH = 200;
const ID = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,99}$/u;
/** `1.73368E+06`: a number that a spreadsheet shortened to its beginning. */
const SHORTENED = /^\d+(?:[.,]\d+)?e\+?\d+$/i;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether an id is still complete. */
export function isIdentifier(text: string): boolean {
	return ID.test(text) && !SHORTENED.test(text);
}

/** Whether a spreadsheet kept only the beginning of a number: `9.01E+18`. */
export const isShortened = (reference: string): boolean =>
	/^\d/.test(reference) &&
	/e\+?\d+$/i.test(reference) &&
	!isIdentifier(reference.replace(",", "."));

/** A driver's id on the platform; empty if it is missing or incomplete. */
export function readId(cell: string): string {
	if (!isIdentifier(cell)) return "";
	return UUID.test(cell) ? cell.toLowerCase() : cell;
}

/** The nil id, which stands for the fleet. */
export function isNobody(id: string): boolean {
	return /^[0-]+$/.test(id);
}

/** A phone number or an email in a name column is left out. */
const CONTACT = /@|^\+?[\d\s().-]{6,}$/;

/** A name from its parts; a dash is empty. */
export function readName(parts: readonly string[]): string {
	const name = parts
		.filter((part) => !isBroken(part) && !CONTACT.test(part) && !/^[-–—−]+$/.test(part))
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
	return cleanText(name);
}

/** A text that may name a driver, without characters that couldn't be shown. */
export function cleanText(text: string): string {
	const isClean = !hasForbiddenCharacter(text) && !hasReorderingCharacter(text);
	const shown = isClean ? text : text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/gu, "").trim();
	return truncate(shown, MAX_NAME_LENGTH);
}

/** What distinguishes drivers: the id, or the folded name without one. */
export function driverKey(platformId: string, name: string): string {
	return platformId === "" ? `name=${truncate(foldDriver(name), MAX_NAME_LENGTH)}` : platformId;
}
