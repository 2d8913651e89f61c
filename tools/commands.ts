/**
 * Commands as messages name them: for the fleet that the tool was run on, so that typing one never
 * reaches another fleet.
 */

const commandOf = (script: string, args: readonly string[]) =>
	[`npm run ${script}`, ...(args.length > 0 ? ["--", ...args] : [])].join(" ");

/** `npm run setup` of an environment of wrangler.toml. */
export const setupCommand = (env = process.env.CLOUDFLARE_ENV ?? ""): string =>
	commandOf("setup", ["--remote", ...(env ? ["--env", env] : [])]);

/** `npm run deploy` of an environment of wrangler.toml; the empty one is production. */
export const deployCommand = (
	env = process.env.CLOUDFLARE_ENV ?? "",
	...args: readonly string[]
): string => commandOf("deploy", [...(env ? ["--env", env] : []), ...args]);

/** Another tool on the deployed database; the environment defaults to CLOUDFLARE_ENV. */
export const remoteCommand = (
	script: string,
	args: readonly string[],
	env = process.env.CLOUDFLARE_ENV ?? "",
): string => `${env ? `CLOUDFLARE_ENV=${env} ` : ""}${commandOf(script, [...args, "--remote"])}`;

/** What to do about a database that lacks what this release's migrations add. */
export const migrateFirst = (): string =>
	`The database isn't migrated. Run npm start once, or for --remote: ${deployCommand()}`;

/** Whether SQLite lacks what a migration adds. */
export const isUnmigrated = (text: string): boolean => /no such (table|column)/.test(text);
