/** Settings are written into wrangler.toml as an operator would, with everything else left alone. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { edited, withDatabase } from "../../tools/wrangler-toml.ts";

const text = readFileSync("wrangler.toml", "utf8");

/** The lines that differ. */
function changed(after: string | undefined): string[] {
	const before = text.split("\n");
	return (after ?? "").split("\n").filter((line) => !before.includes(line));
}

describe("the repository's wrangler.toml", () => {
	it("keeps the comment behind a value that is written over", () => {
		const after = edited(text, {
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

	it("turns on what it only offers, in the right environment", () => {
		const value = '"https://a.example"';
		const production = edited(text, { table: "vars", key: "APP_ORIGIN", value });
		expect(changed(production)).toEqual([
			'APP_ORIGIN = "https://a.example" # required in production: scheme, host and port only',
		]);
		const staging = edited(text, { table: "env.staging.vars", key: "APP_ORIGIN", value });
		expect(changed(staging)).toEqual(['APP_ORIGIN = "https://a.example"']);
		const route = edited(text, { table: "", key: "route", value: '{ pattern = "a.example" }' });
		expect(changed(route)).toEqual(['route = { pattern = "a.example" } # the host of APP_ORIGIN']);
	});

	it("adds what it doesn't name at the end of its table", () => {
		const after = edited(text, {
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

	it("comes out of the comment that offers it, and only that", () => {
		const after = withDatabase(text, "d1_databases", archive);
		expect(changed(after)).toEqual(['binding = "ARCHIVE"', 'database_name = "milepost-archive"']);
		expect(after?.split("\n")).toHaveLength(text.split("\n").length);
		const id = { table: "d1_databases", binding: "ARCHIVE", key: "database_id", value: '"an-id"' };
		expect(changed(edited(after ?? "", id))).toContain('database_id = "an-id"');
	});

	it("stands behind the one that is there, where none is offered", () => {
		const name = "milepost-staging-archive";
		const after = withDatabase(text, "env.staging.d1_databases", { ...archive, name });
		expect(after).toContain(
			`migrations_dir = "migrations"\n\n[[env.staging.d1_databases]]\nbinding = "ARCHIVE"\ndatabase_name = "${name}"\n`,
		);
		expect(withDatabase("vars = {}\n", "d1_databases", archive)).toBeUndefined();
	});
});

it("leaves a file alone that has no such table", () => {
	expect(edited("vars = { A = 1 }\n", { table: "vars", key: "B", value: "2" })).toBeUndefined();
});
