/**
 * `npm run setup -- --remote`: creates everything a deployment needs on Cloudflare. What exists is
 * left alone, so it can be run again after a fault, or to see what is missing.
 */
import { readArguments } from "./arguments.ts";
import { accountApi, CloudflareError } from "./cloudflare-api.ts";
import { deploymentIn } from "./deployment.ts";
import { openQuestions, UnansweredQuestion } from "./questions.ts";
import { cloudflareAccess, RemoteAccessError } from "./remote-access.ts";
import { RemoteDatabaseError } from "./remote-database.ts";
import { setUpBuckets } from "./setup-buckets.ts";
import { setUpArchive, setUpDatabase } from "./setup-databases.ts";
import { setUpAdministrator, setUpSchema, setUpSecrets } from "./setup-people.ts";
import { SetupFault, setUpAddress, setUpPlace } from "./setup-place.ts";
import { replaceProviders } from "./setup-providers.ts";
import { WranglerConfigError } from "./wrangler-config.ts";

const USAGE = `Usage: npm run setup -- --remote [options]

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

function argumentsOf(args: string[]) {
	const fault = (reason: string) => new SetupFault(`${reason}. See npm run setup -- --help`);
	const { values } = readArguments({ args, options: OPTIONS }, fault);
	if (values.replace !== undefined && values.replace !== "providers")
		throw fault(`--replace takes providers, not '${values.replace}'`);
	return values;
}
/** The command line's options. */
export type SetupOptions = ReturnType<typeof argumentsOf>;

async function setUp(env: string, given: SetupOptions): Promise<void> {
	const access = cloudflareAccess(deploymentIn(env).accountInFile);
	const api = accountApi(access);
	const { ask, close } = openQuestions();
	try {
		if (given.replace) return await replaceProviders(env, given.providers, ask);
		await setUpAddress(env, given, ask);
		const place = await setUpPlace(env, api, given, ask);
		await setUpDatabase(env, api, place);
		await setUpArchive(env, access, api, given, ask);
		await setUpBuckets(env, api, place.location);
		await setUpSecrets(env, api, given, ask);
		await setUpSchema(env, access);
		await setUpAdministrator(env, access, given, ask);
	} finally {
		close();
	}
	const next = `npm run deploy${env ? ` -- --env ${env}` : ""}`;
	console.log(`${deploymentIn(env).worker} has all it needs. Next: ${next}`);
}

const EXPECTED = [
	...[SetupFault, UnansweredQuestion, WranglerConfigError],
	...[RemoteAccessError, CloudflareError, RemoteDatabaseError],
];

try {
	const { env = process.env.CLOUDFLARE_ENV ?? "", ...given } = argumentsOf(process.argv.slice(2));
	if (given.help) console.log(USAGE);
	else if (given.remote) await setUp(env, given);
	else
		throw new SetupFault(
			"Add --remote: on this machine npm start sets everything up. See npm run setup -- --help",
		);
} catch (error) {
	const words = error instanceof Error ? error.message : String(error);
	const isExpected = EXPECTED.some((kind) => error instanceof kind);
	console.error(isExpected ? words : `Setting up failed: ${words}`);
	process.exitCode = 1;
}
