/** Reads wrangler.toml with wrangler's own reader, so that a tool sees what a deployment sees. */
import { basename } from "node:path";
import type { Unstable_Config } from "wrangler";
import { dateIn } from "../app/values/calendar-date.ts";
import { setupCommand } from "./commands.ts";
import { readThroughCache } from "./config-cache.ts";

/** The file is broken or lacks something a tool needs. The message is one line. */
export class WranglerConfigError extends Error {}

export type RateLimit = { readonly limit: number; readonly period: 10 | 60 };

/**
 * Reads the file.
 * @param env the environment; the empty one is production. Defaults to CLOUDFLARE_ENV
 * @throws WranglerConfigError
 */
export function readConfig(path = "wrangler.toml", env?: string): Unstable_Config {
	try {
		return readThroughCache(path, env);
	} catch (error) {
		throw new WranglerConfigError(reason(error, basename(path)), { cause: error });
	}
}

/** The runtime's compatibility date and flags. */
export function runtimeSettings(config = readConfig()): {
	compatibilityDate: string;
	compatibilityFlags: string[];
} {
	const { compatibility_date: date, compatibility_flags: flags } = config;
	if (!date) throw new WranglerConfigError(`${nameOf(config)} has no compatibility_date.`);
	return { compatibilityDate: date, compatibilityFlags: flags };
}

/** The limit of a rate-limit binding. */
export function rateLimitIn(config: Unstable_Config, name: string): RateLimit {
	const found = config.ratelimits.find((each) => each.name === name);
	if (found) return found.simple;
	throw new WranglerConfigError(`${nameOf(config)} has no [[ratelimits]] named ${name}.`);
}

/** The fleet's time zone, if the file has one. */
export function fleetTimeZoneIn(config: Unstable_Config): string | undefined {
	const zone = config.vars.FLEET_TIME_ZONE;
	if (zone === undefined || typeof zone === "string") return zone;
	throw new WranglerConfigError(`${nameOf(config)}: FLEET_TIME_ZONE must be a string.`);
}

/**
 * The time zone of a fleet that a tool works on. A deployed Worker knows the one in wrangler.toml;
 * on this machine, as for `npm start`, only the environment sets another.
 * @throws WranglerConfigError
 */
export function fleetTimeZone(isRemote: boolean): string {
	const set = isRemote ? fleetTimeZoneIn(readConfig()) : process.env.FLEET_TIME_ZONE;
	const zone = set || "America/New_York";
	try {
		dateIn(zone, 0);
		return zone;
	} catch {
		throw new WranglerConfigError(`FLEET_TIME_ZONE isn't a known time zone: "${zone}".`);
	}
}

/** The application's database on Cloudflare, and its account if that is given. */
export function databaseIn(
	config: Unstable_Config,
	name: "DB" | "ARCHIVE" = "DB",
): {
	accountId: string | undefined;
	databaseId: string;
} {
	const env = config.targetEnvironment;
	const databaseId = config.d1_databases.find(({ binding }) => binding === name)?.database_id;
	if (databaseId && /[^0-]/.test(databaseId)) return { accountId: config.account_id, databaseId };
	if (name === "ARCHIVE")
		throw new WranglerConfigError(
			`${nameOf(config)} has no database_id for ARCHIVE yet: ${setupCommand(env)} creates the database and writes it there.`,
		);
	throw new WranglerConfigError(
		`${nameOf(config)} has no database_id yet: ${setupCommand(env)} creates the database and writes it there.`,
	);
}

/** A bucket as the file binds it. */
export type Bucket = { readonly name: string; readonly jurisdiction: string | undefined };

/** The bucket of a binding, if there is one. */
export function bucketIn(config: Unstable_Config, name: "RECEIPTS" | "BACKUPS") {
	const bound = config.r2_buckets.find(({ binding }) => binding === name);
	if (!bound?.bucket_name) return undefined;
	return { name: bound.bucket_name, jurisdiction: bound.jurisdiction } satisfies Bucket;
}

/** The bucket that holds the receipts. */
export function receiptsIn(config: Unstable_Config): Bucket {
	const bucket = bucketIn(config, "RECEIPTS");
	if (bucket) return bucket;
	throw new WranglerConfigError(`${nameOf(config)} has no [[r2_buckets]] bound to RECEIPTS.`);
}

/** A jurisdiction's buckets are found only by naming it. */
export const jurisdictionHeader = (name: string | undefined): Record<string, string> =>
	name ? { "cf-r2-jurisdiction": name } : {};

const nameOf = (config: Unstable_Config) => basename(config.configPath ?? "wrangler.toml");

/** wrangler's paragraphs about a broken file, as one line. */
function reason(error: unknown, name: string): string {
	if (!(error instanceof Error)) return `${name}: ${error}`;
	const line = lineIn(error);
	if (line !== undefined) return `${name}, line ${line}: ${error.message}.`;
	const [title = "", ...faults] = error.message.split("\n").filter((each) => each.trim() !== "");
	if (faults.length === 0) return `${name} can't be read: ${title}`;
	return `${name}: ${faults.map((each) => each.trim().replace(/^- /, "")).join(" ")}`;
}

/** The line at which a parser stopped. */
function lineIn(error: Error): number | undefined {
	if (!("location" in error)) return undefined;
	const { location } = error;
	if (typeof location !== "object" || location === null || !("line" in location)) return undefined;
	return typeof location.line === "number" ? location.line : undefined;
}
