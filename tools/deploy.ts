/**
 * `npm run deploy`: checks, builds, migrates, uploads and tests the new release. Any fault is one
 * sentence that says how far it got, and a non-zero exit code.
 */
import { readArguments } from "./arguments.ts";
import { bundle } from "./bundle.ts";
import { CloudflareError } from "./cloudflare-api.ts";
import { checkDeployment, type Ready } from "./deploy-checks.ts";
import {
	DeploymentFault,
	migrateRemote,
	smokeSeconds,
	testRelease,
	upload,
	withLock,
} from "./deploy-steps.ts";
import { deploymentIn } from "./deployment.ts";
import { RemoteDatabaseError } from "./remote-database.ts";
import { findForbiddenCode } from "./verify-bundle.ts";
import { WranglerConfigError } from "./wrangler-config.ts";

const USAGE = `Usage: npm run deploy -- [options]

  --env <name>   Deploys an environment of wrangler.toml, such as staging, instead of production.
  --dry-run      Checks everything and builds, and changes nothing.
  --help         Prints this.

CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID (or account_id in wrangler.toml) open the account.
docs/operations.md says what the token has to be allowed, and what to do when a deployment fails.`;

const OPTIONS = {
	env: { type: "string" },
	"dry-run": { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

function argumentsOf(args: string[]) {
	return readArguments(
		{ args, options: OPTIONS },
		(reason) => new DeploymentFault(`${reason}. Nothing was changed; see npm run deploy -- --help`),
	).values;
}

/** The deployment itself, once nothing is missing. */
async function readyFor(env: string): Promise<Ready> {
	const { faults, ready } = await checkDeployment(deploymentIn(env));
	if (ready) return ready;
	if (faults.length === 1) throw new DeploymentFault(`Nothing was changed. ${faults[0]}`);
	const list = faults.map((fault) => `- ${fault}`).join("\n");
	throw new DeploymentFault(`Nothing was changed. ${faults.length} things are missing:\n${list}`);
}

async function buildProduction(): Promise<void> {
	await bundle("production");
	const strangers = findForbiddenCode("build/production");
	if (strangers.length === 0) return;
	throw new DeploymentFault(
		`Nothing was changed. The production bundle contains forbidden code:\n${strangers.join("\n")}`,
	);
}

async function deploy(env: string, isDryRun: boolean): Promise<void> {
	smokeSeconds();
	const ready = await readyFor(env);
	const { worker, database } = ready.deployment;
	const pending = ready.pending.length > 0 ? ready.pending.join(", ") : "none";
	console.log(
		`${worker} at ${ready.origin}: nothing is missing. Serving now: ${ready.release ?? "nothing yet"}. Migrations to apply to ${database.name}: ${pending}.`,
	);
	if (ready.without.length > 0)
		console.log(`It runs without: ${ready.without.join(", ")}. See docs/operations.md.`);
	console.log("Building ...");
	await buildProduction();
	if (isDryRun) {
		console.log("This was a dry run: nothing was changed.");
		return;
	}
	await withLock(ready, async (way) => {
		await migrateRemote(ready, way);
		const release = await upload(ready, way);
		await testRelease(ready, way, release);
		console.log(`Release ${release} answers at ${ready.origin}.`);
	});
}

const EXPECTED = [DeploymentFault, WranglerConfigError, CloudflareError, RemoteDatabaseError];

try {
	const {
		help,
		env = process.env.CLOUDFLARE_ENV ?? "",
		...values
	} = argumentsOf(process.argv.slice(2));
	if (help) console.log(USAGE);
	else await deploy(env, values["dry-run"]);
} catch (error) {
	const isExpected = EXPECTED.some((kind) => error instanceof kind);
	const words = error instanceof Error ? error.message : String(error);
	console.error(isExpected ? words : `The deployment failed: ${words}`);
	process.exitCode = 1;
}
