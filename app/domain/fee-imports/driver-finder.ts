/** Finds the drivers that a file names. */
import { fold as foldName } from "../../values/fold.ts";

/** A driver, with what a statement can identify them by. */
export type NamedDriver = {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly email?: string | null;
	readonly driverNumber: number | null;
	readonly isActive: number;
};

/** The number of a driver's code. */
export function parseCode(text: string): number | undefined {
	const [, digits] = /^DRV-?0*(\d{1,9})$/i.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * Finds drivers by code, email or name; names are compared folded.
 * @param drivers those who can be meant by email or name
 * @param coded those who have, or had, one of the statement's codes
 */
export function createDriverFinder(
	drivers: readonly NamedDriver[],
	coded: readonly NamedDriver[],
): (text: string) => NamedDriver | string {
	const byNumber = new Map(coded.map((driver) => [driver.driverNumber, driver]));
	const byEmail = new Map(drivers.map((driver) => [driver.email, driver]));
	const byName = new Map<string, NamedDriver[]>();
	for (const driver of drivers)
		for (const name of new Set(
			[`${driver.firstName} ${driver.lastName}`, `${driver.lastName} ${driver.firstName}`].map(
				foldName,
			),
		))
			byName.set(name, [...(byName.get(name) ?? []), driver]);
	return (text) => {
		const code = parseCode(text);
		if (code !== undefined) return byNumber.get(code) ?? `No driver has the ID ${text}`;
		if (text.includes("@"))
			return byEmail.get(text.toLowerCase()) ?? `No approved driver has the email ${text}`;
		const [found, another] = byName.get(foldName(text)) ?? [];
		if (another) return `More than one driver is named ${text}. Use the driver ID`;
		return found ?? `No approved driver is named ${text}`;
	};
}
