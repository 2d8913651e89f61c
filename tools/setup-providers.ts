/** The OpenID providers people sign in with: the checks of their file before it is stored. */
import { readFileSync } from "node:fs";
import { discover } from "../app/auth/openid-provider.server.ts";
import { readSettings, SettingsError } from "../app/env.server.ts";
import type { Provider } from "../app/values/setting-rules.ts";
import type { Ask } from "./questions.ts";
import { SetupFault } from "./setup-options.ts";
import { wrangler } from "./wrangler.ts";

/**
 * What is wrong with a providers file; prints a line for each provider that answers. Each is asked
 * as the Worker asks it, so that what is stored works.
 */
export async function providersFault(path: string): Promise<string | undefined> {
	let providers: readonly Provider[];
	try {
		({ providers } = readSettings({
			APP_ORIGIN: "https://fleet.example.com",
			COOKIE_SECRET: "-".repeat(32),
			OIDC_PROVIDERS: readFileSync(path, "utf8"),
		}));
	} catch (error) {
		if (!(error instanceof SettingsError))
			return `${path} can't be read (${(error as NodeJS.ErrnoException).code})`;
		const words = error.faults.map(({ name, reason }) => {
			const [, place, key] = /^OIDC_PROVIDERS\.(\d+)\.?(.*)$/.exec(name) ?? [];
			return place ? `provider ${Number(place) + 1}: ${key}: ${reason}` : reason;
		});
		return `${path}: ${words.join("; ")}`;
	}
	if (!providers.some(({ trustsEmail }) => trustsEmail))
		return `${path} has no provider with "trustsEmail": true, so no one could accept an invitation`;
	const wrong: string[] = [];
	for (const provider of providers) {
		const fault = await providerFault(provider);
		if (fault) wrong.push(`${provider.name}: ${fault}`);
		else console.log(`${provider.name}: ${provider.issuer} answers as it should.`);
	}
	return wrong.length > 0 ? `${path}: ${wrong.join("; ")}` : undefined;
}

async function providerFault(provider: Provider): Promise<string | undefined> {
	for (const key of ["clientId", "clientSecret"] as const)
		if (provider[key] === "...") return `its ${key} is still "..."`;
	try {
		await discover(provider, Date.now());
		return undefined;
	} catch (error) {
		return `${provider.issuer}: ${error instanceof Error ? error.message : error}`;
	}
}

/** Asks for the file, checks it, and returns the setting. */
export async function askProviders(given: string | undefined, ask: Ask): Promise<string> {
	const text = "The JSON file with the providers people sign in with";
	const file = await ask({ text, flag: "--providers", fault: providersFault }, given);
	return JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
}

/** Stores secrets, all of them or none. */
export async function putSecrets(
	env: string,
	secrets: Readonly<Record<string, string>>,
): Promise<void> {
	const run = await wrangler(["secret", "bulk"], env, JSON.stringify(secrets));
	if (!run.isDone)
		throw new SetupFault(
			`The secrets ${Object.keys(secrets).join(", ")} were refused (${run.reason}): fix that and run setup again.`,
		);
}

/** Replaces the providers of a deployment with those of a checked file. */
export async function replaceProviders(
	env: string,
	given: string | undefined,
	ask: Ask,
): Promise<void> {
	await putSecrets(env, { OIDC_PROVIDERS: await askProviders(given, ask) });
	console.log("Secrets: OIDC_PROVIDERS set. It takes effect at once, without a deployment.");
}
