/** What a screen may contain, and which routes exist. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../app/routing/routes.ts";
import { everyNode, pathOfNode, sources } from "./support/sources.ts";

describe("what HTML may contain", () => {
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

	it("handlers are in islands only: nothing else is ever hydrated", () => {
		const wrong: string[] = [];
		for (const source of sources.filter(({ path }) => !path.startsWith("app/islands/")))
			everyNode(source.tree, (node) => {
				if (ts.isJsxAttribute(node) && /^on[A-Z]/.test(node.name.getText()))
					wrong.push(pathOfNode(source, node));
			});
		expect(wrong).toEqual([]);
	});

	it("loader and action data is typed in one place", () => {
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

it("no page of a driver imports what the drivers' styles leave out", () => {
	const styles = readFileSync("app/styles/drivers.css", "utf8");
	const leftOut = [...styles.matchAll(/@source not "\.\.\/([^"]+)"/g)].map(([, path = ""]) => {
		const pattern = path
			.replaceAll(".", "\\.")
			.replaceAll("*", ".*")
			.replace(/\{(.+)\}/, (_, names: string) => `(${names.replaceAll(",", "|")})`);
		return new RegExp(`^app/${pattern}`);
	});
	const isLeftOut = (path: string) => leftOut.some((pattern) => pattern.test(path));
	expect(leftOut.length).toBeGreaterThan(1);
	for (const pattern of leftOut)
		expect(
			sources.filter(({ path }) => pattern.test(path)),
			String(pattern),
		).not.toEqual([]);
	const imported = sources
		.flatMap(({ imports }) => imports)
		.filter(({ from, to, isTypeOnly }) => !isTypeOnly && isLeftOut(to) && !isLeftOut(from))
		.filter(({ to }) => to.endsWith(".tsx"))
		// The home page shows the overview to administrators only, and islands are loaded by name.
		.filter(({ from }) => !/^app\/(routes\/_index\/route|entry\.client)\.tsx$/.test(from));
	expect(imported).toEqual([]);
});

describe("the routes match the table", () => {
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

	it("both catch-alls exist", () => {
		expect(names).toContain("$");
		expect(names).toContain("api.$");
	});

	it("every loader and action goes through the guard, except signing in and out, and routes without data", () => {
		const open = [
			"api.callback.tsx",
			"api.login.tsx",
			"api.logout.tsx",
			"offline.tsx",
			"service-worker[.]js.ts",
			"manifest[.]webmanifest.ts",
			"speculation-rules[.]json.ts",
			"healthz.ts",
			"api.openapi[.]json.ts",
			"api.docs/route.tsx",
			// Signed by the mail provider.
			"api.mail.events.ts",
			// Sent by browsers automatically.
			"api.csp-reports.ts",
		].map((name) => `app/routes/${name}`);
		const guards =
			/\b(requireAdmin|requireReader|requireDriver|requireUser|requirePortal|rejectUnknownRoute)\b/;
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
