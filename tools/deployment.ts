/** A deployment described by wrangler.toml, and what Cloudflare knows about it. */
import * as v from "valibot";
import { type AccountApi, orUndefined } from "./cloudflare-api.ts";
import { migrationFiles } from "./migrate.ts";
import {
	type Bucket,
	jurisdictionHeader,
	readConfig,
	WranglerConfigError,
} from "./wrangler-config.ts";

/** A database bound in wrangler.toml. */
export type DatabaseBinding = { readonly name: string; readonly id: string };

export type Deployment = {
	/** The environment in wrangler.toml; the empty one is production. */
	readonly env: string;
	/** The Worker's name. */
	readonly worker: string;
	readonly accountInFile: string | undefined;
	readonly database: DatabaseBinding;
	/** Where the trips of closed years go, if anywhere. */
	readonly archive: DatabaseBinding | undefined;
	readonly bucket: Bucket;
	/** Where the nightly export goes, if anywhere. */
	readonly backups: Bucket | undefined;
	readonly hasMetrics: boolean;
	readonly vars: Readonly<Record<string, unknown>>;
	readonly hasMailBinding: boolean;
	/** Patterns of the URLs that Cloudflare routes to the Worker. */
	readonly routes: readonly string[];
	readonly isOnWorkersDev: boolean;
};

/**
 * Reads wrangler.toml.
 * @throws WranglerConfigError
 */
export function deploymentIn(env: string): Deployment {
	const config = readConfig("wrangler.toml", env);
	const databaseOf = (name: string) => config.d1_databases.find((each) => each.binding === name);
	const [database, archive] = [databaseOf("DB"), databaseOf("ARCHIVE")];
	const bucketOf = (name: string) => config.r2_buckets.find(({ binding }) => binding === name);
	const [bucket, backups] = [bucketOf("RECEIPTS"), bucketOf("BACKUPS")];
	const section = env ? `env.${env}.` : "";
	if (!database?.database_name)
		throw lacking(`[[${section}d1_databases]] with binding "DB" and a database_name`);
	if (archive && !archive.database_name)
		throw lacking(`database_name in [[${section}d1_databases]] with binding "ARCHIVE"`);
	if (!bucket?.bucket_name)
		throw lacking(`[[${section}r2_buckets]] with binding "RECEIPTS" and a bucket_name`);
	if (backups && !backups.bucket_name)
		throw lacking(`bucket_name in [[${section}r2_buckets]] with binding "BACKUPS"`);
	if (!config.name) throw lacking("name");
	const routes = config.routes ?? (config.route ? [config.route] : []);
	return {
		env,
		worker: config.name,
		accountInFile: config.account_id,
		database: { name: database.database_name, id: database.database_id ?? "" },
		archive: archive?.database_name
			? { name: archive.database_name, id: archive.database_id ?? "" }
			: undefined,
		bucket: { name: bucket.bucket_name, jurisdiction: bucket.jurisdiction },
		backups: backups?.bucket_name
			? { name: backups.bucket_name, jurisdiction: backups.jurisdiction }
			: undefined,
		hasMetrics: config.analytics_engine_datasets.some(({ binding }) => binding === "METRICS"),
		vars: config.vars,
		hasMailBinding: config.send_email.some(({ name }) => name === "EMAIL"),
		routes: routes.map((route) => (typeof route === "string" ? route : route.pattern)),
		isOnWorkersDev: config.workers_dev === true,
	};
}

const lacking = (what: string) => new WranglerConfigError(`wrangler.toml has no ${what}.`);

/** False for the zeros in wrangler.toml before a database has been created. */
export const isDatabaseId = (id: string): boolean => /[^0-]/.test(id);

const DATABASE = v.object({ uuid: v.string(), jurisdiction: v.nullish(v.string()) });

/** A database of the account; undefined if there is none with this id. */
export const findDatabase = (api: AccountApi, { id }: DatabaseBinding) =>
	orUndefined(api(`/d1/database/${encodeURIComponent(id)}`, DATABASE));

/** The id of the account's database with a name. */
export async function findDatabaseId(api: AccountApi, name: string): Promise<string | undefined> {
	const listed = await api(
		`/d1/database?name=${encodeURIComponent(name)}`,
		v.array(v.object({ uuid: v.string(), name: v.string() })),
	);
	return listed.find((each) => each.name === name)?.uuid;
}

/** A Worker's settings on Cloudflare; undefined if it doesn't exist. */
export async function workerOn(api: AccountApi, worker: string) {
	const path = `/workers/scripts/${encodeURIComponent(worker)}/settings`;
	const BINDING = v.object({ type: v.string(), name: v.string() });
	const settings = await orUndefined(api(path, v.object({ bindings: v.array(BINDING) })));
	if (!settings) return undefined;
	const secrets = settings.bindings.filter(({ type }) => type === "secret_text");
	return {
		secrets: new Set(secrets.map(({ name }) => name)),
		// Setting secrets before the first upload creates a Worker that does nothing.
		isRelease: settings.bindings.some(({ type }) => type === "d1"),
	};
}

const DEPLOYMENTS = v.object({
	deployments: v.array(v.object({ versions: v.array(v.object({ version_id: v.string() })) })),
});

/** The live version. */
export async function releaseOn(api: AccountApi, worker: string): Promise<string | undefined> {
	const path = `/workers/scripts/${encodeURIComponent(worker)}/deployments`;
	const answer = await orUndefined(api(path, DEPLOYMENTS));
	return answer?.deployments[0]?.versions[0]?.version_id;
}

/** A bucket's URL and the headers it needs. */
export function bucketRequest({ name, jurisdiction }: Bucket) {
	return {
		path: `/r2/buckets/${encodeURIComponent(name)}`,
		headers: jurisdictionHeader(jurisdiction),
	};
}

/** A database's migrations, oldest first. */
export async function appliedMigrations(db: D1Database): Promise<string[]> {
	try {
		const statement = db.prepare("select name from d1_migrations order by id");
		return (await statement.all<{ name: string }>()).results.map(({ name }) => name);
	} catch (error) {
		if (error instanceof Error && error.message.includes("no such table")) return [];
		throw error;
	}
}

/** The migrations in this folder that aren't applied, oldest first. */
export function pendingMigrations(applied: readonly string[]): string[] {
	return migrationFiles()
		.map(({ name }) => name)
		.filter((name) => !applied.includes(name));
}
