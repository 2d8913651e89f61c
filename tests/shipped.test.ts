/**
 * What is shipped to browsers: the files that a page can use, and none that only a client router
 * would need.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { bundle } from "../tools/bundle.ts";
import type { Kind } from "../tools/bundle-stamp.ts";

const KINDS: readonly Kind[] = ["local", "production"];
beforeAll(async () => {
	for (const kind of KINDS) await bundle(kind);
});
const assetsOf = (kind: Kind) => readdirSync(join("build", kind, "client", "assets")).sort();

/**
 * By the part of the name before the hash: the entry, the fonts of reports, the
 * islands, and what these import.
 */
const SHIPPED = [
	"DejaVuSansCondensed",
	"DejaVuSansCondensed-Bold",
	"entry.client",
	"phone",
	"report-download",
	"spend-chart",
];
/**
 * How the bundler names a route's own module: by its file, `route` where that is in a folder of its
 * own.
 */
const ROUTES = readdirSync("app/routes").map((name) =>
	name.replace(/\.tsx?$/, "").replace(/[^\w.-]/g, "_"),
);

it.each(KINDS)("of the %s build are the entry, the islands and what they import", (kind) => {
	const names = new Set(assetsOf(kind).map((file) => file.replace(/-[\w-]{8}\.\w+$/, "")));
	console.log(`Shipped by the ${kind} build: ${[...names].join(", ")}`);
	for (const name of SHIPPED) expect(names, name).toContain(name);
	expect(
		[...names].filter((name) => ["manifest", "root", "route", ...ROUTES].includes(name)),
	).toEqual([]);
});

it.each(KINDS)(
	"of the %s build contain no list of routes and no administrator's screen",
	(kind) => {
		const files = assetsOf(kind).map(
			(name) =>
				[name, readFileSync(join("build", kind, "client", "assets", name), "latin1")] as const,
		);
		for (const [name, text] of files) {
			expect(name).not.toMatch(/^(manifest|route|root|_|api\.)/);
			expect(text, name).not.toMatch(
				/__remixManifest|routes\/_admin|\/fund-requests|\/uber-fees|\/audit|Create Admin|Driver Efficiency/,
			);
		}
	},
);

it.each(KINDS)("of the %s build contain no conform: forms are rendered by the Worker", (kind) => {
	const worker = readdirSync(join("build", kind, "worker"));
	const textOf = (file: string) => readFileSync(join("build", kind, file), "latin1");
	// The name of conform's hidden fields appears wherever conform does.
	expect(worker.some((name) => textOf(`worker/${name}`).includes("__intent__"))).toBe(true);
	const files = assetsOf(kind).filter((name) => name.endsWith(".js"));
	expect(
		files.filter((name) => /__intent__|__state__/.test(textOf(`client/assets/${name}`))),
	).toEqual([]);
});

it.each(KINDS)("of the %s build include everything they refer to", (kind) => {
	const present = new Set(assetsOf(kind));
	for (const name of present) {
		if (!/\.(js|css)$/.test(name)) continue;
		const text = readFileSync(join("build", kind, "client", "assets", name), "utf8");
		const named = [...text.matchAll(/(?:\.\/|assets\/)([\w.-]+-[\w-]{8}\.(?:js|css|ttf))/g)].map(
			([, file = ""]) => file,
		);
		expect(
			named.filter((file) => !present.has(file)),
			name,
		).toEqual([]);
	}
});
