/** "dependencies" lists what a release contains; everything else only builds or tests it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dependencies } from "../package.json";
import { bundle } from "../tools/bundle.ts";
import { packagesOf } from "../tools/bundled-packages.ts";

/** Only their types are used, so nothing of them is in a bundle. */
const TYPES_ONLY = ["@conform-to/react"];

it("every dependency is in the bundle", async () => {
	await bundle("production");
	const bundled = packagesOf("build/production");
	const isIdle = (name: string) =>
		!bundled.includes(`node_modules/${name}`) && !TYPES_ONLY.includes(name);
	expect(Object.keys(dependencies).filter(isIdle)).toEqual([]);
});

it("PDF.js isn't of a version in which a file could run scripts (CVE-2026-16633)", () => {
	const [major = 0, minor = 0, patch = 0] = dependencies["pdfjs-dist"].split(".").map(Number);
	const number = (major * 1000 + minor) * 1000 + patch;
	expect(number < 5_006_083 || number >= 6_002_108).toBe(true);
});

describe("licenses", () => {
	/** Licenses that allow shipping with the notices. */
	const PERMISSIVE =
		/^(OFL-1\.1|MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0)$/;
	/** Also allowed for what only builds or tests, since none of it is shipped. */
	const FOR_TOOLS = /^(MPL-2\.0|LGPL-3\.0-or-later|Python-2\.0|CC-BY-[34]\.0)$/;
	/** Packages whose lockfile entry names no license from the list; their texts were read. */
	const READ: Readonly<Record<string, string>> = {
		"dejavu-fonts-ttf": "Bitstream Vera, free to bundle",
		eval: "MIT",
		format: "MIT",
		"png-js": "MIT",
		"require-like": "MIT",
	};
	type Entry = {
		readonly license?: string;
		readonly dev?: boolean;
		readonly devOptional?: boolean;
	};
	const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
		readonly packages: Readonly<Record<string, Entry>>;
	};
	const entries = Object.entries(packages)
		.filter(([path]) => path !== "")
		.map(([path, entry]) => ({ ...entry, name: path.replace(/^.*node_modules\//, "") }));
	/** `A OR B` needs one of them, `A AND B` both. */
	const isAllowed = (license: string, allowed: (name: string) => boolean) =>
		license
			.replace(/[()]/g, "")
			.split(" OR ")
			.some((all) => all.split(" AND ").every(allowed));

	it("of all installed packages are allowed, and permissive for those in a release", () => {
		expect(entries.length).toBeGreaterThan(500);
		const wrong = entries.filter(
			({ name, license, dev, devOptional }) =>
				!Object.hasOwn(READ, name) &&
				!isAllowed(
					license ?? "none",
					(each) =>
						PERMISSIVE.test(each) || ((dev || devOptional) === true && FOR_TOOLS.test(each)),
				),
		);
		expect(wrong).toEqual([]);
	});

	it("that were reviewed by hand belong to installed packages", () => {
		const names = entries.map(({ name }) => name);
		expect(Object.keys(READ).filter((name) => !names.includes(name))).toEqual([]);
	});
});
