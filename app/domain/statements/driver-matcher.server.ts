/**
 * Matches lines of a statement with drivers: by the answers, by what was remembered, or by name.
 */

import { fold as foldName } from "../../values/fold.ts";
import type { AdminContext } from "../context.ts";
import {
	type MatchedDriver,
	selectAliases,
	selectDrivers,
	selectDriversByName,
} from "./comparison.server.ts";
import { foldHeading } from "./heading.ts";
import type { WaitingStatement } from "./waiting.server.ts";

type Named = { readonly platformId: string; readonly name: string };

/** What a platform's driver is remembered by: its id, or the folded name if it has none. */
export const identityOf = ({ platformId, name }: Named): string => platformId || foldHeading(name);

export class DriverMatcher {
	readonly #drivers = new Map<string, MatchedDriver | undefined>();

	private constructor(
		private readonly admin: AdminContext,
		private readonly platform: string,
		private readonly findByName: (name: string) => MatchedDriver | undefined,
	) {}

	/** A matcher that knows a statement's answers. */
	static async for(
		admin: AdminContext,
		{ facts, answers }: WaitingStatement,
	): Promise<DriverMatcher> {
		const { db } = admin;
		const chosen = Object.entries(answers.drivers);
		const { people, names } = await db.batch({
			people: selectDrivers(db.build, [...new Set(chosen.map(([, id]) => id))]),
			...(facts.hasIds ? {} : { names: selectDriversByName(db.build) }),
		});
		const matcher = new DriverMatcher(admin, facts.platform, byName(names ?? []));
		const byId = new Map(people.map((person) => [person.id, person]));
		for (const [key, id] of chosen)
			matcher.#drivers.set(facts.hasIds ? key : foldHeading(key), byId.get(id));
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
