/** The steps of setting up that say where: at which address, and where data is kept. */
import { readSettings } from "../app/env.server.ts";
import type { AccountApi } from "./cloudflare-api.ts";
import { databaseNamed, deploymentIn, isDatabaseId } from "./deployment.ts";
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
export const LOCATIONS: readonly string[] = ["wnam", "enam", "weur", "eeur", "apac", "oc", "auto"];
const oneOf = (names: readonly string[]) => (answer: string) =>
	names.includes(answer) ? undefined : `it is one of ${names.join(", ")}`;

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
	return { jurisdiction: undefined, location: await askLocation(given.location, ask) };
}

/** Near whom something is kept that is yet to be created. */
export const askLocation = (given: string | undefined, ask: Ask): Promise<string> =>
	ask(
		{
			text: `Near whom it is kept (${LOCATIONS.join(", ")}); take the one nearest your drivers`,
			otherwise: "auto",
			flag: "--location",
			fault: oneOf(LOCATIONS),
		},
		given,
	);
