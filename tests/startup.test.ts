/**
 * What a Worker loads when it starts: the main module and its static imports, which include neither
 * administrators' screens, nor the service worker, nor the PDF and workbook libraries.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { bundle } from "../tools/bundle.ts";
import { BYTES } from "./support/budgets.ts";

const FOLDER = "build/production/worker";
/** Words that survive minification in what is loaded on demand. */
const MARKS = {
	overview: "Top Drivers This Week",
	serviceWorker: "respondWith",
	pdfkit: "PDFKit",
	fontkit: "glyf",
	fflate: "invalid zip data",
};

beforeAll(() => bundle("production"));

/**
 * The modules loaded with the main one, directly or indirectly; not those imported inside a
 * function.
 */
function atStart(): string[] {
	const found = ["index.js"];
	for (const name of found) {
		const text = readFileSync(join(FOLDER, name), "utf8");
		for (const [, other = ""] of text.matchAll(
			/(?:^|[;\n}])(?:import|export)[^;'"()]*["']\.\/([\w.-]+\.js)["']/g,
		))
			if (!found.includes(other)) found.push(other);
	}
	return found;
}

it("the main module stays as small as it is without what is loaded on demand", () => {
	const start = atStart();
	const text = start.map((name) => readFileSync(join(FOLDER, name), "utf8")).join("\n");
	for (const [part, mark] of Object.entries(MARKS)) expect(text.includes(mark), part).toBe(false);
	const bytes = Buffer.byteLength(text);
	const gzipped = gzipSync(text, { level: 9 }).byteLength;
	console.log(
		`At its start the Worker loads ${start.length} modules, ${bytes} bytes, ${gzipped} gzipped`,
	);
	expect(bytes).toBeGreaterThan(500_000);
	expect(bytes).toBeLessThanOrEqual(BYTES.startUncompressed);
	expect(gzipped).toBeLessThanOrEqual(BYTES.start);
});

it("what is loaded on demand is in separate modules, which something loads", () => {
	const start = atStart();
	const others = readdirSync(FOLDER).filter(
		(name) => name.endsWith(".js") && !start.includes(name),
	);
	const texts = others.map((name) => readFileSync(join(FOLDER, name), "utf8"));
	expect(others.length).toBeGreaterThan(0);
	for (const [part, mark] of Object.entries(MARKS))
		expect(
			texts.some((text) => text.includes(mark)),
			part,
		).toBe(true);
	for (const part of ["pdf", "xlsx"])
		expect(texts.join("\n")).toMatch(new RegExp(`import\\("\\./${part}[^"]*\\.js"\\)`));
});
