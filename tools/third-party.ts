/** The notices for third-party code: what a build contains, and its licenses verbatim. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packagesOf } from "./bundled-packages.ts";

/** Served beside the bundle, since the minified files contain no licenses. */
export const NOTICES = "public/third-party-notices.txt";

/** Code that no module list mentions: Tailwind's reset in the style sheet, Vite's import helper. */
const UNLISTED = ["node_modules/tailwindcss", "node_modules/vite"];

/**
 * Vite's file continues with the licenses of its own dependencies, none of which is included here.
 */
const END_OF_OWN_LICENSE = "# Licenses of bundled dependencies";

type Manifest = {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
};

/** One package of a build. */
type ThirdParty = { readonly title: string; readonly license: string; readonly text: string };

const MIT_TERMS = readFileSync("LICENSE", "utf8").slice(
	readFileSync("LICENSE", "utf8").indexOf("Permission"),
);
const APACHE =
	"Licensed under the Apache License 2.0, whose text is under @swc/helpers in this file.";
/** Packages that name their license without its text. */
const WITHOUT_TEXT: Readonly<Record<string, string>> = {
	"@web3-storage/multipart-parser": `Copyright the authors of multipart-parser\n\n${APACHE}\n\n${MIT_TERMS}`,
	brotli: `Copyright Devon Govett\nDecoder: Copyright 2013 Google Inc. ${APACHE}\n\n${MIT_TERMS}`,
	dfa: `Copyright Devon Govett\n\n${MIT_TERMS}`,
	"drizzle-orm": `Copyright Drizzle Team\n\n${APACHE}`,
	fontkit: `Copyright Devon Govett\n\n${MIT_TERMS}`,
};

/** Packages that include parts of others: where those parts' licenses are, or what they are. */
const INCLUDED: Readonly<
	Record<string, { readonly files: readonly string[]; readonly text: string }>
> = {
	"pdfjs-dist": {
		files: [
			"standard_fonts/LICENSE_FOXIT",
			"standard_fonts/LICENSE_LIBERATION",
			"wasm/LICENSE_OPENJPEG",
			"wasm/LICENSE_PDFJS_OPENJPEG",
		],
		text: `core-js: Copyright (c) 2013-2025 Denis Pushkarev, core-js.io\n\n${MIT_TERMS}`,
	},
};

const RULE = `\n\n${"=".repeat(80)}\n\n`;
const HEAD = `Milepost includes code and fonts from the packages below, each under its own license.
Written by "npm run notices".`;

const normalize = (text: string) =>
	text
		.replace(/^\uFEFF/, "")
		.replaceAll("\r\n", "\n")
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.trim();

/** @throws Error for a package with no license text here or in `WITHOUT_TEXT` */
function thirdParty(folder: string): ThirdParty {
	const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
	const files = readdirSync(folder)
		.filter((name) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(name))
		.sort();
	const [own = ""] = files
		.map((name) => readFileSync(join(folder, name), "utf8"))
		.join("\n\n")
		.split(END_OF_OWN_LICENSE);
	const included = INCLUDED[manifest.name];
	const text = [
		own || (WITHOUT_TEXT[manifest.name] ?? ""),
		...(included?.files ?? []).map((name) => readFileSync(join(folder, name), "utf8")),
		included?.text ?? "",
	]
		.map(normalize)
		.filter(Boolean)
		.join("\n\n");
	if (!text)
		throw new Error(`${manifest.name} has no license text. Add its terms to tools/third-party.ts.`);
	return {
		title: `${manifest.name} ${manifest.version}`,
		license: manifest.license ?? "below",
		text,
	};
}

/** The notices for the contents of a build. */
export function buildNotices(folder: string): { text: string; packages: ThirdParty[] } {
	const packages = [...new Set([...packagesOf(folder), ...UNLISTED])].map(thirdParty);
	packages.sort((one, other) => (one.title < other.title ? -1 : 1));
	const sections = packages.map(
		({ title, license, text }) => `${title}\nLicense: ${license}\n\n${text}`,
	);
	return { text: `${[HEAD, ...sections].join(RULE)}\n`, packages };
}
