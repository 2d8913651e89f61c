/** The setup steps about location: the URL, and where data is stored. */
import type { Unstable_Config } from "wrangler";
import { readSettings } from "../app/env.server.ts";
import type { AccountApi } from "./cloudflare-api.ts";
import {
	type DatabaseBinding,
	deploymentIn,
	findDatabase,
	findDatabaseId,
	isDatabaseId,
} from "./deployment.ts";
import type { Ask } from "./questions.ts";
import { bucketExists, writeJurisdiction } from "./setup-buckets.ts";
import { SetupFault, type SetupOptions } from "./setup-options.ts";
import { tableIn, writeSetting } from "./wrangler-toml.ts";

/** The Worker's objection to one setting. */
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

/** The URL that people use, and the fleet's time zone. */
export async function setUpAddress(env: string, given: SetupOptions, ask: Ask): Promise<void> {
	const { vars } = deploymentIn(env);
	const said = given.origin;
	if (typeof vars.APP_ORIGIN === "string") {
		if (said !== undefined && said !== vars.APP_ORIGIN)
			throw new SetupFault(
				`wrangler.toml already sets APP_ORIGIN to ${vars.APP_ORIGIN}: change it there, along with its route.`,
			);
		const zone = given["time-zone"];
		if (zone !== undefined && zone !== vars.FLEET_TIME_ZONE)
			throw new SetupFault(
				`wrangler.toml ${vars.FLEET_TIME_ZONE ? `already sets FLEET_TIME_ZONE to ${vars.FLEET_TIME_ZONE}` : "sets no FLEET_TIME_ZONE"}: change it there, and recount after deploying (npm run admin -- --help).`,
			);
		console.log(`URL: ${vars.APP_ORIGIN}, from wrangler.toml.`);
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
	writeRoute(env, host);
	// Last, since it reports that the others are done.
	write("APP_ORIGIN", origin);
	console.log(`URL: ${origin}, written into wrangler.toml with its route.`);
}

/** An environment has its own list, without which it would inherit production's route. */
function writeRoute(env: string, host: string): void {
	const route = `{ pattern = ${JSON.stringify(host)}, custom_domain = true }`;
	const isIn = ({ routes = [], route: one }: Unstable_Config) =>
		(env ? routes : [one]).some((each) => typeof each === "object" && each.pattern === host);
	const place = env
		? { table: `env.${env}`, key: "routes", value: `[${route}]` }
		: { table: "", key: "route", value: route };
	writeSetting({ ...place, isIn }, env);
}

/** Where new databases and buckets are created. */
export type Place = { readonly jurisdiction: string | undefined; readonly location: string };

const JURISDICTIONS = ["eu", "us", "fedramp", "none"];
export const LOCATIONS: readonly string[] = ["wnam", "enam", "weur", "eeur", "apac", "oc", "auto"];
const oneOf = (names: readonly string[]) => (answer: string) =>
	names.includes(answer) ? undefined : `it is one of ${names.join(", ")}`;

/** Asks for the location, unless everything exists already. */
export async function setUpPlace(
	env: string,
	api: AccountApi,
	given: SetupOptions,
	ask: Ask,
): Promise<Place> {
	const { database, bucket } = deploymentIn(env);
	const id = isDatabaseId(database.id) ? database.id : await findDatabaseId(api, database.name);
	const known = bucket.jurisdiction;
	const isComplete = id !== undefined && (await bucketExists(api, bucket)) !== undefined;
	const said = given.jurisdiction;
	if ((isComplete || known) && said !== undefined && said !== (known ?? "none"))
		throw new SetupFault(
			`The data is already kept in the jurisdiction ${known ?? "none"}, which can't be changed to ${said}: leave out --jurisdiction, or give the databases and buckets in wrangler.toml other names.`,
		);
	if (isComplete) return { jurisdiction: known, location: "auto" };
	const jurisdiction =
		known ??
		(await ask(
			{
				text: "Jurisdiction the data has to stay in (eu, us, fedramp or none); it can't be changed later",
				otherwise: "none",
				flag: "--jurisdiction",
				fault: oneOf(JURISDICTIONS),
			},
			said,
		));
	if (id !== undefined && !known) await expectIn(jurisdiction, api, { id, name: database.name });
	if (jurisdiction !== "none") {
		// First, so that an interrupted setup continues in the same location.
		for (const binding of known ? [] : ["BACKUPS", "RECEIPTS"])
			if (binding === "RECEIPTS" || deploymentIn(env).backups)
				writeJurisdiction(env, binding, jurisdiction);
		return { jurisdiction, location: "auto" };
	}
	return { jurisdiction: undefined, location: await askLocation(given.location, ask) };
}

/** An existing database must be where receipts are going to be kept. */
async function expectIn(
	jurisdiction: string,
	api: AccountApi,
	database: DatabaseBinding,
): Promise<void> {
	const found = await findDatabase(api, database);
	const place = found?.jurisdiction ?? "none";
	if (!found || place === jurisdiction) return;
	throw new SetupFault(
		`${database.name} exists already, in the jurisdiction ${place}, and not in ${jurisdiction}: choose ${place}, or give the databases and buckets in wrangler.toml other names.`,
	);
}

/** The region near which something new is created. */
export const askLocation = (given: string | undefined, ask: Ask): Promise<string> =>
	ask(
		{
			text: `Region to store it in (${LOCATIONS.join(", ")}); choose the one nearest your drivers`,
			otherwise: "auto",
			flag: "--location",
			fault: oneOf(LOCATIONS),
		},
		given,
	);
