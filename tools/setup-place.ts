/** The steps of setting up that make places: the address and the database. */
import * as v from "valibot";
import { readSettings } from "../app/env.server.ts";
import { type AccountApi, found } from "./cloudflare-api.ts";
import { deploymentIn, isDatabaseId } from "./deployment.ts";
import type { Ask } from "./questions.ts";
import type { Given } from "./setup.ts";
import { isThere, writeJurisdiction } from "./setup-buckets.ts";
import { tableIn, writeSetting } from "./wrangler-toml.ts";

/** Ends setting up; the message is one sentence. */
export class SetupFault extends Error {}

/** What the Worker would say of one setting. */
export function settingFault(name: string, value: string): string | undefined {
	const fine = { APP_ORIGIN: "https://fleet.example.com", COOKIE_SECRET: "-".repeat(32) };
	try {
		readSettings({ ...fine, [name]: value });
		return undefined;
	} catch (error) {
		return (error instanceof Error ? error.message : String(error)).replace(/^.*?: /, "");
	}
}

const originFault = (origin: string) =>
	origin.startsWith("https://")
		? settingFault("APP_ORIGIN", origin)
		: "it must be scheme, host and port only, with https";

/** Where people go, and when it is midnight there. */
export async function setUpAddress(env: string, given: Given, ask: Ask): Promise<void> {
	const { vars } = deploymentIn(env);
	const said = given.origin;
	if (typeof vars.APP_ORIGIN === "string") {
		if (said !== undefined && said !== vars.APP_ORIGIN)
			throw new SetupFault(
				`wrangler.toml says already that APP_ORIGIN is ${vars.APP_ORIGIN}: change it there, and its route with it.`,
			);
		console.log(`URL: ${vars.APP_ORIGIN}, as wrangler.toml says.`);
		return;
	}
	const zone = await ask(
		{
			text: "The fleet's time zone",
			otherwise: typeof vars.FLEET_TIME_ZONE === "string" ? vars.FLEET_TIME_ZONE : "UTC",
			flag: "--time-zone",
			fault: (answer) => settingFault("FLEET_TIME_ZONE", answer),
		},
		given["time-zone"],
	);
	const origin = await ask(
		{
			text: "The URL people use, such as https://fleet.example.com",
			flag: "--origin",
			fault: originFault,
		},
		said,
	);
	const host = new URL(origin).hostname;
	const table = tableIn(env, "vars");
	const write = (key: string, value: string) =>
		writeSetting(
			{ table, key, value: JSON.stringify(value), isIn: (config) => config.vars[key] === value },
			env,
		);
	write("FLEET_TIME_ZONE", zone);
	writeSetting(
		{
			table: env ? `env.${env}` : "",
			key: "route",
			value: `{ pattern = ${JSON.stringify(host)}, custom_domain = true }`,
			isIn: ({ route }) => typeof route === "object" && route.pattern === host,
		},
		env,
	);
	// Last, since it says that the others are done.
	write("APP_ORIGIN", origin);
	console.log(`URL: ${origin}, written into wrangler.toml with its route.`);
}

/** Where data is kept, for what is yet to be created. */
export type Place = { readonly jurisdiction: string | undefined; readonly location: string };

const JURISDICTIONS = ["eu", "fedramp", "none"];
const LOCATIONS = ["wnam", "enam", "weur", "eeur", "apac", "oc", "auto"];
const oneOf = (names: readonly string[]) => (answer: string) =>
	names.includes(answer) ? undefined : `it is one of ${names.join(", ")}`;

const DATABASE = v.object({ uuid: v.string(), name: v.string() });

async function databaseNamed(api: AccountApi, name: string): Promise<string | undefined> {
	const listed = await api(`/d1/database?name=${encodeURIComponent(name)}`, v.array(DATABASE));
	return listed.find((each) => each.name === name)?.uuid;
}

/** Asks where data is to be kept, unless all of it is kept somewhere already. */
export async function setUpPlace(
	env: string,
	api: AccountApi,
	given: Given,
	ask: Ask,
): Promise<Place> {
	const { database, bucket } = deploymentIn(env);
	const hasDatabase = isDatabaseId(database.id) || (await databaseNamed(api, database.name));
	const known = bucket.jurisdiction;
	if (hasDatabase && (await isThere(api, bucket))) return { jurisdiction: known, location: "auto" };
	const jurisdiction =
		known ??
		(await ask(
			{
				text: "Where data has to stay by law (eu, fedramp or none); it can't be changed later",
				otherwise: "none",
				flag: "--jurisdiction",
				fault: oneOf(JURISDICTIONS),
			},
			given.jurisdiction,
		));
	if (jurisdiction !== "none") {
		// First, so that an interrupted run goes on in the same place.
		for (const binding of known ? [] : ["BACKUPS", "RECEIPTS"])
			if (binding === "RECEIPTS" || deploymentIn(env).backups)
				writeJurisdiction(env, binding, jurisdiction);
		return { jurisdiction, location: "auto" };
	}
	const location = await ask(
		{
			text: `Near whom it is kept (${LOCATIONS.join(", ")}); take the one nearest your drivers`,
			otherwise: "auto",
			flag: "--location",
			fault: oneOf(LOCATIONS),
		},
		given.location,
	);
	return { jurisdiction: undefined, location };
}

export async function setUpDatabase(env: string, api: AccountApi, place: Place): Promise<void> {
	const { database } = deploymentIn(env);
	if (isDatabaseId(database.id)) {
		const path = `/d1/database/${encodeURIComponent(database.id)}`;
		if (!(await found(api(path, DATABASE))))
			throw new SetupFault(
				`The account has no database ${database.id}, which wrangler.toml names for ${database.name}: put in its right database_id, or zeros to have one created.`,
			);
		console.log(`Database: ${database.name} is there.`);
		return;
	}
	const known = await databaseNamed(api, database.name);
	const id = known ?? (await createDatabase(api, database.name, place));
	writeSetting(
		{
			table: tableIn(env, "d1_databases"),
			binding: "DB",
			key: "database_id",
			value: JSON.stringify(id),
			isIn: (config) => config.d1_databases.some((each) => each.database_id === id),
		},
		env,
	);
	console.log(
		`Database: ${database.name} ${known ? "was there" : "created"}; its id is in wrangler.toml.`,
	);
}

async function createDatabase(api: AccountApi, name: string, place: Place): Promise<string> {
	const { jurisdiction, location } = place;
	const where = jurisdiction
		? { jurisdiction }
		: location === "auto"
			? {}
			: { primary_location_hint: location };
	const { uuid } = await api("/d1/database", DATABASE, {
		method: "POST",
		body: { name, ...where },
	});
	return uuid;
}
