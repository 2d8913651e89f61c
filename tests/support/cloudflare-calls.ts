/** The calls that the stand-in for Cloudflare knows. */
import { createHash, randomUUID } from "node:crypto";
import { unstable_splitSqlQuery as splitSqlQuery } from "wrangler";
import {
	type Account,
	type Call,
	databaseOf,
	form,
	json,
	Refused,
	scriptOf,
	serve,
} from "./cloudflare-account.ts";
import type { Binding } from "./cloudflare-runtime.ts";
import { deployVersion, keepVersion, withSecrets } from "./cloudflare-uploads.ts";

type Statement = { readonly sql: string; readonly params?: readonly unknown[] };

/** All statements in one transaction, as D1 runs them. */
async function query(account: Account, call: Call, id: string): Promise<unknown> {
	const { primary_location_hint: place = "wnam" } = databaseOf(account, id);
	const sent = json(call) as { sql?: string; batch?: Statement[] };
	const batch = sent.batch ?? splitSqlQuery(sent.sql ?? "").map((sql): Statement => ({ sql }));
	const db = await account.runtime.database(id);
	try {
		const results = await db.batch(
			batch.map(({ sql, params = [] }) => db.prepare(sql).bind(...params)),
		);
		const served_by_region = String(place).toUpperCase();
		return results.map((each) => ({ ...each, meta: { ...each.meta, served_by_region } }));
	} catch (error) {
		const message = error instanceof Error ? error.message.replace(/^D1_ERROR: /, "") : "";
		throw new Refused(400, 7500, message);
	}
}

type Handler = (account: Account, call: Call, parts: string[]) => unknown;

const DATABASES: readonly (readonly [RegExp, Handler])[] = [
	[
		/^GET \/d1\/database$/,
		({ databases }, { query }) =>
			[...databases.values()].filter(({ name }) => [null, name].includes(query.get("name"))),
	],
	[
		/^POST \/d1\/database$/,
		async ({ databases, runtime }, call) => {
			const { name, ...more } = json(call) as { name: string };
			if ([...databases.values()].some((each) => each.name === name))
				throw new Refused(400, 7502, "A database with that name already exists");
			const uuid = randomUUID();
			databases.set(uuid, { uuid, name, ...more });
			await runtime.database(uuid);
			return databases.get(uuid);
		},
	],
	[/^GET \/d1\/database\/([^/]+)$/, (account, _, [id = ""]) => databaseOf(account, id)],
	[/^POST \/d1\/database\/([^/]+)\/query$/, (account, call, [id = ""]) => query(account, call, id)],
	[
		/^GET \/d1\/database\/([^/]+)\/time_travel\/bookmark$/,
		(account, _, [id = ""]) => {
			databaseOf(account, id);
			return { bookmark: createHash("md5").update(id).digest("hex") };
		},
	],
];

const BUCKETS: readonly (readonly [RegExp, Handler])[] = [
	[
		/^GET \/r2\/buckets\/([^/]+)$/,
		({ buckets }, { headers }, [name = ""]) => {
			const bucket = buckets.get(name);
			if (bucket && (bucket.jurisdiction ?? null) === headers.get("cf-r2-jurisdiction"))
				return bucket;
			throw new Refused(404, 10006, "The specified bucket does not exist.");
		},
	],
	[
		/^POST \/r2\/buckets$/,
		({ buckets }, call) => {
			const bucket = json(call) as { name: string };
			const jurisdiction = call.headers.get("cf-r2-jurisdiction");
			buckets.set(bucket.name, { ...bucket, ...(jurisdiction ? { jurisdiction } : {}) });
			return bucket;
		},
	],
];

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
			const { id } = await keepVersion(account, name, call);
			await deployVersion(account, name, id);
			return { id: name, etag: id, deployment_id: id.replaceAll("-", "") };
		},
	],
	[
		on("POST", "/versions"),
		async (account, call, [name = ""]) => {
			scriptOf(account, name);
			const { id } = await keepVersion(account, name, call);
			return { id, resources: { script: { etag: id } } };
		},
	],
	[
		on("GET", "/versions/([^/]+)"),
		(account, _, [name = "", id]) => {
			const version = scriptOf(account, name).versions.find((each) => each.id === id);
			if (!version) throw new Refused(404, 10007, "No such version.");
			return { id, number: 1, metadata: {}, annotations: {}, resources: { bindings: [] } };
		},
	],
	[
		on("GET", "/deployments"),
		(account, _, [name = ""]) => ({
			deployments: scriptOf(account, name).deployments.map((version_id) => ({
				id: randomUUID(),
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
			const script = scriptOf(account, name);
			const settings = JSON.parse(String((await form(call)).get("settings"))) as {
				bindings: Binding[];
			};
			for (const each of settings.bindings)
				if (each.type === "secret_text" && each.text !== undefined)
					script.secrets.set(each.name, each.text);
			const serving = script.versions.find(({ id }) => id === script.deployments[0]);
			if (!serving) throw new Refused(400, 10007, "Nothing was uploaded yet.");
			const version = { ...withSecrets(serving, script.secrets), id: randomUUID() };
			script.versions.push(version);
			await deployVersion(account, name, version.id);
			return {};
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
