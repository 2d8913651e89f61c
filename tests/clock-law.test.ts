/**
 * Nothing reads the machine's zone, and the tests have one clock, so the fleet's date is the same
 * wherever and whenever code runs.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { filesUnder, isCode } from "./support/sources.ts";

const codeUnder = (folder: string) => filesUnder(folder).filter(isCode);
const isTest = (path: string) => /^tests\/|^lab\/(torture|office|w3m)\/|\.test\.tsx?$/.test(path);

function nodesOf(path: string, text = readFileSync(path, "utf8")): ts.Node[] {
	const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
	const nodes: ts.Node[] = [];
	const visit = (node: ts.Node) => {
		nodes.push(node);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind));
	return nodes;
}

/** Methods of a Date that read or write it in the machine's zone. */
const LOCAL =
	/^([gs]et(FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)|getTimezoneOffset|to(Date|Time)String)$/;
/** What formats a moment, in the machine's zone unless given another. */
const FORMATS = /^(Intl\.)?DateTimeFormat$|\.toLocale(Date|Time)String$/;

function asksForZone(node: ts.Node): boolean {
	if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
	const { expression } = node;
	const given = node.arguments ?? [];
	const name = expression.getText();
	if (ts.isNewExpression(node) && name === "Date") return given.length > 1;
	if (FORMATS.test(name)) return !/timeZone/.test(given[1]?.getText() ?? "");
	return ts.isPropertyAccessExpression(expression) && LOCAL.test(expression.name.text);
}

function asksForTime(node: ts.Node): boolean {
	if (ts.isPropertyAccessExpression(node)) return node.getText() === "Date.now";
	const isDate = ts.isNewExpression(node) || ts.isCallExpression(node);
	return isDate && node.expression.getText() === "Date" && !node.arguments?.length;
}

const places = (paths: readonly string[], asks: (node: ts.Node) => boolean) =>
	paths.flatMap((path) =>
		nodesOf(path)
			.filter(asks)
			.map((node) => `${path}: ${node.getText().split("\n")[0]}`),
	);

describe("the machine's clock and zone", () => {
	it("finds what it looks for", () => {
		const found = (text: string, asks: (node: ts.Node) => boolean) =>
			nodesOf("a.ts", text).some(asks);
		for (const text of [
			"new Date(0).getHours()",
			"new Date(2026, 1, 1)",
			"new Intl.DateTimeFormat('en-US')",
			"Intl.DateTimeFormat()",
			"day.toLocaleDateString('en-US', { weekday: 'long' })",
			"day.setDate(3)",
		])
			expect(found(text, asksForZone), text).toBe(true);
		for (const text of [
			"day.getUTCHours()",
			"new Date(0)",
			"new Intl.DateTimeFormat('en-US', { timeZone })",
		])
			expect(found(text, asksForZone), text).toBe(false);
		for (const text of ["Date.now()", "new Date()", "[1].map(Date.now)"])
			expect(found(text, asksForTime), text).toBe(true);
		for (const text of ["performance.now()", "new Date(0)"])
			expect(found(text, asksForTime), text).toBe(false);
	});

	it("no code asks for the machine's time zone, except on a phone, to show local times", () => {
		const paths = ["app", "tools", "lab", "tests"].flatMap(codeUnder);
		expect(paths.length).toBeGreaterThan(300);
		const isAllowed = (path: string) =>
			path.startsWith("app/offline/") || path === "tests/clock-law.test.ts";
		expect(
			places(
				paths.filter((path) => !isAllowed(path)),
				asksForZone,
			),
		).toEqual([]);
	});

	it("no test asks for the machine's time: tests/support/clock.ts has it, and tests/support/fleet-days.ts the fleet's today", () => {
		const paths = ["app", "lab", "tests"].flatMap(codeUnder).filter(isTest);
		const isAllowed = (path: string) =>
			path === "tests/support/clock.ts" || path === "tests/clock-law.test.ts";
		expect(
			places(
				paths.filter((path) => !isAllowed(path)),
				asksForTime,
			),
		).toEqual([]);
	});

	it("no statement of a test asks SQLite for its time", () => {
		const asks = /date\(\s*'now|strftime\([^)]*'now|unixepoch\(\s*\)|current_(timestamp|date)/i;
		const asking = ["app", "lab", "tests"]
			.flatMap(codeUnder)
			.filter(isTest)
			.filter((path) => !/^tests\/(clock|data)-law\.test\.ts$/.test(path))
			.filter((path) => asks.test(readFileSync(path, "utf8")));
		expect(asking).toEqual([]);
	});
});
