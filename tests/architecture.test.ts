/**
 * The laws of the design that a compiler cannot keep: who may import whom, who may ask the clock
 * and the database, which routes exist, and what the two bundles must never hold.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from "../app/http/security.server.ts";
import { ROUTES } from "../app/routing/routes.ts";
import { bundle } from "../tools/bundle.ts";
import { readConfig } from "../tools/wrangler-config.ts";

type Import = { readonly from: string; readonly to: string; readonly isTypeOnly: boolean };
type Source = {
	readonly path: string;
	readonly text: string;
	readonly tree: ts.SourceFile;
	readonly imports: readonly Import[];
};

function filesUnder(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? filesUnder(path) : [path];
	});
}

function everyNode(tree: ts.Node, visit: (node: ts.Node) => void): void {
	visit(tree);
	ts.forEachChild(tree, (child) => everyNode(child, visit));
}

/** The module a specifier names: a path from the project's root, or the package as written. */
function resolved(from: string, specifier: string): string {
	return specifier.startsWith(".")
		? relative(".", resolve(dirname(from), specifier)).replace(/\?.*$/, "")
		: specifier;
}

/** True when an import or export statement leaves nothing behind once types are gone. */
function isTypeOnly(node: ts.ImportDeclaration): boolean {
	const clause = node.importClause;
	if (!clause) return false;
	if (clause.isTypeOnly) return true;
	const names = clause.namedBindings;
	return (
		!clause.name &&
		names !== undefined &&
		ts.isNamedImports(names) &&
		names.elements.length > 0 &&
		names.elements.every((each) => each.isTypeOnly)
	);
}

function importsOf(path: string, tree: ts.SourceFile): Import[] {
	const found: Import[] = [];
	const add = (node: ts.Node | undefined, isType: boolean) => {
		if (node && ts.isStringLiteralLike(node))
			found.push({ from: path, to: resolved(path, node.text), isTypeOnly: isType });
	};
	everyNode(tree, (node) => {
		if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node));
		else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
		else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
			add(node.argument.literal, true);
		else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
			add(node.arguments[0], false);
	});
	return found;
}

const isCode = (path: string) => /\.(ts|tsx)$/.test(path) && !path.endsWith(".d.ts");
const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const all: readonly Source[] = filesUnder("app")
	.filter(isCode)
	.map((path) => {
		const text = readFileSync(path, "utf8");
		const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
		const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
		return { path, text, tree, imports: importsOf(path, tree) };
	});
const sources = all.filter(({ path }) => !isTest(path));
const pathOfNode = (source: Source, node: ts.Node) =>
	`${source.path}:${source.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

it("reads the code that is there", () => {
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
		["values"],
	];
	/**
	 * Files in app/ itself. Remix's entries and its root put the layers together. messages.ts is
	 * words and env.server.ts the settings: both know nothing of the layers, so everything above
	 * values may read them.
	 */
	const SINGLE: Readonly<Record<string, string>> = {
		"app/entry.server.tsx": "worker",
		"app/entry.client.tsx": "worker",
		"app/root.tsx": "worker",
		"app/messages.ts": "values",
		"app/env.server.ts": "values",
		"app/class-names.ts": "values",
		"app/styles.css": "values",
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

	it("requests and responses know values alone, and the domain knows no request", () => {
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

	it("the domain knows neither React nor Remix, nor signing in, nor requests; values know no packages but three small pure ones", () => {
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

	it("what reaches the browser imports no server module: the compiler would hand it an empty one without a word", () => {
		// Types are gone before any bundler looks, so a type may come from a server module.
		const wrong = sources
			.filter(
				({ path }) =>
					["ui", "islands", "offline"].includes(layerOf(path)) || path === "app/entry.client.tsx",
			)
			.flatMap(({ imports }) => imports)
			.filter(({ to, isTypeOnly }) => /\.server(\.tsx?)?$/.test(to) && !isTypeOnly);
		expect(wrong).toEqual([]);
	});

	it("what a browser module reaches at run time, however far down, is no server module", () => {
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

	it("no import cycles, types included", () => {
		const byPath = new Map(sources.map((source) => [source.path, source]));
		const done = new Set<string>();
		const circles: string[] = [];
		const walk = (path: string, way: readonly string[]) => {
			if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
			if (done.has(path) || way.includes(path)) return;
			for (const { to } of byPath.get(path)?.imports ?? [])
				if (to.startsWith("app/")) walk(to, [...way, path]);
			done.add(path);
		};
		for (const { path } of sources) walk(path, []);
		expect(circles).toEqual([]);
	});

	it("nothing in app imports tests or tools, and only tests import test libraries", () => {
		const wrong = sources
			.flatMap(({ imports }) => imports)
			.filter(({ to }) => /^(tests|tools)\/|^vitest$|^fast-check$|^miniflare$/.test(to));
		expect(wrong).toEqual([]);
	});

	it("a route takes nothing from another route: what they share is in the domain", () => {
		const roomOf = (path: string) => path.split("/").slice(0, 3).join("/");
		const borrowed = sources
			.filter(({ path }) => path.startsWith("app/routes/"))
			.flatMap(({ imports }) => imports)
			.filter(({ from, to }) => to.startsWith("app/routes/") && roomOf(from) !== roomOf(to))
			.map(({ from, to }) => `${roomOf(from)} from ${roomOf(to)}`);
		expect([...new Set(borrowed)].sort()).toEqual([
			// The page of a driver takes the forms of their row on the list, and shows its buttons.
			"app/routes/_admin.drivers_.$id from app/routes/_admin.drivers",
			// The downloads go back to the address of their form's screen.
			"app/routes/_admin.reports_.generate.ts from app/routes/_admin.reports",
			"app/routes/_admin.reports_.mileage-log.ts from app/routes/_admin.reports",
			// The offline page is the two forms that a phone can keep.
			"app/routes/offline.tsx from app/routes/_driver.mileage",
			"app/routes/offline.tsx from app/routes/_driver.requests",
		]);
	});

	it("relative imports say their file's ending, and stay in app", () => {
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
			// Some of what was ticked was approved, or none.
			"app/routes/_admin.fund-requests/actions.server.ts",
			// The local sign-in, whose accounts have no issuer's page to go back to.
			"app/routes/api.login.tsx",
		]);
		const tables = sources.filter(
			({ path, text }) =>
				/= answersIn</.test(text) && !/^app\/domain\/[^/]+\/refusals\.ts$/.test(path),
		);
		expect(tables.map(({ path }) => path)).toEqual([]);
	});

	it("no folder for odds and ends", () => {
		const drawers = filesUnder("app").filter((path) =>
			path
				.split("/")
				.some((part) => /^(utils?|helpers?|common|lib|misc|types?|shared)(\.|$)/.test(part)),
		);
		expect(drawers).toEqual([]);
	});

	it("kebab-case everywhere but in the routes, whose names Remix reads", () => {
		const odd = filesUnder("app").filter(
			(path) => !path.startsWith("app/routes/") && !/^app(\/[a-z0-9-]+)*\/[a-z0-9.-]+$/.test(path),
		);
		expect(odd).toEqual([]);
	});

	it("no file past 300 lines; all tables stand on one page on purpose", () => {
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
			...filesUnder("migrations"),
		]
			// This line would find itself.
			.filter((path) => path !== "tests/architecture.test.ts")
			.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(readFileSync(path, "utf8")));
		expect(later).toEqual([]);
	});

	it("no test is skipped, focused or left to be written", () => {
		const tests = [
			...all.filter(({ path }) => isTest(path)).map(({ path }) => path),
			...filesUnder("tests").filter(isTest),
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

describe("who may ask the clock and the database", () => {
	it("the clock is read where a request comes in, where a trip to D1 is timed, and where a phone captures something", () => {
		const readers = new Set<string>();
		for (const source of sources)
			everyNode(source.tree, (node) => {
				const isNow =
					ts.isPropertyAccessExpression(node) &&
					/^(Date|performance)$/.test(node.expression.getText()) &&
					node.name.text === "now";
				const isBareDate =
					(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
					node.expression.getText() === "Date" &&
					!node.arguments?.length;
				if (isNow || isBareDate) readers.add(source.path);
			});
		expect([...readers].sort()).toEqual([
			"app/db/client.server.ts",
			"app/offline/clock.ts",
			"app/worker/entry.ts",
		]);
	});

	it("no script of ours reloads its page: the refusal of another site's form would then be asked for again as our own", () => {
		const reloaders = sources
			.filter(({ text }) => /\.reload\(\)|history\.go\(/.test(text))
			.map(({ path }) => path);
		expect(reloaders).toEqual([]);
	});

	it("no SQL asks SQLite's clock either", () => {
		const askers = sources
			.filter(({ text }) =>
				/current_timestamp|current_date|unixepoch\(\)|'now'|julianday\('now/i.test(text),
			)
			.map(({ path }) => path);
		expect(askers).toEqual([]);
	});

	it("SQL is written in the domain's and the sign-in's server modules and nowhere else", () => {
		const isAllowed = (path: string) =>
			/^app\/db\/|^app\/domain\/(.+\/)?[^/]+\.server\.ts$|^app\/auth\/(.+\/)?[^/]+\.server\.ts$/.test(
				path,
			);
		const wrong = sources
			.filter(({ path }) => !isAllowed(path))
			.flatMap(({ imports }) => imports)
			.filter(
				({ to, isTypeOnly }) =>
					(to.startsWith("drizzle-orm") || to === "app/db/schema.ts") && !isTypeOnly,
			);
		expect(wrong).toEqual([]);
		const raw = sources
			.filter(({ path, text }) => !isAllowed(path) && /\.(prepare|exec)\(\s*["'`]/.test(text))
			.map(({ path }) => path);
		expect(raw).toEqual([]);
	});

	it("business rows are written by the kernel and by commands alone", () => {
		const tables = ["users", "identities", "mileage_logs", "fund_requests", "receipts"];
		tables.push("fee_imports", "uber_fees", "request_messages", "settings");
		const objects = tables.map((name) =>
			name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		);
		const writes = new RegExp(
			`\\.(insert|update|delete)\\((${objects.join("|")})\\)|\\b(insert into|update|delete from)\\s+\\W{0,3}(${[...tables, ...objects].join("|")})\\b`,
		);
		const writers = sources
			.filter(
				({ path }) =>
					path.startsWith("app/") &&
					!path.startsWith("app/db/") &&
					!/^app\/domain\/[^/]+\/commands\//.test(path),
			)
			.filter(({ text }) => writes.test(text))
			.map(({ path }) => path);
		expect(writers).toEqual([]);
		const kernel = /\/(transition|create-once)\.server\.ts$/;
		const withoutIt = sources
			.filter(({ path, text }) => /^app\/domain\/[^/]+\/commands\//.test(path) && writes.test(text))
			.filter(({ imports }) => !imports.some(({ to }) => kernel.test(to)))
			.map(({ path }) => path);
		expect(withoutIt.sort()).toEqual([
			// It moves entries into the archive; one audit entry tells how many.
			"app/domain/archive/commands/move-entries.server.ts",
			// It tells in the audit when it is done with somebody.
			"app/domain/personal-data/commands/erase-audit.server.ts",
			// A file's row is written in the batch of whichever command needs it.
			"app/domain/receipts/commands/receipt-row.server.ts",
			// It deletes; its one audit entry a day tells how many.
			"app/domain/receipts/commands/sweep.server.ts",
			// Signing in is one batch, whatever account it ends in.
			"app/domain/users/commands/claim-invitation.server.ts",
			"app/domain/users/commands/create-account.server.ts",
		]);
	});

	it("email is queued by one function", () => {
		const queuing = sources.filter(({ text }) =>
			/insert into (mails|\$\{mails\})|\.insert\(mails\)/.test(text),
		);
		expect(queuing.map(({ path }) => path)).toEqual(["app/domain/mail/queue.server.ts"]);
	});

	it("replicas are read where the guard proves a driver, so a decision never rests on one", () => {
		const near = sources.filter(({ text }) => /\.readNear\(|\bwithSession\(/.test(text));
		expect(near.map(({ path }) => path).sort()).toEqual([
			"app/auth/guard.server.ts",
			"app/db/client.server.ts",
		]);
	});

	it("D1 is touched by its one door: nobody else prepares or batches on a binding", () => {
		const touching = sources.filter(
			({ path, text }) =>
				path !== "app/db/client.server.ts" && /\benv\.DB\b(?![,)])|\.prepare\(/.test(text),
		);
		expect(touching.map(({ path }) => path)).toEqual([]);
	});

	it("no statement replaces a row: REPLACE deletes without asking the triggers that keep history", () => {
		expect(
			sources
				.filter(({ text }) => /\bor\s+replace\b|\breplace\s+into\b/i.test(text))
				.map(({ path }) => path),
		).toEqual([]);
	});

	it("only the guard makes a context", () => {
		const makers = sources
			.filter(({ text }) =>
				/as (unknown as )?(DriverContext|AdminContext|SelfContext)\b/.test(text),
			)
			.map(({ path }) => path);
		expect(makers).toEqual(["app/auth/guard.server.ts"]);
	});
});

describe("what HTML may hold", () => {
	it("no markup as text, no style attribute, no handler as text, no script of ours in the page", () => {
		const wrong: string[] = [];
		for (const source of sources)
			everyNode(source.tree, (node) => {
				if (!ts.isJsxAttribute(node)) return;
				const name = node.name.getText();
				const isHandlerAsText =
					/^on[A-Za-z]+$/.test(name) &&
					node.initializer !== undefined &&
					ts.isStringLiteral(node.initializer);
				// The build's own styles, which every document's policy names by their hash.
				if (name === "dangerouslySetInnerHTML" && source.path === "app/root.tsx") return;
				if (name === "dangerouslySetInnerHTML" || name === "style" || isHandlerAsText)
					wrong.push(pathOfNode(source, node));
			});
		for (const { path, text } of sources)
			if (
				/dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/.test(
					path === "app/root.tsx"
						? text.replace("dangerouslySetInnerHTML={{ __html: styles }}", "")
						: text,
				)
			)
				wrong.push(path);
		expect(wrong).toEqual([]);
	});

	it("handlers are given in islands only: nothing else is ever hydrated", () => {
		const wrong: string[] = [];
		for (const source of sources.filter(({ path }) => !path.startsWith("app/islands/")))
			everyNode(source.tree, (node) => {
				if (ts.isJsxAttribute(node) && /^on[A-Z]/.test(node.name.getText()))
					wrong.push(pathOfNode(source, node));
			});
		expect(wrong).toEqual([]);
	});

	it("what a loader or an action answered is typed in one place", () => {
		const readers = sources
			.filter(({ text }) => /\buse(Loader|Action)Data\(/.test(text))
			.map(({ path }) => path);
		expect(readers).toEqual(["app/ui/use-view.ts"]);
	});

	it("no effect, state or generated id outside the islands", () => {
		const wrong = sources
			.filter(
				({ path, text }) =>
					!path.startsWith("app/islands/") &&
					/\buse(State|Effect|Reducer|LayoutEffect|Id|Fetcher|Submit|Navigate)\(/.test(text),
			)
			.map(({ path }) => path);
		expect(wrong).toEqual([]);
		expect(sources.filter(({ text }) => /\buseId\(/.test(text)).map(({ path }) => path)).toEqual(
			[],
		);
	});
});

describe("the routes that exist are the routes of the table", () => {
	/**
	 * The path of a flat-route file: dots are slashes, `$x` one segment, a leading `_` no segment, a
	 * trailing `_` no nesting, `[.]` a dot.
	 */
	function pathOfRoute(name: string): string | undefined {
		const parts = (name.match(/(\[[^\]]*\]|[^.])+/g) ?? []).filter((part) => !part.startsWith("_"));
		const segments = parts.map((part) =>
			part
				.replace(/_$/, "")
				.replace(/\[([^\]]*)\]/g, "$1")
				.replace(/^\$(?=.)/, ":"),
		);
		if (segments.at(-1) === "$") return undefined;
		return `/${segments.join("/")}`;
	}
	const names = readdirSync("app/routes", { withFileTypes: true }).map((entry) =>
		entry.name.replace(/\.tsx?$/, ""),
	);

	it("reads file names as Remix does", () => {
		expect(
			[
				"_index",
				"profile",
				"_driver.mileage",
				"api.login",
				"api.drivers_.$id.approve",
				"api.drivers_.$id",
				"history_.export[.]csv",
				"$",
				"api.$",
			].map(pathOfRoute),
		).toEqual([
			"/",
			"/profile",
			"/mileage",
			"/api/login",
			"/api/drivers/:id/approve",
			"/api/drivers/:id",
			"/history/export.csv",
			undefined,
			undefined,
		]);
	});

	it("one file for each line of the table, and no other", () => {
		const files = names.map(pathOfRoute).filter((path) => path !== undefined);
		expect(files.sort()).toEqual(ROUTES.map(({ path }) => path).sort());
	});

	it("both catch-alls are there", () => {
		expect(names).toContain("$");
		expect(names).toContain("api.$");
	});

	it("every loader and action of every route goes through the guard, but signing in and out, and what holds no data", () => {
		const open = [
			"api.callback.tsx",
			"api.login.tsx",
			"api.logout.tsx",
			"offline.tsx",
			"service-worker[.]js.ts",
			"manifest[.]webmanifest.ts",
			"speculation-rules[.]json.ts",
			"healthz.ts",
			// Signed by the mail provider.
			"api.mail.events.ts",
			// Sent by browsers on their own.
			"api.csp-reports.ts",
		].map((name) => `app/routes/${name}`);
		const guards = /\b(requireAdmin|requireDriver|requireUser|requirePortal|rejectUnknownRoute)\b/;
		/** The function of a name in the view beside a route, where its loader may be written. */
		const inView = (path: string, name: string): string => {
			const view = sources.find((each) => each.path === join(dirname(path), "view.server.ts"));
			let text = "";
			if (view)
				everyNode(view.tree, (node) => {
					if (ts.isFunctionDeclaration(node) && node.name?.text === name) text = node.getText();
				});
			return text;
		};
		for (const source of sources.filter(
			({ path }) => path.startsWith("app/routes/") && !open.includes(path),
		))
			everyNode(source.tree, (node) => {
				const name =
					(ts.isFunctionDeclaration(node) && node.name?.text) ||
					(ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text) ||
					"";
				if (name !== "loader" && name !== "action") return;
				const isNamed =
					ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.initializer);
				const text = isNamed ? inView(source.path, node.initializer.getText()) : node.getText();
				expect(guards.test(text), `${name} of ${source.path}`).toBe(true);
			});
	});
});

describe("the bundles", () => {
	const read = (folder: string) =>
		filesUnder(folder)
			.filter((path) => path.endsWith(".js"))
			.map((path) => ({ path, text: readFileSync(path, "utf8") }));
	/** Texts of a bundle that hold a word they must not. */
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
				".server",
				"audit_events",
				"token_hash",
				"createRequestHandler",
			];
			expect(
				holding(`build/${kind}/client`, [
					...server,
					/insert into /i,
					/\bselect .{1,80} from [a-z_]+/i,
					/__Host-/,
				]),
			).toEqual([]);
		}
	});

	it("production has no trace of the local sign-in; the local build has, or this would prove nothing", () => {
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

	it("neither bundle holds tests, the cast or sources, and browsers get no map", () => {
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

	it("a module of the production Worker has a map that leads to our own files", () => {
		expect(holding("build/local/worker", ["sourceMappingURL"])).toEqual([]);
		const folder = "build/production/worker";
		const sources = readdirSync(folder)
			.filter((name) => name.endsWith(".js"))
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
				"app/domain/transition.server.ts",
			]),
		);
	});

	it("files whose names never change are few and known; every other carries its hash", () => {
		const plain = filesUnder("build/production/client")
			.map((path) => relative("build/production/client", path))
			.filter((path) => !/^assets\/.+-[\w-]{8}\.(m?js|css|ttf|webp)$/.test(path));
		expect(plain.sort()).toEqual(readdirSync("public").sort());
	});
});

/** wrangler.toml with what it only offers in comments switched on, as an operator would. */
function readWithOffers(toml: string) {
	const folder = mkdtempSync(join(tmpdir(), "milepost-offers-"));
	try {
		const path = join(folder, "wrangler.toml");
		writeFileSync(path, toml.replaceAll(OFFER, ""));
		return readConfig(path);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
/** What an environment binds and sets, and what of it must be its own. */
function boundIn(env: "" | "staging") {
	const config = readConfig("wrangler.toml", env);
	const places = [
		config.name,
		...config.d1_databases.map((each) => each.database_name),
		...config.r2_buckets.map((each) => each.bucket_name),
		...config.ratelimits.map((each) => each.namespace_id),
	];
	const names = [
		...config.d1_databases.map((each) => each.binding),
		...config.r2_buckets.map((each) => each.binding),
		...config.ratelimits.map((each) => each.name),
		...[config.assets?.binding, config.version_metadata?.binding],
		...Object.keys(config.vars),
	];
	return { config, places, names };
}
/** The sign before a setting or a section that is commented out; other comments are prose. */
const OFFER = /^# (?=\w+ = |\[\[?\w+\]\]?$)/gm;

describe("settings that are said twice agree", () => {
	it("static files carry the headers that every answer of the Worker carries", () => {
		const block =
			readFileSync("public/_headers", "utf8")
				.split(/^(?=\/)/m)
				.find((each) => each.startsWith("/*\n")) ?? "";
		const lines = block
			.split("\n")
			.slice(1)
			.filter((line) => line.trim() !== "")
			.map((line) => /^\s+([^:]+): (.*)$/.exec(line)?.slice(1) ?? []);
		expect(Object.fromEntries(lines)).toEqual({
			...SECURITY_HEADERS,
			"Content-Security-Policy": CONTENT_SECURITY_POLICY,
		});
	});

	it("wrangler.toml binds what Env names, and nothing more", () => {
		const toml = readFileSync("wrangler.toml", "utf8");
		const config = readWithOffers(toml);
		const bindings = [
			...[
				...[...config.d1_databases, ...config.r2_buckets],
				...[config.assets, config.version_metadata],
				...config.analytics_engine_datasets,
			].map((each) => each?.binding),
			...[...config.ratelimits, ...config.send_email].map(({ name }) => name),
		];
		const named = Object.keys(config.vars);
		const secrets = (/^# Secrets: ([A-Z_, ]+)/m.exec(toml)?.[1] ?? "")
			.split(",")
			.map((each) => each.trim());
		const env = all.find(({ path }) => path === "app/env.server.ts");
		const members: string[] = [];
		if (env)
			everyNode(env.tree, (node) => {
				if (
					ts.isTypeAliasDeclaration(node) &&
					node.name.text === "Env" &&
					ts.isTypeLiteralNode(node.type)
				)
					for (const member of node.type.members) members.push(member.name?.getText() ?? "");
			});
		expect(members.length).toBeGreaterThan(5);
		// Only the local worker sets them: what a request cost is not for the world to read, and the
		// mail provider's address differs in tests only.
		const isLocalOnly = (name: string) => name === "SERVER_TIMING" || name === "MAIL_API_URL";
		expect([...bindings, ...named, ...secrets].sort()).toEqual(
			members.filter((name) => !isLocalOnly(name)).sort(),
		);
	});

	it("staging binds what production binds, shares none of it, and runs as production does", () => {
		const [production, staging] = [boundIn(""), boundIn("staging")];
		expect(staging.names).toEqual(production.names);
		expect(production.places.filter((place) => staging.places.includes(place))).toEqual([]);
		for (const { config } of [production, staging]) {
			expect(config.workers_dev).toBe(false);
			expect(config.upload_source_maps).toBe(true);
			expect(config.limits?.cpu_ms).toBe(60_000);
			expect(config.triggers.crons).toEqual(["* * * * *"]);
			expect(config.observability?.enabled).toBe(true);
		}
	});
});
