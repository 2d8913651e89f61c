/**
 * `npm run setup -- --remote`: creates everything a deployment needs on Cloudflare. What exists is
 * left alone, so it can be run again after a fault, or to see what is missing.
 */
import { accountApi, CloudflareError } from "./cloudflare-api.ts";
import { deploymentIn } from "./deployment.ts";
import { openQuestions, UnansweredQuestion } from "./questions.ts";
import { cloudflareAccess, RemoteAccessError } from "./remote-access.ts";
import { RemoteDatabaseError } from "./remote-database.ts";
import { setUpBuckets } from "./setup-buckets.ts";
import { setUpArchive, setUpDatabase } from "./setup-databases.ts";
import { argumentsOf, SetupFault, type SetupOptions, USAGE } from "./setup-options.ts";
import { setUpAdministrator, setUpSchema, setUpSecrets } from "./setup-people.ts";
import { setUpAddress, setUpPlace } from "./setup-place.ts";
import { replaceProviders } from "./setup-providers.ts";
import { WranglerConfigError } from "./wrangler-config.ts";

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
