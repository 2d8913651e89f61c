/** Checks everything that a deployment needs before it changes anything. */
import * as v from "valibot";
import { readSettings } from "../app/env.server.ts";
import { type AccountApi, accountApi, CloudflareError, orUndefined } from "./cloudflare-api.ts";
import { checkArchive, checkArchiveInFile, setup } from "./deploy-archive.ts";
import { checkBuckets, checkVariables, missingOptions } from "./deploy-settings.ts";
import {
	appliedMigrations,
	bucketRequest,
	type Deployment,
	findDatabase,
	isDatabaseId,
	pendingMigrations,
	releaseOn,
	workerOn,
} from "./deployment.ts";
import { cloudflareAccess, databaseAccess, RemoteAccessError } from "./remote-access.ts";
import { RemoteDatabaseError, remoteDatabase } from "./remote-database.ts";
import type { Bucket } from "./wrangler-config.ts";

/** A deployment that may start. */
export type Ready = {
	readonly deployment: Deployment;
	readonly origin: string;
	readonly api: AccountApi;
	readonly db: D1Database;
	/** The database bound to ARCHIVE, if one is. */
	readonly archive: D1Database | undefined;
	/** Pending migrations, oldest first. */
	readonly pending: readonly string[];
	/** The version that is live; undefined before the first deployment. */
	readonly release: string | undefined;
	/** Optional things that are missing, a phrase each. */
	readonly without: readonly string[];
};

/** What is missing, a sentence each; or what was found. */
export type Checked = { readonly faults: readonly string[]; readonly ready?: Ready };

/** Checks everything without changing anything, and reports everything missing at once. */
export async function checkDeployment(deployment: Deployment): Promise<Checked> {
	const { origin, faults: inFile } = checkFile(deployment);
	const misplaced = checkBuckets(deployment);
	const faults = [...inFile, ...checkVariables(deployment), ...misplaced];
	const hasId = isDatabaseId(deployment.database.id);
	if (!hasId)
		faults.push(
			`${deployment.database.name} has no database_id in wrangler.toml yet: ${setup(deployment)} creates the database and writes it there.`,
		);
	const misfiled = checkArchiveInFile(deployment);
	faults.push(...misfiled);
	try {
		const access = cloudflareAccess(deployment.accountInFile);
		const api = accountApi(access);
		const db = remoteDatabase(databaseAccess(access, deployment.database.id));
		const { bucket: receipts, backups: copies, archive: second } = deployment;
		const store = second && remoteDatabase(databaseAccess(access, second.id));
		const [database, bucket, backups, worker] = await Promise.all([
			hasId ? toFaults(checkDatabase(deployment, api, db)) : undefined,
			toFaults(checkBucket(deployment, api, receipts, "receipts")),
			copies &&
				misplaced.length === 0 &&
				toFaults(checkBucket(deployment, api, copies, "the nightly export")),
			toFaults(checkWorker(deployment, api)),
		]);
		// Only an existing database knows which years are archived.
		const known = database?.value ? db : undefined;
		const archive =
			misfiled.length === 0 && (await toFaults(archiveOf(deployment, api, known, store)));
		for (const part of [database, archive, bucket, backups, worker])
			for (const fault of (part || undefined)?.faults ?? [])
				if (!faults.includes(fault)) faults.push(fault);
		if (faults.length > 0 || !origin) return { faults };
		const [pending = [], serving] = [database?.value, worker?.value];
		const { release, secrets = new Set<string>() } = serving ?? {};
		const without = missingOptions(deployment, secrets);
		const found = { deployment, origin, api, db, archive: store, pending, release, without };
		return { faults, ready: found };
	} catch (error) {
		if (!(error instanceof RemoteAccessError)) throw error;
		return { faults: [error.message, ...faults] };
	}
}

type Part<Value> = { readonly faults: readonly string[]; readonly value?: Value };

/** Runs one check; an API refusal becomes its fault. */
async function toFaults<Value>(check: Promise<Part<Value>>): Promise<Part<Value>> {
	try {
		return await check;
	} catch (error) {
		if (error instanceof CloudflareError || error instanceof RemoteDatabaseError)
			return { faults: [error.message] };
		throw error;
	}
}

/** The Worker's settings in wrangler.toml, read the way the Worker will read them. */
function checkFile({ vars, hasMailBinding, routes, isOnWorkersDev, env }: Deployment): {
	origin?: string;
	faults: string[];
} {
	const secrets = { COOKIE_SECRET: "-".repeat(32), OIDC_PROVIDERS: "[]", MAIL_API_KEY: "-" };
	const where = env ? `[env.${env}.vars]` : "[vars]";
	try {
		const email = hasMailBinding ? { EMAIL: {} } : {};
		const { origin, isHttps } = readSettings({ ...vars, ...secrets, ...email });
		if (!isHttps) return { faults: [`APP_ORIGIN in ${where} must be the public URL, with https.`] };
		const host = new URL(origin).hostname;
		if (isOnWorkersDev || routes.some((route) => leadsTo(route, host)))
			return { origin, faults: [] };
		const route = `{ pattern = "${host}", custom_domain = true }`;
		const missing = env
			? `routes = [${route}] under [env.${env}]`
			: `route = ${route} above the first table`;
		return {
			origin,
			faults: [
				`wrangler.toml has no route for ${host}, the host of APP_ORIGIN, so no one could reach the release: add ${missing}.`,
			],
		};
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		const faults = words.replace(/^Milepost is not configured\. /, "").split("; ");
		const named = faults.map((fault) => fault.replace(/^(\w+): (?=\1 )/, ""));
		return { faults: named.map((fault) => `In ${where} of wrangler.toml, ${fault}.`) };
	}
}

/** Whether a route's pattern, such as `*.example.com/*`, covers a host. */
function leadsTo(route: string, host: string): boolean {
	const pattern = route.replace(/^https?:\/\//, "").split("/")[0] ?? "";
	const expression = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
	return new RegExp(`^${expression}$`, "i").test(host);
}

async function checkDatabase(
	deployment: Deployment,
	api: AccountApi,
	db: D1Database,
): Promise<Part<readonly string[]>> {
	const { id, name } = deployment.database;
	if (!(await findDatabase(api, deployment.database)))
		return {
			faults: [
				`The account has no database ${id}, which wrangler.toml names for ${name}: enter its right database_id, or zeros and run ${setup(deployment)}.`,
			],
		};
	return { faults: [], value: pendingMigrations(await appliedMigrations(db)) };
}

const archiveOf = async (...checked: Parameters<typeof checkArchive>): Promise<Part<never>> => ({
	faults: await checkArchive(...checked),
});

async function checkBucket(
	deployment: Deployment,
	api: AccountApi,
	bucket: Bucket,
	use: string,
): Promise<Part<never>> {
	const { path, headers } = bucketRequest(bucket);
	if (await orUndefined(api(path, v.object({ name: v.string() }), { headers })))
		return { faults: [] };
	return {
		faults: [
			`The account has no bucket ${bucket.name} for ${use}: ${setup(deployment)} creates it.`,
		],
	};
}

const SECRETS = ["COOKIE_SECRET", "OIDC_PROVIDERS", "MAIL_API_KEY"] as const;

type Serving = { readonly release: string | undefined; readonly secrets: ReadonlySet<string> };

async function checkWorker(deployment: Deployment, api: AccountApi): Promise<Part<Serving>> {
	const worker = await workerOn(api, deployment.worker);
	const needed = SECRETS.filter(
		(name) => name !== "MAIL_API_KEY" || deployment.vars.MAIL_PROVIDER === "resend",
	);
	const missing = needed.filter((name) => !worker?.secrets.has(name));
	if (missing.length > 0)
		return {
			faults: [
				`${deployment.worker} has no ${missing.length === 1 ? "secret" : "secrets"} ${missing.join(", ")}: ${setup(deployment)} sets what is missing.`,
			],
		};
	const release = worker?.isRelease ? await releaseOn(api, deployment.worker) : undefined;
	return { faults: [], value: { release, secrets: worker?.secrets ?? new Set() } };
}
