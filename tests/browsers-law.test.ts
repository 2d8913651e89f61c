/**
 * What runs in browsers uses nothing that the promise leaves out (docs/product.md, 'Browsers'):
 * Chromium 103, Safari 16.4 and Firefox 115. An optional call (`?.()`) asks first and may use more.
 */
import ts from "typescript";
import { expect, it } from "vitest";
import { everyNode, type Source, sources } from "./support/sources.ts";

/** Functions and properties that one of the three doesn't have, by their names. */
const NEWER_NAMES: ReadonlySet<string> = new Set([
	// Arrays, sets, maps, iterators
	...["toSorted", "toReversed", "toSpliced", "fromAsync", "groupBy", "intersection", "difference"],
	...["symmetricDifference", "isSubsetOf", "isSupersetOf", "isDisjointFrom", "getOrInsert"],
	...["getOrInsertComputed", "drop", "take"],
	// Promises, text, bytes, numbers
	...["withResolvers", "isWellFormed", "toWellFormed", "toHex", "toBase64", "fromHex"],
	...["fromBase64", "setFromHex", "setFromBase64", "transfer", "transferToFixedLength"],
	...["Segmenter", "DurationFormat", "sumPrecise", "waitAsync"],
	// Documents
	...["checkVisibility", "showPopover", "hidePopover", "togglePopover", "startViewTransition"],
	...["moveBefore", "setHTMLUnsafe", "setHTML", "parseHTMLUnsafe", "getHTML", "ariaNotify"],
	...["requestIdleCallback", "requestClose", "caretPositionFromPoint", "highlights"],
	// The rest of the platform
	...["canParse", "postTask", "documentPictureInPicture", "getSetCookie", "cookieStore"],
]);

/** Those whose names mean something else elsewhere: `Promise.try`, but not every `try`. */
const NEWER_STATICS: ReadonlySet<string> = new Set([
	...["Promise.try", "URL.parse", "AbortSignal.any", "Iterator.from", "Response.json"],
	...["RegExp.escape", "Error.isError", "Math.f16round", "CSS.registerProperty"],
]);

/** Selectors that one of the three refuses, which throws away the whole selector. */
const NEWER_SELECTORS =
	/:(?:has|modal|popover-open|user-valid|user-invalid|open|state|dir|host-context|has-slotted)\b|:nth-(?:last-)?child\([^)]* of /;
const TAKES_SELECTORS: ReadonlySet<string> = new Set([
	...["querySelector", "querySelectorAll", "matches", "closest"],
]);

/** Regular expressions with a flag that one of the three doesn't know. */
const NEWER_FLAGS = /\/[a-z]*v[a-z]*$/;

/** What of a module browsers of the promise don't know. */
function beyondPromise({ path, tree }: Pick<Source, "path" | "tree">): string[] {
	const found: string[] = [];
	everyNode(tree, (node) => {
		if (ts.isRegularExpressionLiteral(node) && NEWER_FLAGS.test(node.text))
			found.push(`${path}: ${node.text}`);
		if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
			const [selector] = node.arguments;
			if (
				TAKES_SELECTORS.has(node.expression.name.text) &&
				selector &&
				NEWER_SELECTORS.test(selector.getText(tree))
			)
				found.push(`${path}: ${selector.getText(tree)}`);
		}
		if (!ts.isPropertyAccessExpression(node)) return;
		const isAsked = ts.isCallExpression(node.parent) && node.parent.questionDotToken !== undefined;
		const name = node.name.text;
		const whole = `${node.expression.getText(tree)}.${name}`;
		if (!isAsked && (NEWER_NAMES.has(name) || NEWER_STATICS.has(whole)))
			found.push(`${path}: ${whole}`);
	});
	return found;
}

/** Everything that a browser's modules import, from the entry, the islands and the worker. */
function browserModules(): Source[] {
	const byPath = new Map(sources.map((source) => [source.path, source]));
	const reached = new Map<string, Source>();
	const walk = (path: string): void => {
		const source = byPath.get(path);
		if (!source || reached.has(path)) return;
		reached.set(path, source);
		for (const { to, isTypeOnly } of source.imports) if (!isTypeOnly) walk(to);
	};
	for (const { path } of sources)
		if (/^app\/(?:entry\.client\.tsx|islands\/|offline\/)/.test(path) && !/\.test\./.test(path))
			walk(path);
	return [...reached.values()];
}

it("browser code uses nothing newer than the browsers that are promised", () => {
	const modules = browserModules();
	expect(modules.map(({ path }) => path)).toEqual(
		expect.arrayContaining([
			"app/offline/service-worker.ts",
			"app/islands/pdf-drawing.ts",
			"app/ui/page-focus.ts",
			"app/values/money.ts",
		]),
	);
	expect(modules.flatMap(beyondPromise)).toEqual([]);
});

it("every drawing has a size without styles, or it fills the page where they don't arrive", () => {
	const drawings: string[] = [];
	for (const { path, tree } of sources)
		everyNode(tree, (node) => {
			if (!ts.isJsxOpeningElement(node) || node.tagName.getText(tree) !== "svg") return;
			const names = node.attributes.properties.map((each) => each.name?.getText(tree));
			if (!names.includes("width") || !names.includes("height")) drawings.push(`${path}: no size`);
			else drawings.push("");
		});
	expect(drawings.length).toBeGreaterThan(3);
	expect(drawings.filter(Boolean)).toEqual([]);
});

it("that law finds what it is about, and nothing else", () => {
	const found = (text: string) =>
		beyondPromise({
			path: "x.ts",
			tree: ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest, true),
		}).length;
	for (const text of [
		'document.querySelector("dialog:modal")',
		'row.closest("li:has(> a)")',
		'row.matches(":is(a, b):popover-open")',
		"[1].toSorted()",
		"Promise.withResolvers()",
		"Promise.try(f)",
		"URL.parse(text)",
		"/[a--b]/v",
		"requestAnimationFrame(() => window.requestIdleCallback(f))",
	])
		expect(found(text), text).toBe(1);
	for (const text of [
		'document.querySelector("dialog[open]")',
		"window.requestIdleCallback?.(f)",
		"JSON.parse(text)",
		"reader.read()",
		"/v/g",
	])
		expect(found(text), text).toBe(0);
});
