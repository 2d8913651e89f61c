/**
 * Settings are written into wrangler.toml as an operator would write them, and nothing else
 * changes.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { editSetting, withDatabase } from "../../tools/wrangler-toml.ts";

const text = readFileSync("wrangler.toml", "utf8");

/** The lines that differ. */
function changed(after: string | undefined): string[] {
	const before = text.split("\n");
	return (after ?? "").split("\n").filter((line) => !before.includes(line));
}

describe("the repository's wrangler.toml", () => {
	it("keeps the comment after a value that is overwritten", () => {
		const after = editSetting(text, {
			table: "d1_databases",
			binding: "DB",
			key: "database_id",
			value: '"an-id"',
		});
		expect(changed(after)).toEqual([
			'database_id = "an-id" # setup creates the database and writes its id',
		]);
		expect(after?.split("\n")).toHaveLength(text.split("\n").length);
	});

	it("uncomments settings in the right environment", () => {
		const value = '"https://a.example"';
		const production = editSetting(text, { table: "vars", key: "APP_ORIGIN", value });
		expect(changed(production)).toEqual([
			'APP_ORIGIN = "https://a.example" # required in production: scheme, host and port only',
		]);
		const staging = editSetting(text, { table: "env.staging.vars", key: "APP_ORIGIN", value });
		expect(changed(staging)).toEqual(['APP_ORIGIN = "https://a.example"']);
		const route = editSetting(text, {
			table: "",
			key: "route",
			value: '{ pattern = "a.example" }',
		});
		expect(changed(route)).toEqual(['route = { pattern = "a.example" } # the host of APP_ORIGIN']);
		const routes = { table: "env.staging", key: "routes", value: '[{ pattern = "a.example" }]' };
		expect(changed(editSetting(text, routes))).toEqual([
			expect.stringMatching(/^routes = \[\{ pattern = "a\.example" \}\] # /),
		]);
	});

	it("adds a missing setting at the end of its table", () => {
		const after = editSetting(text, {
			table: "r2_buckets",
			binding: "RECEIPTS",
			key: "jurisdiction",
			value: '"eu"',
		});
		expect(after).toContain(
			'bucket_name = "milepost-receipts"\njurisdiction = "eu"\n\n# The nightly export',
		);
	});
});

describe("another database", () => {
	const archive = { binding: "ARCHIVE", name: "milepost-archive" };

	it("is uncommented, and nothing else is", () => {
		const after = withDatabase(text, "d1_databases", archive);
		expect(changed(after)).toEqual(['binding = "ARCHIVE"', 'database_name = "milepost-archive"']);
		expect(after?.split("\n")).toHaveLength(text.split("\n").length);
		const id = { table: "d1_databases", binding: "ARCHIVE", key: "database_id", value: '"an-id"' };
		expect(changed(editSetting(after ?? "", id))).toContain('database_id = "an-id"');
	});

	it("is added after the existing one if there is no comment", () => {
		const name = "milepost-staging-archive";
		const after = withDatabase(text, "env.staging.d1_databases", { ...archive, name });
		expect(after).toContain(
			`migrations_dir = "migrations"\n\n[[env.staging.d1_databases]]\nbinding = "ARCHIVE"\ndatabase_name = "${name}"\n`,
		);
		expect(withDatabase("vars = {}\n", "d1_databases", archive)).toBeUndefined();
	});
});

describe("a file with Windows' line endings", () => {
	const there = text.replaceAll("\n", "\r\n");
	const same = (edit: (file: string) => string | undefined) =>
		expect(edit(there)).toBe(edit(text)?.replaceAll("\n", "\r\n"));

	it("is edited in the same places, and keeps them", () => {
		const id = { table: "d1_databases", binding: "DB", key: "database_id", value: '"an-id"' };
		same((file) => editSetting(file, id));
		same((file) => editSetting(file, { table: "vars", key: "APP_ORIGIN", value: '"https://a"' }));
		const eu = { table: "r2_buckets", binding: "RECEIPTS", key: "jurisdiction", value: '"eu"' };
		same((file) => editSetting(file, eu));
		const archive = { binding: "ARCHIVE", name: "milepost-archive" };
		same((file) => withDatabase(file, "d1_databases", archive));
		same((file) => withDatabase(file, "env.staging.d1_databases", archive));
	});
});

it("leaves a file without such a table alone", () => {
	expect(
		editSetting("vars = { A = 1 }\n", { table: "vars", key: "B", value: "2" }),
	).toBeUndefined();
});
