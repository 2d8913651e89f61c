/** Uploads to the stand-in for Cloudflare: modules, source maps, published files, secrets. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	type Account,
	type Call,
	form,
	type Script,
	scriptOf,
	serve,
} from "./cloudflare-account.ts";
import type { Binding, Version } from "./cloudflare-runtime.ts";

/** Stores an upload. Existing secrets stay unless it names them. */
export async function storeVersion(account: Account, name: string, call: Call): Promise<Version> {
	const script = account.scripts.get(name);
	const parts = [...(await form(call))];
	const metadata = JSON.parse(String(parts.find(([key]) => key === "metadata")?.[1])) as {
		bindings: Binding[];
		main_module: string;
		assets?: { jwt: string; config: { _headers?: string } };
	};
	const files = parts.flatMap(([, file]) => (file instanceof File ? [file] : []));
	const texts = await Promise.all(
		files.map(async (file) => ({ name: file.name, type: file.type, text: await file.text() })),
	);
	const modules = texts.filter(({ type }) => type === "application/javascript+module");
	const id = randomUUID();
	const version: Version = {
		id,
		bindings: metadata.bindings,
		modules: [
			...modules.filter((each) => each.name === metadata.main_module),
			...modules.filter((each) => each.name !== metadata.main_module),
		],
		sourceMaps: texts
			.filter(({ type }) => type === "application/source-map")
			.map((each) => each.name),
		metadata,
		assets: metadata.assets && (await publish(account, id, metadata.assets)),
	};
	account.scripts.set(name, {
		...(script ?? newScript()),
		versions: [...(script?.versions ?? []), withSecrets(version, script?.secrets)],
	});
	return version;
}

const newScript = (): Script => ({
	secrets: new Map(),
	versions: [],
	deployments: [],
	hosts: [],
	crons: undefined,
	subdomain: { enabled: true, previews_enabled: true },
});

/** A copy of a version with these secrets. */
export const withSecrets = (
	version: Version,
	secrets: ReadonlyMap<string, string> = new Map(),
): Version => ({
	...version,
	bindings: [
		...version.bindings.filter(({ type }) => type !== "secret_text"),
		...[...secrets].map(([name, text]) => ({ type: "secret_text", name, text })),
	],
});

/** Writes the files of an upload session into a folder. */
async function publish(
	{ sessions, files, runtime }: Account,
	id: string,
	{ jwt, config }: { jwt: string; config: { _headers?: string } },
): Promise<string> {
	const folder = join(runtime.state, "assets", id);
	for (const [path, { hash }] of Object.entries(sessions.get(jwt) ?? {})) {
		await mkdir(dirname(join(folder, path)), { recursive: true });
		await writeFile(join(folder, path), files.get(hash) ?? "");
	}
	if (config._headers) await writeFile(join(folder, "_headers"), config._headers);
	return folder;
}

/** Deploys an uploaded version. */
export async function deployVersion(account: Account, name: string, id: string): Promise<void> {
	const script = scriptOf(account, name);
	script.deployments.unshift(id);
	await serve(account);
}
