/** Names, emails and standings of people, and the limits of their lists. */

import type { ShownRole } from "../kernel/standing.ts";

/** The code of a driver number: `DRV-0001`, with more digits past 9999. */
export function formatDriverCode(driverNumber: number | null): string | null {
	return driverNumber === null ? null : `DRV-${String(driverNumber).padStart(4, "0")}`;
}

/** What is shown of a driver without a code: some accounts of the past have none. */
export const NO_CODE = "N/A";

/** The code of a driver number where it is shown. */
export const shownDriverCode = (driverNumber: number | null): string =>
	formatDriverCode(driverNumber) ?? NO_CODE;

/**
 * The number in a typed code, `DRV-0012`, `drv12`, `0012` or `12`, or at the end of a name as our
 * lists show it, `Dana Driver (DRV-0012)`.
 */
export function driverNumberIn(text: string): number | undefined {
	const code = /\((DRV-\d+)\)(?:, inactive)?$/i.exec(text.trim())?.[1] ?? text.trim();
	const [, digits] = /^(?:drv)?[- ]?0*(\d{1,9})$/i.exec(code) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** Each role in a word. */
export const ROLE_NAMES: Readonly<Record<ShownRole, string>> = {
	admin: "Administrator",
	viewer: "Accountant",
	driver: "Driver",
	none: "No role",
};

/** Create Admin's roles. */
export const OFFICE_ROLES = ["admin", "viewer"] as const;
export const OFFICE_LABELS: Readonly<Record<(typeof OFFICE_ROLES)[number], string>> = {
	admin: ROLE_NAMES.admin,
	viewer: `${ROLE_NAMES.viewer} (can only look)`,
};

/** What someone is called by; the number is only a driver's. */
export type Named = {
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber?: number | null;
};

/** First and last name; the email, if it is known, or the driver ID if there is no name yet. */
export function displayName(user: Named & { readonly email: string | null }): string {
	const name = `${user.firstName} ${user.lastName}`.trim() || user.email;
	return name ?? formatDriverCode(user.driverNumber ?? null) ?? "Unnamed user";
}

/** A driver by name and ID, since two may have the same name; the ID alone if there is no name yet. */
export function nameWithCode(driver: Named): string {
	const code = formatDriverCode(driver.driverNumber ?? null);
	const name = displayName({ ...driver, email: null });
	return code && code !== name ? `${name} (${code})` : name;
}

/** The initials of first and last name: `DD`. */
export function formatInitials({
	firstName,
	lastName,
}: {
	firstName: string;
	lastName: string;
}): string {
	return [firstName, lastName]
		.map((name) => [...name.trim().normalize("NFC")][0]?.toUpperCase() ?? "")
		.join("");
}

const EMAIL_PATTERN =
	/^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))+$/;

/**
 * An email as it is compared and stored: trimmed, lowercase, ASCII; dots and tags are kept.
 * `undefined` if it isn't accepted.
 */
export function normalizeEmail(text: string): string | undefined {
	if (/\P{ASCII}/u.test(text)) return undefined;
	const address = text.trim().toLowerCase();
	return address.length <= 254 && EMAIL_PATTERN.test(address) ? address : undefined;
}

/** Rows on one page of the active and of the inactive drivers. */
export const DRIVERS_PAGE_SIZE = 50;
/** Applications shown at once; the oldest come first, so the others move up as they are decided. */
export const MAX_PENDING = 50;
/** Rejected applications, and administrators, shown at once. */
export const MAX_OTHERS = 100;

/** The message if whoever a payload names isn't one. */
export const NO_SUCH_DRIVER = "Select an approved driver";
