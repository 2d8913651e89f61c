/** The setup steps that create databases: the fleet's, and one for closed years if requested. */
import * as v from "valibot";
import type { AccountApi } from "./cloudflare-api.ts";
import {
	type DatabaseBinding,
	deploymentIn,
	findDatabase,
	findDatabaseId,
	isDatabaseId,
} from "./deployment.ts";
import type { Ask } from "./questions.ts";
import { type CloudflareAccess, databaseAccess } from "./remote-access.ts";
import { remoteDatabase } from "./remote-database.ts";
import { SetupFault, type SetupOptions } from "./setup-options.ts";
import { askLocation, LOCATIONS, type Place } from "./setup-place.ts";
import { tableIn, writeDatabaseTable, writeSetting } from "./wrangler-toml.ts";

/** Creates the fleet's database if it doesn't exist, and writes its id to wrangler.toml. */
export async function setUpDatabase(env: string, api: AccountApi, place: Place): Promise<void> {
	const { database } = deploymentIn(env);
	await setUp({ env, api, binding: "DB", what: "Database" }, database, async () => place);
}

/**
 * The same for the archive, if wrangler.toml binds one or `--archive` asks for one. It is created
 * in the location of the fleet's database.
 */
export async function setUpArchive(
	env: string,
	access: CloudflareAccess,
	api: AccountApi,
	given: SetupOptions,
	ask: Ask,
): Promise<void> {
	const { archive, database } = deploymentIn(env);
	if (!archive && !given.archive) return;
	if (!archive) writeDatabaseTable({ binding: "ARCHIVE", name: `${database.name}-archive` }, env);
	const bound = deploymentIn(env).archive;
	if (!bound) throw new SetupFault("wrangler.toml binds no database to ARCHIVE.");
	await setUp({ env, api, binding: "ARCHIVE", what: "Archive" }, bound, async () => {
		const { jurisdiction } = (await findDatabase(api, database)) ?? {};
		if (jurisdiction) return { jurisdiction, location: "auto" };
		const db = remoteDatabase(databaseAccess(access, database.id));
		const { meta } = await db.prepare("select 1").run();
		const region = String(meta.served_by_region ?? "").toLowerCase();
		const near = LOCATIONS.includes(region) ? region : undefined;
		return { jurisdiction: undefined, location: await askLocation(given.location ?? near, ask) };
	});
}

type Step = {
	readonly env: string;
	readonly api: AccountApi;
	readonly binding: "DB" | "ARCHIVE";
	/** What its lines start with. */
	readonly what: string;
};

async function setUp(
	{ env, api, binding, what }: Step,
	{ id: bound, name }: DatabaseBinding,
	placeOf: () => Promise<Place>,
): Promise<void> {
	if (isDatabaseId(bound)) {
		if (!(await findDatabase(api, { id: bound, name })))
			throw new SetupFault(
				`The account has no database ${bound}, which wrangler.toml names for ${name}: enter its right database_id, or zeros to have one created.`,
			);
		console.log(`${what}: ${name} exists.`);
		return;
	}
	const known = await findDatabaseId(api, name);
	const id = known ?? (await createDatabase(api, name, await placeOf()));
	writeSetting(
		{
			table: tableIn(env, "d1_databases"),
			binding,
			key: "database_id",
			value: JSON.stringify(id),
			isIn: (config) =>
				config.d1_databases.some((each) => each.binding === binding && each.database_id === id),
		},
		env,
	);
	console.log(
		`${what}: ${name} ${known ? "already existed" : "created"}; its id is in wrangler.toml.`,
	);
}

async function createDatabase(api: AccountApi, name: string, place: Place): Promise<string> {
	const { jurisdiction, location } = place;
	const where = jurisdiction
		? { jurisdiction }
		: location === "auto"
			? {}
			: { primary_location_hint: location };
	const { uuid } = await api("/d1/database", v.object({ uuid: v.string() }), {
		method: "POST",
		body: { name, ...where },
	});
	return uuid;
}
