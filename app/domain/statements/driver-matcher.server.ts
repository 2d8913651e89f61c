/**
 * Matches lines of a statement with drivers: by the answers, by what was remembered, or by name.
 */

import { fold as foldName } from "../../values/fold.ts";
import type { AdminContext } from "../kernel/context.ts";
import {
	type MatchedDriver,
	selectAliases,
	selectDrivers,
	selectDriversByName,
} from "./comparison.server.ts";
import { foldHeading } from "./heading.ts";
import { readId } from "./persons.ts";
import type { StatementFacts } from "./reading.server.ts";
import type { WaitingStatement } from "./waiting.server.ts";

type Named = { readonly platformId: string; readonly name: string };

/** What a row's driver is remembered by: the platform's id, or the folded name if it has none. */
export const identityOf = ({ platformId, name }: Named): string => platformId || foldHeading(name);

/** What a driver of the file is remembered by, however the id or the name is written. */
export const identifierOf =
	({ hasIds, namesWithoutId = [] }: StatementFacts) =>
	(text: string): string => {
		const name = foldHeading(text);
		return hasIds && !namesWithoutId.includes(name) ? readId(text.trim()) || name : name;
	};

export class DriverMatcher {
	readonly #drivers = new Map<string, MatchedDriver | undefined>();

	private constructor(
		private readonly admin: AdminContext,
		private readonly platform: string,
		private readonly findByName: (name: string) => MatchedDriver | undefined,
	) {}

	/** A matcher that knows a statement's answers, which are by identity. */
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

	/** The statement that looks up the drivers who aren't known yet. */
	lookUp(lines: readonly Named[]) {
		const unknown = new Set(lines.map(identityOf).filter((each) => !this.#drivers.has(each)));
		return selectAliases(this.admin.db.build, this.platform, [...unknown]);
	}

	/** Adds the results of `lookUp`. */
	learn(aliases: readonly (MatchedDriver & { readonly platformId: string })[]): void {
		for (const { platformId, ...driver } of aliases) this.#drivers.set(platformId, driver);
	}

	match(platformId: string, name: string) {
		const identity = identityOf({ platformId, name });
		if (!this.#drivers.has(identity))
			this.#drivers.set(identity, platformId === "" ? this.findByName(name) : undefined);
		return { identity, driver: this.#drivers.get(identity) };
	}
}

/**
 * Finds the only driver with a name, first or last name first; a name that two drivers have matches
 * nobody.
 */
function byName(people: readonly MatchedDriver[]) {
	const named = new Map<string, MatchedDriver | undefined>();
	for (const person of people)
		for (const name of namesOf(person)) named.set(name, named.has(name) ? undefined : person);
	return (name: string) => named.get(foldName(name));
}

const namesOf = ({ firstName, lastName }: MatchedDriver) =>
	new Set([foldName(`${firstName} ${lastName}`), foldName(`${lastName} ${firstName}`)]);
