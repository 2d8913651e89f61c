/** A build that fails leaves the one that a server is serving. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { replaceFolder } from "../../tools/replace-folder.ts";

const scratch = mkdtempSync(join(tmpdir(), "milepost-replace-"));
afterAll(() => rmSync(scratch, { recursive: true }));

it("has what was made last without a fault, and nothing else", async () => {
	const folder = join(scratch, "local");
	const make = (name: string, isBroken = false) =>
		replaceFolder(folder, async () => {
			expect(existsSync(folder)).toBe(false);
			mkdirSync(folder);
			writeFileSync(join(folder, name), "");
			if (isBroken) throw new Error("The build failed");
		});
	await expect(make("first", true)).rejects.toThrow("The build failed");
	expect(readdirSync(scratch)).toEqual([]);
	await make("second");
	await expect(make("third", true)).rejects.toThrow("The build failed");
	expect(readdirSync(folder)).toEqual(["second"]);
	await make("fourth");
	expect([readdirSync(folder), readdirSync(scratch)]).toEqual([["fourth"], ["local"]]);
	// A build was ended on the way.
	mkdirSync(`${folder}.previous`);
	await make("fifth");
	expect([readdirSync(folder), readdirSync(scratch)]).toEqual([["fifth"], ["local"]]);
});
