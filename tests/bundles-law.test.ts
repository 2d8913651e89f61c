/** What the two bundles must not contain, and what tools for a deployed fleet must not wait for. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../tools/bundle.ts";
import { filesUnder } from "./support/sources.ts";

/**
 * Names the files that faults come from, as a source map does, including those whose code was
 * dropped.
 */
const STACK_TABLE = "stack-map.js";

describe("the bundles", () => {
	const read = (folder: string) =>
		filesUnder(folder)
			.filter((path) => path.endsWith(".js") && !path.endsWith(STACK_TABLE))
			.map((path) => ({ path, text: readFileSync(path, "utf8") }));
	/** Texts of a bundle that contain a forbidden word. */
	const holding = (folder: string, words: readonly (string | RegExp)[]) =>
		read(folder).flatMap(({ path, text }) =>
			words
				.filter((word) => (typeof word === "string" ? text.includes(word) : word.test(text)))
				.map((word) => `${path} holds ${word}`),
		);

	beforeAll(async () => {
		await bundle("production");
		await bundle("local");
	}, 300_000);

	const SIGN_IN_MARKS = [
		"local-sign-in",
		"Sign in on this machine",
		"Local sign-in",
		"Demo accounts",
		"Driver, incomplete profile",
	];

	it("the browser gets no server code", () => {
		for (const kind of ["production", "local"]) {
			expect(read(`build/${kind}/client`).length).toBeGreaterThan(3);
			const server = [
				"drizzle",
				"COOKIE_SECRET",
				"OIDC_PROVIDERS",
				"D1Database",
				"audit_events",
				"token_hash",
				"createRequestHandler",
			];
			expect(
				holding(`build/${kind}/client`, [
					...server,
					/\.server(?:\.[jt]s|")/,
					/insert into /i,
					/\bselect .{1,80} from [a-z_]+/i,
					/__Host-/,
				]),
			).toEqual([]);
		}
	});

	it("production has no trace of the local sign-in, which the same search finds in the local build", () => {
		expect(holding("build/production/worker", [...SIGN_IN_MARKS, "milepost.test"])).toEqual([]);
		expect(holding("build/production/client", SIGN_IN_MARKS)).toEqual([]);
		expect(
			holding("build/production/worker", [/name:"email"[^}]{0,80}autoComplete:"email"/]),
		).toEqual([]);
		const found = SIGN_IN_MARKS.filter((mark) =>
			read("build/local/worker").some(({ text }) => text.includes(mark)),
		);
		expect(found).toEqual(SIGN_IN_MARKS);
	});

	it("neither bundle contains tests, the cast or sources, and browsers get no source map", () => {
		for (const folder of ["build/production", "build/local"]) {
			const words = ["vitest", "fast-check", "milepost.test", process.cwd()];
			expect(holding(`${folder}/worker`, words)).toEqual([]);
			expect(holding(`${folder}/client`, [...words, "sourceMappingURL"])).toEqual([]);
			expect(filesUnder(`${folder}/client`).filter((path) => /\.(map|tsx?)$/.test(path))).toEqual(
				[],
			);
			expect(filesUnder(`${folder}/worker`).filter((path) => /\.tsx?$/.test(path))).toEqual([]);
		}
	});

	it.each(["production", "local"])(
		"a module of the %s Worker has a source map to our files",
		(kind) => {
			const folder = `build/${kind}/worker`;
			const sources = readdirSync(folder)
				.filter((name) => name.endsWith(".js") && name !== STACK_TABLE)
				.flatMap((name) => {
					const map = JSON.parse(readFileSync(join(folder, `${name}.map`), "utf8")) as {
						sources: string[];
					};
					return map.sources.map((source) => relative(".", resolve(folder, source)));
				});
			expect(sources).toEqual(
				expect.arrayContaining([
					"app/worker/entry.ts",
					"app/routes/healthz.ts",
					"app/domain/kernel/transition.server.ts",
				]),
			);
		},
	);

	it("only a few known files have fixed names; all others carry a hash", () => {
		const plain = filesUnder("build/production/client")
			.map((path) => relative("build/production/client", path))
			.filter((path) => !/^assets\/.+-[\w-]{8}\.(m?js|css|pfb|ttf|webp)$/.test(path));
		expect(plain.sort()).toEqual(readdirSync("public").sort());
	});
});

it.each([
	...["admin", "archive", "backup", "deploy", "doctor", "drill", "restore", "seed", "setup"],
	...["start", "dev"],
])(
	"npm run %s loads Miniflare and wrangler when it needs them, without import (tools/packages.ts)",
	async (tool) => {
		const { metafile } = await build({
			entryPoints: [`tools/${tool}.ts`],
			bundle: true,
			platform: "node",
			format: "esm",
			packages: "external",
			metafile: true,
			write: false,
		});
		const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
		expect(imports.length).toBeGreaterThan(0);
		expect(imports.filter(({ path }) => path === "miniflare" || path === "wrangler")).toEqual([]);
	},
);
