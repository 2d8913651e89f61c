/** A D1 database behind `wrangler d1 execute`, in the shape of a binding: for tools that run the application's own statements from afar. */
import { spawnSync } from "node:child_process";

type Value = string | number | boolean | null;
type Bound = { readonly query: string; readonly values: readonly Value[] };
type Result = { results: Record<string, unknown>[]; success: boolean; meta: Record<string, unknown> };

/** A value as SQL. What SQL text cannot carry is refused. */
export function literal(value: unknown): string {
	if (value === null) return "NULL";
	if (typeof value === "boolean") return value ? "1" : "0";
	if (typeof value === "number" && Number.isFinite(value)) return Object.is(value, -0) ? "0" : String(value);
	if (typeof value === "string" && !value.includes("\0") && !/\p{Cs}/u.test(value)) return `'${value.replaceAll("'", "''")}'`;
	throw new Error("This value cannot be written as SQL.");
}

/** Quoted text, quoted names and comments, in which a question mark is no parameter; then a parameter. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** One statement with its parameters written into it. */
export function statementText({ query, values }: Bound): string {
	let position = 0;
	const text = query.replace(PARTS, (part) => {
		if (part !== "?") return part;
		if (position >= values.length) throw new Error("A statement has more parameters than values.");
		return literal(values[position++]);
	});
	if (position < values.length) throw new Error("A statement has more values than parameters.");
	return text.trim().replace(/;$/, "");
}

/** Statements as one text. D1 runs what comes in one call as one transaction. */
export function batchText(statements: readonly Bound[]): string {
	return statements.map((statement) => `${statementText(statement)};`).join("\n");
}

/**
 * The database of wrangler.toml.
 * @param where `["--remote"]`, or `["--local", "--persist-to", folder]`
 */
export function wranglerDatabase(where: readonly string[]): D1Database {
	const prepare = (query: string) => ({ query, values: [], bind: (...values: Value[]) => ({ query, values }) });
	const batch = async (statements: Bound[]) => {
		const results = execute(batchText(statements), where);
		if (results.length !== statements.length) throw new Error(`wrangler answered ${results.length} of ${statements.length} statements.`);
		return results;
	};
	return { prepare, batch } as unknown as D1Database;
}

function execute(text: string, where: readonly string[]): Result[] {
	const run = spawnSync(
		process.execPath,
		["node_modules/wrangler/bin/wrangler.js", "d1", "execute", "milepost", ...where, "--yes", "--json", `--command=${text}`],
		{ encoding: "utf8", env: { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" }, maxBuffer: 64 * 1024 * 1024 },
	);
	if (run.error) throw new Error(`wrangler cannot be run: ${run.error.message}`);
	const answer = parsed(run.stdout);
	if (run.status === 0 && Array.isArray(answer)) return answer as Result[];
	throw new Error(`wrangler: ${faultIn(answer) ?? firstLine(run.stderr) ?? firstLine(run.stdout) ?? `ended with ${run.status}`}`);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text.slice(Math.max(0, text.search(/[[{]/))));
	} catch {
		return undefined;
	}
}

/** What wrangler says went wrong: `{"error": {"text": "...", "notes": [{"text": "..."}]}}`. */
function faultIn(answer: unknown): string | undefined {
	const error = (answer as { error?: { text?: unknown; notes?: { text?: unknown }[] } } | undefined)?.error;
	const texts = [error?.text, ...(error?.notes ?? []).map((note) => note.text)].filter((text) => typeof text === "string");
	return texts.length > 0 ? firstLine(texts.join(" ")) : undefined;
}

/** The first line that says something, without the signs before it. */
function firstLine(text: string): string | undefined {
	for (const line of text.split("\n")) {
		const plain = line.replace(/^[^\p{L}\p{N}]+/u, "").trim();
		if (plain) return plain;
	}
	return undefined;
}
