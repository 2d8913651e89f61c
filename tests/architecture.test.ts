/**
 * Laws of the tree that a compiler can't enforce: which modules may import which, and how files are
 * named.
 */
import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
	all,
	filesUnder,
	isCode,
	isTest,
	pathOfNode,
	resolved,
	sources,
} from "./support/sources.ts";

it("finds the code", () => {
	expect(sources.length).toBeGreaterThan(40);
	const edges = sources.flatMap(({ imports }) => imports);
	expect(edges.length).toBeGreaterThan(150);
	for (const { from, to } of edges)
		if (to.startsWith("app/")) expect(existsSync(to), `${from} imports ${to}`).toBe(true);
});

describe("who may import whom", () => {
	/** From the top to the bottom; a layer imports from its own row and from the rows below it. */
	const ROWS: readonly (readonly string[])[] = [
		["worker"],
		["routes"],
		["ui", "islands"],
		["auth"],
		["routing"],
		["domain", "offline"],
		["db", "http"],
		["values", "styles"],
	];
	/**
	 * Files in app/ itself. Remix's entries and the root combine the layers. messages.ts holds words
	 * and env.server.ts settings; neither depends on a layer, so everything above values may read
	 * them.
	 */
	const SINGLE: Readonly<Record<string, string>> = {
		"app/entry.server.tsx": "worker",
		"app/entry.client.tsx": "worker",
		"app/root.tsx": "worker",
		"app/messages.ts": "values",
		"app/env.server.ts": "values",
		"app/class-names.ts": "values",
	};
	const layerOf = (path: string) => SINGLE[path] ?? path.split("/")[1] ?? "";
	const rowOf = (path: string) => ROWS.findIndex((row) => row.includes(layerOf(path)));

	it("every file belongs to a layer", () => {
		expect(sources.filter(({ path }) => rowOf(path) < 0).map(({ path }) => path)).toEqual([]);
	});

	it("imports go down, types included", () => {
		const up = sources
			.flatMap(({ imports }) => imports)
			.filter(({ from, to }) => to.startsWith("app/") && rowOf(to) < rowOf(from));
		expect(up).toEqual([]);
	});

	it("http imports only values, and the domain imports no http", () => {
		const edges = sources
			.flatMap(({ imports }) => imports)
			.filter(({ to }) => to.startsWith("app/"));
		expect(
			edges.filter(
				({ from, to }) => layerOf(from) === "http" && !["http", "values"].includes(layerOf(to)),
			),
		).toEqual([]);
		expect(
			edges
				.filter(({ from, to }) => layerOf(to) === "http" && rowOf(from) >= rowOf("app/domain/"))
				.filter(({ from }) => layerOf(from) !== "http"),
		).toEqual([]);
	});

	it("the domain imports no React, Remix, auth or http; values import only three small pure packages", () => {
		const packagesOf = (layers: readonly string[]) =>
			new Set(
				sources
					.filter(({ path }) => layers.includes(layerOf(path)))
					.flatMap(({ imports }) => imports)
					.map(({ to }) => to)
					.filter((to) => !to.startsWith("app/")),
			);
		for (const name of packagesOf(["domain", "db", "values"]))
			expect(name).not.toMatch(/^react|^@remix-run|^@conform-to|^arctic|^jose/);
		expect([...packagesOf(["values"])].sort()).toEqual([
			"@oslojs/encoding",
			"papaparse",
			"valibot",
		]);
	});

	it("browser code imports no server module: the compiler would silently replace it with an empty one", () => {
		// Types are removed before bundling, so a type may come from a server module.
		const wrong = sources
			.filter(
				({ path }) =>
					["ui", "islands", "offline"].includes(layerOf(path)) || path === "app/entry.client.tsx",
			)
			.flatMap(({ imports }) => imports)
			.filter(({ to, isTypeOnly }) => /\.server(\.tsx?)?$/.test(to) && !isTypeOnly);
		expect(wrong).toEqual([]);
	});

	it("no server module is reachable from browser code at run time", () => {
		const byPath = new Map(sources.map((source) => [source.path, source]));
		const reached = new Set<string>();
		const walk = (path: string, way: readonly string[]) => {
			if (reached.has(path)) return;
			reached.add(path);
			if (/\.server\.tsx?$/.test(path)) expect.fail([...way, path].join(" -> "));
			for (const { to, isTypeOnly } of byPath.get(path)?.imports ?? [])
				if (!isTypeOnly && to.startsWith("app/")) walk(to, [...way, path]);
		};
		for (const { path } of sources)
			if (layerOf(path) === "islands" || path === "app/entry.client.tsx") walk(path, []);
		expect(reached.size).toBeGreaterThan(2);
	});

	it("no import cycles in app, tools, lab or tests, types included", () => {
		const paths = ["app", "tools", "lab", "tests"].flatMap(filesUnder).filter(isCode);
		const imports = new Map(
			paths.map((path) => {
				const { importedFiles } = ts.preProcessFile(readFileSync(path, "utf8"));
				return [path, importedFiles.map(({ fileName }) => resolved(path, fileName))];
			}),
		);
		const done = new Set<string>();
		const circles: string[] = [];
		const walk = (path: string, way: readonly string[]) => {
			if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
			if (done.has(path) || way.includes(path)) return;
			for (const to of imports.get(path) ?? []) walk(to, [...way, path]);
			done.add(path);
		};
		for (const path of paths) walk(path, []);
		expect(circles).toEqual([]);
	});

	it("the domain's folders stand on each other: imports only go down", () => {
		const floors =
			"kernel settings receipts mail people messages tokens webhooks audit uber-fees fund-requests archive mileage analytics statements agreements charges settlements reports payouts personal-data upkeep backups reminders history find".split(
				" ",
			);
		const floorOf = (path: string) =>
			path.startsWith("app/domain/") ? floors.indexOf(path.split("/")[2] ?? "") : undefined;
		expect(sources.filter(({ path }) => floorOf(path) === -1).map(({ path }) => path)).toEqual([]);
		const up = sources
			.flatMap(({ imports }) => imports)
			.filter(({ from, to }) => (floorOf(to) ?? -1) > (floorOf(from) ?? floors.length));
		expect(up).toEqual([]);
	});

	it("nothing in app imports tests, tools or lab, and only tests import test libraries", () => {
		const wrong = sources
			.flatMap(({ imports }) => imports)
			.filter(({ to }) => /^(tests|tools|lab)\/|^vitest$|^fast-check$|^miniflare$/.test(to));
		expect(wrong).toEqual([]);
	});

	it("what runs a fleet needs nothing that measures or attacks it", () => {
		const files = filesUnder("tools").filter((path) => path.endsWith(".ts"));
		expect(files.length).toBeGreaterThan(50);
		expect(files.filter((path) => readFileSync(path, "utf8").includes('"../lab/'))).toEqual([]);
	});

	it("routes import from another route's folder only where it is listed here", () => {
		const roomOf = (path: string) => path.split("/").slice(0, 3).join("/");
		const borrowed = sources
			.filter(({ path }) => path.startsWith("app/routes/"))
			.flatMap(({ imports }) => imports)
			.filter(({ from, to }) => to.startsWith("app/routes/") && roomOf(from) !== roomOf(to))
			.map(({ from, to }) => `${roomOf(from)} from ${roomOf(to)}`);
		expect([...new Set(borrowed)].sort()).toEqual([
			// A driver's page uses the forms of their row in the list, and shows its buttons.
			"app/routes/_admin.drivers_.$id from app/routes/_admin.drivers",
			// A payout's downloads are sent alike for both audiences.
			"app/routes/_admin.payouts_.$id[.]pdf.ts from app/routes/_admin.payouts_.$id",
			"app/routes/_admin.payouts_.$id_.export[.]csv.ts from app/routes/_admin.payouts_.$id",
			// The downloads redirect back to their form's screen.
			"app/routes/_admin.reports_.generate.ts from app/routes/_admin.reports",
			"app/routes/_admin.reports_.mileage-log.ts from app/routes/_admin.reports",
			// Both sides write into the thread of a published week alike.
			"app/routes/_admin.settlements_.$id from app/routes/_driver.earnings_.$id",
			// Its PDF is sent alike, and so is a payout's.
			"app/routes/_admin.settlements_.$id[.]pdf.ts from app/routes/_driver.earnings_.$id",
			"app/routes/_driver.earnings_.$id[.]pdf.ts from app/routes/_driver.earnings_.$id",
			"app/routes/_driver.history_.payouts_.$id[.]pdf.ts from app/routes/_admin.payouts_.$id",
			// The two downloads of a year are sent alike.
			"app/routes/_driver.history_.tax-year.ts from app/routes/_driver.history",
			"app/routes/_driver.history_.year-summary.ts from app/routes/_driver.history",
			// The offline page consists of the two forms that a phone can keep.
			"app/routes/offline.tsx from app/routes/_driver.mileage",
			"app/routes/offline.tsx from app/routes/_driver.requests",
		]);
	});

	it("relative imports have a file extension, and stay in app", () => {
		const wrong = sources
			.flatMap(({ imports }) => imports)
			.filter(({ to }) =>
				to.startsWith("app") ? !/\.(tsx?|css|webp)$/.test(to) : to.startsWith(".."),
			);
		expect(wrong).toEqual([]);
	});
});

describe("how files are named and filled", () => {
	it("no barrels: nothing is exported from another module", () => {
		const barrels = sources.flatMap((source) =>
			source.tree.statements
				.filter(
					(statement) =>
						ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
				)
				.map((statement) => pathOfNode(source, statement)),
		);
		expect(barrels).toEqual([]);
	});

	it("a command's refusal gets its status and its words in the domain's refusals.ts alone", () => {
		const statuses = sources
			.filter(({ path, text }) => path.startsWith("app/routes/") && /\b(409|422|429)\b/.test(text))
			.map(({ path }) => path);
		expect(statuses).toEqual([
			// Only some of the ticked requests were approved, or none.
			"app/routes/_admin.fund-requests/actions.server.ts",
			// The local sign-in has no provider to sign out of.
			"app/routes/api.login.tsx",
		]);
		const tables = sources.filter(
			({ path, text }) =>
				/= answersIn</.test(text) && !/^app\/domain\/[^/]+\/refusals\.ts$/.test(path),
		);
		expect(tables.map(({ path }) => path)).toEqual([]);
	});

	it("no catch-all folders such as utils", () => {
		const drawers = filesUnder("app").filter((path) =>
			path
				.split("/")
				.some((part) => /^(utils?|helpers?|common|lib|misc|types?|shared)(\.|$)/.test(part)),
		);
		expect(drawers).toEqual([]);
	});

	it("kebab-case everywhere except in the routes, whose names Remix parses", () => {
		const odd = filesUnder("app").filter(
			(path) => !path.startsWith("app/routes/") && !/^app(\/[a-z0-9-]+)*\/[a-z0-9.-]+$/.test(path),
		);
		expect(odd).toEqual([]);
	});

	it("no file over 300 lines, except the schema", () => {
		const long = sources
			.filter(({ path }) => path !== "app/db/schema.ts")
			.map(({ path, text }) => [path, text.split("\n").length] as const)
			.filter(([, lines]) => lines > 300);
		expect(long).toEqual([]);
	});

	it("no TODO or FIXME", () => {
		const later = [
			...all.map(({ path }) => path),
			...filesUnder("tests"),
			...filesUnder("tools"),
			...filesUnder("lab"),
			...filesUnder("migrations"),
		]
			// This line would match itself.
			.filter((path) => path !== "tests/architecture.test.ts")
			.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(readFileSync(path, "utf8")));
		expect(later).toEqual([]);
	});

	it("no test is skipped, focused or a todo", () => {
		const tests = [
			...all.filter(({ path }) => isTest(path)).map(({ path }) => path),
			...["tests", "lab"].flatMap(filesUnder).filter(isTest),
		];
		expect(tests.length).toBeGreaterThan(8);
		const idle = tests.filter(
			(path) =>
				path !== "tests/architecture.test.ts" &&
				/\b(it|test|describe)\.(skip|only|todo|fails)\b/.test(readFileSync(path, "utf8")),
		);
		expect(idle).toEqual([]);
	});
});
