/** The API requests that the stand-in for Cloudflare supports. */
import { randomUUID } from "node:crypto";
import { type Account, form, json, Refused, scriptOf, serve } from "./cloudflare-account.ts";
import type { Binding } from "./cloudflare-runtime.ts";
import { BUCKETS, DATABASES, type Handler } from "./cloudflare-storage.ts";
import { deployVersion, storeVersion, withSecrets } from "./cloudflare-uploads.ts";

/** When the first version was deployed; each later one follows a minute after. */
const FIRST_DEPLOYMENT = Date.UTC(2026, 0, 1);
const minuteAfter = (minutes: number) =>
	new Date(FIRST_DEPLOYMENT + minutes * 60_000).toISOString();

/** Stores secrets, which creates and deploys a new version. */
async function setSecrets(
	account: Account,
	name: string,
	secrets: readonly { readonly name: string; readonly text?: string | undefined }[],
): Promise<object> {
	const script = scriptOf(account, name);
	const serving = script.versions.find(({ id }) => id === script.deployments[0]);
	if (!serving) throw new Refused(400, 10007, "Nothing was uploaded yet.");
	for (const each of secrets) if (each.text !== undefined) script.secrets.set(each.name, each.text);
	const version = { ...withSecrets(serving, script.secrets), id: randomUUID() };
	script.versions.push(version);
	await deployVersion(account, name, version.id);
	return {};
}

const SCRIPT = "/workers/scripts/([^/]+)";
const on = (method: string, rest: string) => new RegExp(`^${method} ${SCRIPT}${rest}$`);

const WORKERS: readonly (readonly [RegExp, Handler])[] = [
	[
		/^GET \/workers\/services\/([^/]+)$/,
		(account, _, [name = ""]) => {
			scriptOf(account, name);
			const script = { tag: name, tags: [], last_deployed_from: "wrangler" };
			return { default_environment: { environment: "production", script } };
		},
	],
	[
		on("PUT", ""),
		async (account, call, [name = ""]) => {
			const { id } = await storeVersion(account, name, call);
			await deployVersion(account, name, id);
			return { id: name, etag: id, deployment_id: id.replaceAll("-", "") };
		},
	],
	[
		on("POST", "/versions"),
		async (account, call, [name = ""]) => {
			scriptOf(account, name);
			const { id } = await storeVersion(account, name, call);
			return { id, resources: { script: { etag: id } } };
		},
	],
	[
		on("GET", "/versions/([^/]+)"),
		(account, _, [name = "", id]) => {
			const number = scriptOf(account, name).versions.findIndex((each) => each.id === id);
			if (number < 0) throw new Refused(404, 10007, "No such version.");
			const metadata = { created_on: minuteAfter(number) };
			return { id, number, metadata, annotations: {}, resources: { bindings: [] } };
		},
	],
	[
		on("GET", "/deployments"),
		(account, _, [name = ""]) => ({
			deployments: scriptOf(account, name).deployments.map((version_id, index, all) => ({
				id: randomUUID(),
				created_on: minuteAfter(all.length - index),
				author_email: "you@example.com",
				source: "wrangler",
				annotations: {},
				versions: [{ version_id, percentage: 100 }],
			})),
		}),
	],
	[
		on("POST", "/deployments"),
		async (account, call, [name = ""]) => {
			const { versions } = json(call) as { versions: { version_id: string }[] };
			await deployVersion(account, name, versions[0]?.version_id ?? "");
			return { id: randomUUID() };
		},
	],
	[
		on("GET", "/settings"),
		(account, _, [name = ""]) => {
			const { versions, deployments } = scriptOf(account, name);
			const serving = versions.find(({ id }) => id === deployments[0]);
			return { bindings: (serving?.bindings ?? []).map(({ text: _, ...each }) => each) };
		},
	],
	[
		on("PATCH", "/settings"),
		async (account, call, [name = ""]) => {
			const settings = JSON.parse(String((await form(call)).get("settings"))) as {
				bindings: Binding[];
			};
			const secrets = settings.bindings.filter(({ type }) => type === "secret_text");
			return setSecrets(account, name, secrets);
		},
	],
	[
		on("PUT", "/secrets"),
		(account, call, [name = ""]) => {
			const { name: secret, text } = json(call) as { name: string; text: string };
			return setSecrets(account, name, [{ name: secret, text }]);
		},
	],
	[on("PATCH", "/script-settings"), () => ({})],
	[on("GET", "/subdomain"), (account, _, [name = ""]) => scriptOf(account, name).subdomain],
	[
		on("POST", "/subdomain"),
		(account, call, [name = ""]) => {
			scriptOf(account, name).subdomain = json(call);
			return json(call);
		},
	],
	[
		on("PUT", "/schedules"),
		(account, call, [name = ""]) => {
			scriptOf(account, name).crons = JSON.parse(String(call.body));
			return {};
		},
	],
	[
		on("PUT", "/domains/records"),
		async (account, call, [name = ""]) => {
			const { origins } = json(call) as { origins: { hostname: string }[] };
			scriptOf(account, name).hosts = origins.map(({ hostname }) => hostname);
			await serve(account);
			return [];
		},
	],
	[
		on("POST", "/assets-upload-session"),
		({ sessions, files }, call) => {
			const { manifest } = json(call) as { manifest: Record<string, { hash: string }> };
			const jwt = randomUUID();
			sessions.set(jwt, manifest);
			const hashes = Object.values(manifest).map(({ hash }) => hash);
			const missing = [...new Set(hashes)].filter((hash) => !files.has(hash));
			return { jwt, buckets: missing.length > 0 ? [missing] : [] };
		},
	],
	[
		/^POST \/workers\/assets\/upload$/,
		async ({ files }, call) => {
			for (const [hash, file] of await form(call))
				if (file instanceof File) files.set(hash, Buffer.from(await file.text(), "base64"));
			return { jwt: call.headers.get("Authorization")?.replace("Bearer ", "") };
		},
	],
	[/^GET \/zones$/, () => [{ id: "zone", name: "example.com" }]],
	[/^GET \/zones\/zone\/workers\/routes$/, () => []],
];

export const ROUTES = [...DATABASES, ...BUCKETS, ...WORKERS];
