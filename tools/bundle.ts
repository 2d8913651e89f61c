/** Builds Milepost: Remix with Vite, then one Worker bundle, the same for every environment. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { fingerprint, isBuilt, type Kind } from "./bundle-stamp.ts";
import { joinPackages, packagesIn } from "./bundled-packages.ts";
import { replaceFolder } from "./replace-folder.ts";
import { dropUnshipped } from "./shipped.ts";
import { externalStackMap, writeStackMap } from "./stack-map.ts";

/**
 * Leaves out React's browser half, which react-router-dom loads for the browser's `flushSync`, and its
 * second server renderer, which streams: pages are rendered as a whole.
 */
const withoutUnusedReact: Plugin = {
	name: "without unused React",
	setup(worker) {
		worker.onLoad(
			{ filter: /\/react-dom\/(index|cjs\/react-dom-server\.browser\.production\.min)\.js$/ },
			() => ({ contents: "module.exports = {};" }),
		);
	},
};

/**
 * Builds `build/<kind>/{client,server,worker}` unless it is up to date with these sources.
 * @param kind 'local' includes the local sign-in, 'production' doesn't
 * @throws Error with the bundler's message if it fails; the last good one is still there then
 */
export async function bundle(kind: Kind): Promise<void> {
	const folder = join("build", kind);
	if (isBuilt(kind)) return;
	await replaceFolder(folder, () => buildInto(folder, kind, fingerprint()));
}

async function buildInto(folder: string, kind: Kind, wanted: string): Promise<void> {
	await promisify(execFile)(
		process.execPath,
		["node_modules/@remix-run/dev/dist/cli.js", "vite:build"],
		{
			maxBuffer: 2 ** 26,
			env: { ...process.env, NODE_ENV: "production", MILEPOST_BUILD: kind },
		},
	).catch(({ stdout, stderr }) => {
		throw new Error(`The build failed:\n${stdout}\n${stderr}`);
	});
	dropUnshipped(folder);
	const serviceWorker = await bundleServiceWorker(join(folder, "client"));
	const worker = await build({
		entryPoints: { index: "app/worker/entry.ts" },
		outdir: join(folder, "worker"),
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		conditions: ["workerd", "worker", "browser"],
		mainFields: ["module", "main"],
		external: ["node:*", "cloudflare:*"],
		plugins: [externalStackMap, withoutUnusedReact],
		minify: true,
		legalComments: "none",
		// wrangler uploads the maps with the modules; they aren't public.
		sourcemap: "linked",
		sourcesContent: false,
		metafile: true,
		logLevel: "error",
		define: {
			__LOCAL_SIGN_IN__: JSON.stringify(kind === "local"),
			__SERVICE_WORKER__: JSON.stringify(serviceWorker.text),
			"process.env.NODE_ENV": '"production"',
			// When it loads, pdfkit makes a URL for a color profile next to itself; a Worker's module has
			// no URL.
			"import.meta.url": '"file:///worker.js"',
		},
		// papaparse imports Node's stream for a reader that we never call.
		alias: { "virtual:server-build": `./${folder}/server/index.js`, stream: "node:stream" },
	});
	writeStackMap(join(folder, "worker"));
	joinPackages(folder, [...packagesIn(worker.metafile), ...serviceWorker.packages]);
	writeFileSync(join(folder, "stamp"), wanted);
}

/** What the offline page needs: the browser's module and the outbox's. */
const NEEDED = [/^entry\.client-.+\.js$/, /^phone-.+\.js$/];

/** The URLs of hashed files, with everything they import statically. */
function hashedFiles(client: string, wanted: readonly RegExp[]): string[] {
	const names = readdirSync(join(client, "assets"));
	const found = new Set<string>();
	const take = (name: string | undefined) => {
		if (!name || found.has(name)) return;
		found.add(name);
		if (!name.endsWith(".js")) return;
		const text = readFileSync(join(client, "assets", name), "utf8");
		for (const [, imported] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g))
			take(imported);
	};
	for (const each of wanted) {
		const matches = names.filter((name) => each.test(name));
		if (matches.length !== 1)
			throw new Error(
				`The offline page needs exactly one file matching ${each}; found ${matches.length}.`,
			);
		take(matches[0]);
	}
	return [...found].sort().map((name) => `/assets/${name}`);
}

/**
 * The service worker as one script. Its version changes with its own code and with every file it
 * keeps.
 */
async function bundleServiceWorker(client: string): Promise<{ text: string; packages: string[] }> {
	const assets = hashedFiles(client, NEEDED);
	const bundleVersion = async (version: string) => {
		const { outputFiles, metafile } = await build({
			entryPoints: ["app/offline/service-worker.ts"],
			bundle: true,
			write: false,
			format: "iife",
			platform: "browser",
			target: "es2022",
			minify: true,
			legalComments: "none",
			metafile: true,
			logLevel: "error",
			define: {
				__ASSETS__: JSON.stringify(assets),
				__VERSION__: JSON.stringify(version),
			},
		});
		return { text: outputFiles[0]?.text ?? "", packages: packagesIn(metafile) };
	};
	return bundleVersion(
		createHash("sha256")
			.update((await bundleVersion("")).text)
			.update(fingerprint())
			.digest("hex")
			.slice(0, 12),
	);
}
