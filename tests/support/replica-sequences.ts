/**
 * Random drivers around the world who log trips, submit requests and open pages, and whether each
 * page shows what its driver did before.
 */
import { CAST, type CastName } from "./cast.ts";
import { currentTime } from "./clock.ts";
import { dayOf } from "./fleet-days.ts";
import { REGIONS, type Regions } from "./regions.ts";
import type { Client, Fleet } from "./worker.ts";

const DRIVERS = ["dana", "omar", "lena"] as const satisfies readonly CastName[];
/** Milliseconds between two steps. */
const PAUSES = [0, 300, 2000, 3000, 9000, 60_000] as const;

/** A driver and their own changes so far. */
type Person = { readonly client: Client; odometer: number; asked: string | undefined };

export type Sequences = {
	readonly sequences: number;
	readonly pages: number;
	/** How many of those a replica answered. */
	readonly near: number;
	/** Pages that lack one of their driver's changes. */
	readonly missed: readonly string[];
};

/** Pseudorandom numbers below a limit, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

async function signedIn(fleet: Fleet, name: CastName): Promise<Person> {
	const client = await fleet.client().signIn(CAST[name].email);
	const { text } = await client.get("/mileage");
	const [, end] = /ended at ([\d,]+)/.exec(text) ?? [];
	return { client, odometer: Number(end?.replaceAll(",", "") ?? 0), asked: undefined };
}

/** Runs sequences of two to five steps, each starting with a change. */
export async function playSequences(
	fleet: Fleet,
	regions: Regions,
	count: number,
	seed: number,
): Promise<Sequences> {
	const below = numbers(seed);
	const people: Person[] = [];
	for (const name of DRIVERS) people.push(await signedIn(fleet, name));
	const missed: string[] = [];
	let pages = 0;
	let near = 0;

	async function change(person: Person, name: string): Promise<void> {
		if (below(4) === 0) {
			person.asked = `Fuel ${name}`;
			const body = { type: "gas", amount: "12.50", description: person.asked };
			await expectCreated(person.client, "/api/fund-requests", body);
			return;
		}
		const startOdometer = person.odometer;
		person.odometer += 1 + below(9);
		const date = dayOf(currentTime() + regions.elapsed);
		const body = { date, startOdometer, endOdometer: person.odometer };
		await expectCreated(person.client, "/api/mileage", body);
	}

	async function look(person: Person, name: string): Promise<void> {
		const path = person.asked !== undefined && below(3) === 0 ? "/requests" : "/mileage";
		const expected =
			path === "/mileage" ? `value="${person.odometer}"` : (person.asked ?? "nothing asked");
		regions.takeTrips();
		const { text } = await person.client.get(path);
		pages += 1;
		if (regions.takeTrips().some(({ isReplica }) => isReplica)) near += 1;
		if (!text.includes(expected)) missed.push(`${name}: ${path} in ${regions.region}`);
	}

	for (let sequence = 0; sequence < count; sequence++) {
		const person = people[below(people.length)] as Person;
		const steps = 2 + below(4);
		for (let step = 0; step < steps; step++) {
			const name = `${seed}-${sequence}-${step}`;
			regions.pass(PAUSES[below(PAUSES.length)] ?? 0);
			regions.region = REGIONS[below(REGIONS.length)] ?? regions.primary;
			await (step === 0 || below(4) === 0 ? change(person, name) : look(person, name));
		}
	}
	return { sequences: count, pages, near, missed };
}

async function expectCreated(client: Client, path: string, body: object): Promise<void> {
	const { status, text } = await client.call("POST", path, body);
	if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`);
}
