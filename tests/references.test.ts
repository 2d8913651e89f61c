/** Whatever a comment, a document or a test refers to is in the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder } from "./support/sources.ts";

/** Folders of sources and documents, without anything built, installed or created by a run. */
const FOLDERS = [
	...["app", "docs", "lab", "migrations", "public", "tests", "tools"],
	...[".ci", ".github"],
];
const TEXTS = /\.(tsx?|m?js|md|css|sql|toml|txt|sh|ya?ml|c)$|^\.ci\/run$/;
/** Words of others, who name files of their own. */
const NOT_OURS = /^public\/third-party-notices\.txt$/;
const ENDING = "(?:d\\.ts|tsx?|mjs|js|md|sql|css|toml|json|svg|png|txt|sh|c)";

const files = [
	...readdirSync(".", { withFileTypes: true }).flatMap((each) =>
		each.isFile() ? [each.name] : [],
	),
	...FOLDERS.flatMap(filesUnder),
];
const texts = files
	.filter((path) => TEXTS.test(path) && !NOT_OURS.test(path))
	.map((path) => ({ path, text: readFileSync(path, "utf8") }));
const documents = new Set(
	files
		.filter((path) => path.endsWith(".md"))
		.flatMap((path) => [path, path.split("/").at(-1) ?? ""]),
);

/** Every match of a pattern in every text, with its file. */
const found = (pattern: RegExp) =>
	texts.flatMap(({ path, text }) =>
		[...text.matchAll(pattern)].map((match) => ({ path, words: match[0], match })),
	);

/** The headings of a document, without their numbers, and the numbers. */
function headingsOf(path: string) {
	const heads = [...readFileSync(path, "utf8").matchAll(/^##+ (.+)$/gm)].map(
		([, head = ""]) => head,
	);
	return {
		titles: heads.map((head) => head.replace(/ \(§\d\)$/, "")),
		numbers: heads.flatMap((head) => /§\d/.exec(head)?.[0] ?? []),
	};
}

describe("every reference exists in the repository", () => {
	it("finds the documents", () => {
		expect(texts.length).toBeGreaterThan(300);
		expect(documents).toContain("docs/product.md");
	});

	it("paths from the root", () => {
		const path = new RegExp(
			`(?<![\\w./@$-])(?:${FOLDERS.slice(0, 7).join("|")})/[\\w./@$[\\]-]*\\.${ENDING}\\b`,
			"g",
		);
		expect(
			found(path)
				.filter(({ words }) => !existsSync(words))
				.map(({ path, words }) => `${path}: ${words}`),
		).toEqual([]);
	});

	it("documents, by path or by name", () => {
		const wrong = found(/(?<![\w./-])[\w./-]*\w\.md\b/g).filter(
			({ path, words }) => !documents.has(words) && !existsSync(join(dirname(path), words)),
		);
		expect(wrong.map(({ path, words }) => `${path}: ${words}`)).toEqual([]);
	});

	it("decisions, by number", () => {
		const numbers = new Set(readdirSync("docs/decisions").map((name) => Number(name.slice(0, 4))));
		const wrong = found(/\bdocs\/decisions\/(\d{4})|\b[Dd]ecisions? (\d{1,2})\b/g).filter(
			({ match }) => !numbers.has(Number(match[1] ?? match[2])),
		);
		expect(wrong.map(({ path, words }) => `${path}: ${words}`)).toEqual([]);
	});

	it("sections of docs/product.md, docs/security.md and CONTRIBUTING.md", () => {
		// A citation can continue on the comment's next line.
		const citation =
			/(docs\/product\.md|docs\/security\.md|CONTRIBUTING\.md)((?:[\s,]|\*(?!\/)|\band\b|§\d|'[^'\n]+')*)/g;
		const wrong = found(citation).flatMap(({ path, match: [, document = "", sections = ""] }) => {
			const { titles, numbers } = headingsOf(document);
			const cited = [...sections.matchAll(/§\d|'([^']+)'/g)];
			return cited
				.filter(([number, title]) => (title ? !titles.includes(title) : !numbers.includes(number)))
				.map(([section]) => `${path}: ${document} ${section}`);
		});
		expect(wrong).toEqual([]);
	});

	it("folders and files, by the aliases of components.json", () => {
		const { aliases } = JSON.parse(readFileSync("components.json", "utf8")) as {
			aliases: Record<string, string>;
		};
		const { imports } = JSON.parse(readFileSync("package.json", "utf8")) as {
			imports: Record<string, string>;
		};
		for (const alias of Object.values(aliases)) {
			const [root = "", ...rest] = alias.split("/");
			const folder = imports[`${root}/*`]?.replace("/*", "") ?? "nowhere";
			expect(existsSync(join(folder, ...rest)), alias).toBe(true);
		}
	});

	it("no specification beside docs/product.md", () => {
		const words = found(
			/\bspec(?:ification)?(?:'?s)? §|\b[Tt]he spec(?:ification)?\b|\bspec's\b|\b[Dd]ecisions '/g,
		);
		expect(words.map(({ path, words }) => `${path}: ${words}`)).toEqual([]);
	});
});
