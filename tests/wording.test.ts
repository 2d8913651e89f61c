/**
 * The words people read: on screens, in email, in files, in JSON and on the command line. Each
 * pattern is a word that was once used, beside what a reader expects instead.
 */
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** Words of docs/product.md and names of other companies' columns: they stay as they are. */
const FIXED = [
	"This action will deactivate the driver and cannot be undone.",
	"pickup address",
	"pick-up address",
];

/** Files that hold other companies' words: the column names of their statements. */
const QUOTING = /^app\/domain\/statements\/(?:bolt-names|uber-names)\.ts$/;

const REPLACED: readonly [old: RegExp, better: string][] = [
	[/\be-mails?\b/i, "email"],
	[/\bmails?\b/i, "email"],
	[/(?<!email )\baddress(?:es)?\b/i, "email or URL"],
	[/\b(?:he|him|his|himself)\b/i, "they, or you"],
	[/\b(?:any|every|no|some)body\b|\bwhoever\b/i, "everyone, no one, the person who"],
	[/\bdriver codes?\b/i, "driver ID"],
	[/\bmend(?:ed|ing|s)?\b/i, "fix"],
	[/\bsignal\b/i, "offline, back online"],
	[/\bcaptured\b/i, "saved"],
	[
		/\b(?:entries wait|entry waits|waits? for you|waiting (?:for a decision|now))\b/i,
		"awaiting, waiting",
	],
	[/\bmeanwhile\b/i, "since"],
	[/\bplease (?:check|choose|enter|give|look|send|use|write)\b/i, "the verb alone"],
	[/\bthere (?:is|are) no such\b/i, "not found"],
	[/\b(?:cannot|(?:could|did|does|do) not)\b/i, "can't, couldn't, didn't, doesn't"],
	[
		/\b(?:afresh|anew|for good|in all(?! required)|very many|runs? out|taken back)\b/i,
		"the usual word",
	],
	[/\bout of reach\b|\bnot be taken\b/i, "temporarily unavailable, didn't work"],
	[/\btick(?:ed|s)?\b/i, "select"],
	[/\bpress\b/i, "select"],
	[/\bpictures?\b/i, "image"],
	[/, the (?:largest|latest|most|newest)\b/i, "newest first"],
	[/^made\b|\bmade (?:by|for)\b/i, "generated"],
	[/\bcancelled\b/i, "canceled"],
	[/\bback to open\b/i, "reopen"],
	[/\bGather\b|\bto gather\b/, "create a payout"],
	[/, (?:%|tenths of a cent)$/, "the unit in brackets"],
	[/\bany more(?=[.,:]|$)|\bof this one was\b/i, "no longer, anymore"],
	[/\b(?:an)?other amounts? than\b|\b(?:has|with) other amounts\b/i, "a different amount"],
	[/\bmoney of this week\b|\bstatement also says\b/i, "for this week, has"],
	[/\binstalments?\b/i, "installment, in American spelling"],
	[/\btold of\b/i, "receives"],
	[/\bcount(?:s|ed)? in no\b/i, "isn't counted in any"],
	[/\bsettlements of this week\b|\bdeliveries of the last\b/i, "for this week, in the last"],
	[/\brows of (?:the )?statements\b|\brow_? of the statements\b/i, "statement rows"],
	[/\bwill stand here\b/i, "will appear here"],
];

const sourcesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((path) => `${folder}/${path}`)
		.filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));
const app = sourcesIn("app");
const files = [...app, ...sourcesIn("tools")].filter((path) => !QUOTING.test(path));

/** Not a call's method and path, such as 'GET /healthz'. */
const isWords = (text: string) =>
	!/^[A-Z]+ \//.test(text) && /[a-z] |^[A-Z][a-z]+$/i.test(text) && /^[^a-z]|[a-z] /.test(text);

/** The quoted texts of a query, such as an email's body that is composed there. */
const quotedIn = (sql: string) => [...sql.matchAll(/'([^']+)'/g)].map(([, text = ""]) => text);

const isSql = (text: string) => /^\s*(?:select|update|insert|delete|with recursive)\s/.test(text);
const wordsOf = (text: string) => (isSql(text) ? quotedIn(text) : [text]);

/** The text of a string, of a template or between two tags; a single word only if capitalized. */
function textsOf(node: ts.Node): string[] {
	if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return wordsOf(node.text);
	if (!ts.isTemplateExpression(node)) return [];
	const spans = node.templateSpans.map(({ literal }) => literal.text);
	const text = [node.head.text, ...spans].join("_");
	return ts.isTaggedTemplateExpression(node.parent) ? quotedIn(text) : wordsOf(text);
}

function textsIn(file: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
		found.push(...textsOf(node).map((text) => text.replace(/\s+/g, " ").trim()));
		ts.forEachChild(node, visit);
	};
	const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
	const text = readFileSync(file, "utf8");
	ts.forEachChild(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind), visit);
	return found.filter(isWords);
}

const texts = files.flatMap((file) => textsIn(file).map((text) => ({ file, text })));

describe("the words people read", () => {
	it("are found in screens, emails, reports and tools", () => {
		const all = texts.map(({ text }) => text);
		expect(all).toContain("Awaiting a decision");
		expect(all).toContain("If you weren't expecting this invitation, you can ignore this email.");
		expect(all).toContain("Your driver application has been approved. Your driver ID is");
		expect(all).toContain("No driver activity in this period.");
		expect(all).toContain("No one is signed in.");
		expect(all.length).toBeGreaterThan(1000);
	});

	it.each(REPLACED)("never match %s", (old) => {
		const found = texts.filter(
			({ text }) =>
				old.test(text) && !FIXED.some((words) => words.includes(text) || text.includes(words)),
		);
		expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
	});

	it("use a 12-hour clock, except in a column or a comparison", () => {
		const using = app.filter((path) => readFileSync(path, "utf8").includes("format24HourTime"));
		expect(using.sort()).toEqual([
			"app/domain/reminders/rules.ts",
			"app/domain/reports/mileage-log.ts",
			"app/values/calendar-date.ts",
		]);
	});
});
