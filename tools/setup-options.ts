/** The command line of `npm run setup`. */
import { readArguments } from "./arguments.ts";

/** Stops setup. The message is one sentence. */
export class SetupFault extends Error {}

export const USAGE = `Usage: npm run setup -- --remote [options]

Creates what a deployment needs on Cloudflare and asks for what it can't know. Run it again at any
time: it changes nothing that is done. Every question has an option, for a run without questions:

  --env <name>           Sets up an environment of wrangler.toml, such as staging.
  --origin <url>         The URL people use, such as https://fleet.example.com.
  --time-zone <zone>     The fleet's time zone, such as America/New_York.
  --jurisdiction <name>  Where data has to stay: eu, us, fedramp or none.
  --location <hint>      Else, near whom it is kept: wnam, enam, weur, eeur, apac, oc or auto.
  --providers <file>     A JSON file with the OpenID providers people sign in with.
  --replace providers    Only checks that file and stores it in place of the one before.
  --admin-email <email>, --first-name <name>, --last-name <name>
                         The first administrator.
  --archive              Also creates the database that trips of closed years go into.
  --help                 Prints this.

CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID (or account_id in wrangler.toml) open the account;
MAIL_API_KEY, MAIL_WEBHOOK_SECRET (the email provider's) and ERROR_WEBHOOK are taken from the environment as
well, where they aren't set yet. docs/operations.md has the whole story.`;

const TEXT = { type: "string" } as const;
const OPTIONS = {
	remote: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
	archive: { type: "boolean", default: false },
	env: TEXT,
	origin: TEXT,
	"time-zone": TEXT,
	jurisdiction: TEXT,
	location: TEXT,
	providers: TEXT,
	replace: TEXT,
	"admin-email": TEXT,
	"first-name": TEXT,
	"last-name": TEXT,
} as const;

/** @throws SetupFault for an invalid command line */
export function argumentsOf(args: string[]) {
	const fault = (reason: string) => new SetupFault(`${reason}. See npm run setup -- --help`);
	const { values } = readArguments({ args, options: OPTIONS }, fault);
	if (values.replace !== undefined && values.replace !== "providers")
		throw fault(`--replace takes providers, not '${values.replace}'`);
	return values;
}
export type SetupOptions = ReturnType<typeof argumentsOf>;
