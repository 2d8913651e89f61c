/** Builds Milepost: Remix with Vite, then one Worker bundle, the same way for every place it runs. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export type Kind = "local" | "production";

const SOURCES = ["app", "public", "package-lock.json", "vite.config.ts", "remix.config.js", "tools/bundle.ts"];

function* filesUnder(path: string): Generator<string> {
	if (statSync(path).isFile()) {
		yield path;
		return;
	}
	for (const name of readdirSync(path).sort()) yield* filesUnder(join(path, name));
}

function fingerprint(): string {
	const hash = createHash("sha256");
	for (const source of SOURCES) for (const file of filesUnder(source)) hash.update(file).update("\0").update(readFileSync(file));
	return hash.digest("hex");
}

/**
 * Builds `build/<kind>/{client,server,worker}` unless it is there for exactly these sources.
 * @param kind 'local' has the local sign-in, 'production' does not
 * @throws Error with the bundler's words when it fails
 */
export async function bundle(kind: Kind): Promise<void> {
	const folder = join("build", kind);
	const stamp = join(folder, "stamp");
	const wanted = fingerprint();
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	rmSync(folder, { recursive: true, force: true });
	const remix = spawnSync(process.execPath, ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"], {
		encoding: "utf8",
		env: { ...process.env, NODE_ENV: "production", MILEPOST_BUILD: kind },
	});
	if (remix.status !== 0) throw new Error(`The build failed:\n${remix.stdout}\n${remix.stderr}`);
	await build({
		entryPoints: { index: "app/entry.worker.ts" },
		outdir: join(folder, "worker"),
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		conditions: ["workerd", "worker", "browser"],
		mainFields: ["module", "main"],
		external: ["node:*", "cloudflare:*"],
		minify: true,
		legalComments: "none",
		sourcemap: false,
		logLevel: "error",
		define: {
			__LOCAL_SIGN_IN__: JSON.stringify(kind === "local"),
			"process.env.NODE_ENV": '"production"',
			// pdfkit makes an address of a colour profile beside itself when it is loaded; a Worker's module has no address.
			"import.meta.url": '"file:///worker.js"',
		},
		// papaparse names Node's stream for a reader of files that nothing here calls.
		alias: { "virtual:server-build": `./${folder}/server/index.js`, stream: "node:stream" },
	});
	writeFileSync(stamp, wanted);
}
