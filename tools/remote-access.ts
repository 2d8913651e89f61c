/**
 * Where the deployed database is and what gives access to it, from wrangler.toml and the
 * environment.
 */
import { databaseIn, readConfig } from "./wrangler-config.ts";

/** A setting is missing or wrong. The message is one line. */
export class RemoteAccessError extends Error {}

export type RemoteAccess = {
	/** The URL that the database answers queries at. */
	readonly url: string;
	readonly token: string;
};

/** Which account to use, and its credentials. */
export type CloudflareAccess = {
	/** The API's URL, without a trailing slash. */
	readonly base: string;
	readonly accountId: string;
	readonly token: string;
};

const CLOUDFLARE = "https://api.cloudflare.com/client/v4";

/**
 * Reads what wrangler reads: CLOUDFLARE_API_TOKEN, account_id or else CLOUDFLARE_ACCOUNT_ID, and
 * CLOUDFLARE_API_BASE_URL.
 * @throws RemoteAccessError
 * @throws WranglerConfigError
 */
export function remoteAccess(config = readConfig()): RemoteAccess {
	const { databaseId, accountId } = databaseIn(config);
	return databaseAccess(cloudflareAccess(accountId), databaseId);
}

/**
 * Access to the archive, if one is bound.
 * @throws RemoteAccessError
 * @throws WranglerConfigError
 */
export function archiveAccess(config = readConfig()): RemoteAccess | undefined {
	if (!config.d1_databases.some(({ binding }) => binding === "ARCHIVE")) return undefined;
	const { databaseId, accountId } = databaseIn(config, "ARCHIVE");
	return databaseAccess(cloudflareAccess(accountId), databaseId);
}

/** Access to one database of an account. */
export function databaseAccess(
	{ base, accountId, token }: CloudflareAccess,
	databaseId: string,
): RemoteAccess {
	const [account, database] = [accountId, databaseId].map(encodeURIComponent);
	return { url: `${base}/accounts/${account}/d1/database/${database}/query`, token };
}

/**
 * Access without a database.
 * @param accountInFile account_id from wrangler.toml, if it is there
 * @throws RemoteAccessError
 */
export function cloudflareAccess(accountInFile: string | undefined): CloudflareAccess {
	const token = tokenFrom(process.env.CLOUDFLARE_API_TOKEN);
	const accountId = accountInFile ?? process.env.CLOUDFLARE_ACCOUNT_ID?.trim();
	if (!accountId) {
		throw new RemoteAccessError(
			"Set CLOUDFLARE_ACCOUNT_ID, or account_id in wrangler.toml, to the account that has the database.",
		);
	}
	return { base: baseFrom(process.env.CLOUDFLARE_API_BASE_URL || CLOUDFLARE), accountId, token };
}

/** fetch refuses a header with any other character, and its message would show the token. */
function tokenFrom(text: string | undefined): string {
	const token = text?.trim();
	if (!token) {
		throw new RemoteAccessError(
			"Set CLOUDFLARE_API_TOKEN to an API token that can edit D1 (dash.cloudflare.com/profile/api-tokens).",
		);
	}
	if (/^[!-~]+$/.test(token)) return token;
	throw new RemoteAccessError(
		"CLOUDFLARE_API_TOKEN isn't a token: it contains a space, a line break or another invalid character.",
	);
}

/** Without TLS, anyone on the network could read the token. */
function baseFrom(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
	if (url?.protocol === "https:" || (url?.protocol === "http:" && isHere))
		return text.replace(/\/+$/, "");
	throw new RemoteAccessError("CLOUDFLARE_API_BASE_URL must be an https URL.");
}
