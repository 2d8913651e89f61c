/**
 * Matches lines of a statement with drivers: by the answers, by what was remembered, or by code,
 * email or name.
 */

import { fold as foldName } from "../../values/fold.ts";
import type { AdminContext } from "../kernel/context.ts";
import {
	type MatchedDriver,
	selectAliases,
	selectDrivers,
	selectDriversByCode,
	selectDriversByName,
} from "./comparison.server.ts";
import { foldDriver } from "./heading.ts";
import { readId } from "./persons.ts";
import type { StatementFacts } from "./reading.server.ts";
import type { WaitingStatement } from "./waiting.server.ts";

type Named = { readonly platformId: string; readonly name: string };

/** What a row's driver is remembered by: the platform's id, or the folded name if it has none. */
export const identityOf = ({ platformId, name }: Named): string => platformId || foldDriver(name);

/** What a driver of the file is remembered by, however the id or the name is written. */
export const identifierOf =
	({ hasIds, namesWithoutId = [] }: StatementFacts) =>
	(text: string): string => {
		const name = foldDriver(text);
		return hasIds && !namesWithoutId.includes(name) ? readId(text.trim()) || name : name;
	};

export class DriverMatcher {
	readonly #drivers = new Map<string, MatchedDriver | undefined>();
	readonly #coded = new Map<number | null, MatchedDriver>();
	/** The statement's names, by its drivers' identifiers. */
	readonly names = new Map<string, string>();

	private constructor(
		private readonly admin: AdminContext,
		private readonly platform: string,
		private readonly findByName: (name: string) => MatchedDriver | undefined,
	) {}

	/** A matcher that knows a statement's answers, keyed by identity. */
	static async for(
		admin: AdminContext,
		{ facts, answers }: WaitingStatement,
	): Promise<DriverMatcher> {
		const { db } = admin;
		const chosen = Object.entries(answers.drivers);
		const { people, names } = await db.batch({
			people: selectDrivers(db.build, [...new Set(chosen.map(([, id]) => id))]),
			...(facts.hasIds && !facts.namesWithoutId?.length
				? {}
				: { names: selectDriversByName(db.build) }),
		});
		const matcher = new DriverMatcher(admin, facts.platform, byName(names ?? []));
		const byId = new Map(people.map((person) => [person.id, person]));
		for (const [identity, id] of chosen) matcher.#drivers.set(identity, byId.get(id));
		return matcher;
	}

	/** The statements that look up the drivers who aren't known yet. */
	lookUp(lines: readonly Named[]) {
		const unknown = lines.filter((line) => !this.#drivers.has(identityOf(line)));
		const { build } = this.admin.db;
		const numbers = unknown.flatMap(({ platformId, name }) =>
			platformId === "" ? (codeIn(name) ?? []) : [],
		);
		return {
			aliases: selectAliases(build, this.platform, [...new Set(unknown.map(identityOf))]),
			coded: numbers.length > 0 ? selectDriversByCode(build, [...new Set(numbers)]) : undefined,
		};
	}

	/** Adds the results of `lookUp`. */
	learn(
		aliases: readonly (MatchedDriver & { readonly platformId: string })[],
		coded: readonly MatchedDriver[],
	): void {
		for (const { platformId, ...driver } of aliases) this.#drivers.set(platformId, driver);
		for (const driver of coded) this.#coded.set(driver.driverNumber, driver);
	}

	match(platformId: string, name: string) {
		const identity = identityOf({ platformId, name });
		this.names.set(identity, this.names.get(identity) || name);
		if (!this.#drivers.has(identity))
			this.#drivers.set(identity, platformId === "" ? this.#find(name) : undefined);
		return { identity, driver: this.#drivers.get(identity) };
	}

	/** A driver by code, or an approved one by email or name. */
	#find(text: string): MatchedDriver | undefined {
		const code = codeIn(text);
		return code === undefined ? this.findByName(text) : this.#coded.get(code);
	}
}

/** The number in a driver's code. */
function codeIn(text: string): number | undefined {
	const [, digits] = /^DRV-?0*(\d{1,9})$/i.exec(text) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * Finds the only driver with an email or a name, first or last name first; a name that two drivers
 * have matches nobody.
 */
function byName(people: readonly MatchedDriver[]) {
	const named = new Map<string, MatchedDriver | undefined>();
	for (const person of people)
		for (const name of namesOf(person)) named.set(name, named.has(name) ? undefined : person);
	return (text: string) => named.get(toKey(text));
}

const namesOf = ({ firstName, lastName, email }: MatchedDriver) =>
	new Set([
		...[`${firstName} ${lastName}`, `${lastName} ${firstName}`].map(toKey),
		...(email === null ? [] : [toKey(email)]),
	]);
const toKey = (text: string) => (text.includes("@") ? text.toLowerCase() : foldName(text));
