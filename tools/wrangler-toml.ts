/** Writes single settings to wrangler.toml and leaves every other character unchanged. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Unstable_Config } from "wrangler";
import { readConfig, WranglerConfigError } from "./wrangler-config.ts";

export type Setting = {
	/** The table's name in its header: `vars`, `env.staging.r2_buckets`; empty for the top level. */
	readonly table: string;
	/** Which of several tables with that name: the one with this binding. */
	readonly binding?: string;
	readonly key: string;
	/** The value in TOML. */
	readonly value: string;
	/** Checks with wrangler's own reader that it took effect. */
	readonly isIn: (config: Unstable_Config) => boolean;
};

/** A table of wrangler.toml in an environment. */
export const tableIn = (env: string, name: string) =>
	[...(env ? ["env", env] : []), name].join(".");

const FILE = "wrangler.toml";

/**
 * Writes a setting: over an existing one, over one that is commented out, or at the end of its
 * table.
 * @throws WranglerConfigError for a file with an unexpected layout, which is left unchanged
 */
export function writeSetting(setting: Setting, env: string): void {
	const before = readFileSync(FILE, "utf8");
	const after = editSetting(before, setting);
	if (after !== undefined) {
		replaceFile(after);
		try {
			if (setting.isIn(readConfig(FILE, env))) return;
		} catch (error) {
			if (!(error instanceof WranglerConfigError)) throw error;
		}
		replaceFile(before);
	}
	const place = setting.table ? `in ${setting.table}` : "above the first table";
	throw new WranglerConfigError(
		`${FILE} is laid out in a way that setup can't edit: write ${setting.key} = ${setting.value} ${place} yourself, and run setup again.`,
	);
}

/**
 * Adds a database that is yet to be created: over the commented-out lines, or else as new ones
 * after the existing database.
 * @throws WranglerConfigError for a file with an unexpected layout, which is left unchanged
 */
export function writeDatabaseTable(database: NewDatabase, env: string): void {
	const before = readFileSync(FILE, "utf8");
	const after = withDatabase(before, tableIn(env, "d1_databases"), database);
	if (after !== undefined) {
		replaceFile(after);
		try {
			const { d1_databases } = readConfig(FILE, env);
			if (d1_databases.some(({ binding }) => binding === database.binding)) return;
		} catch (error) {
			if (!(error instanceof WranglerConfigError)) throw error;
		}
		replaceFile(before);
	}
	throw new WranglerConfigError(
		`${FILE} is laid out in a way that setup can't edit: write a [[${tableIn(env, "d1_databases")}]] with binding = "${database.binding}" and database_name = "${database.name}" yourself, and run setup again.`,
	);
}

export type NewDatabase = { readonly binding: string; readonly name: string };

/** A file's lines and what ends them: on Windows, git may check it out with CR LF. */
function linesOf(text: string): { lines: string[]; end: string } {
	return { lines: text.split(/\r?\n/), end: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** The text with another database added; undefined if none is bound to DB. */
export function withDatabase(
	text: string,
	table: string,
	{ binding, name }: NewDatabase,
): string | undefined {
	const { lines, end } = linesOf(text);
	const offered = lines.findIndex(
		(line, at) => line === `# [[${table}]]` && lines[at + 1] === `# binding = "${binding}"`,
	);
	if (offered >= 0) {
		for (let at = offered; lines[at]?.startsWith("# "); at++) lines[at] = lines[at]?.slice(2) ?? "";
		return lines.join(end);
	}
	const block = blocksOf(lines).find(
		(each) => each.name === table && lines.slice(each.from, each.to).some(isBoundTo("DB")),
	);
	if (!block) return undefined;
	const id = "00000000-0000-0000-0000-000000000000";
	const added = [
		"",
		`[[${table}]]`,
		`binding = "${binding}"`,
		`database_name = ${JSON.stringify(name)}`,
		`database_id = "${id}"`,
	];
	lines.splice(endOf(lines, block), 0, ...added);
	return lines.join(end);
}

/** Writes the file completely or not at all. */
function replaceFile(text: string): void {
	writeFileSync(`${FILE}.new`, text);
	renameSync(`${FILE}.new`, FILE);
}

const HEADER = /^\s*\[\[?\s*([\w.]+)\s*\]\]?\s*(?:#.*)?$/;

/** The text with a setting in it; undefined if its table doesn't exist. */
export function editSetting(
	text: string,
	{ table, binding, key, value }: Pick<Setting, "table" | "binding" | "key" | "value">,
): string | undefined {
	const { lines, end } = linesOf(text);
	const block = blocksOf(lines).find(
		({ name, from, to }) =>
			name === table && (!binding || lines.slice(from, to).some(isBoundTo(binding))),
	);
	if (!block) return undefined;
	const known = new RegExp(
		`^(\\s*)(?:# )?${key}\\s*=\\s*(?:"[^"]*"|'[^']*'|\\{[^}]*\\}|\\[[^\\]]*\\])(.*)$`,
	);
	const own = (from: number, isOffer: boolean) =>
		lines.findIndex(
			(line, at) =>
				at >= from && at < block.to && known.test(line) && line.startsWith("# ") === isOffer,
		);
	const at = own(block.from, false) >= 0 ? own(block.from, false) : own(block.from, true);
	if (at >= 0) {
		const [, indent = "", rest = ""] = known.exec(lines[at] ?? "") ?? [];
		lines[at] = `${indent}${key} = ${value}${rest}`;
	} else lines.splice(endOf(lines, block), 0, `${key} = ${value}`);
	return lines.join(end);
}

type Block = { readonly name: string; readonly from: number; readonly to: number };

/** The tables of a file; the lines before the first one have no name. */
function blocksOf(lines: readonly string[]): Block[] {
	const starts = lines.flatMap((line, at) => (HEADER.test(line) ? [at] : []));
	return [0, ...starts].map((from, index) => ({
		name: index === 0 ? "" : (HEADER.exec(lines[from] ?? "")?.[1] ?? ""),
		from,
		to: starts[index] ?? lines.length,
	}));
}

const isBoundTo = (binding: string) => (line: string) =>
	new RegExp(`^\\s*binding\\s*=\\s*["']${binding}["']`).test(line);

/** Where a table's own lines end. */
function endOf(lines: readonly string[], { from, to }: Block): number {
	let end = to;
	while (end > from + 1 && isBetween(lines[end - 1])) end -= 1;
	return end;
}

/** Comments before a table's header belong to that table. */
const isBetween = (line: string | undefined) => !line?.trim() || line.startsWith("#");
