/** How much text is measured to break it into lines. */
import PDFDocument from "pdfkit";
import { expect, it } from "vitest";
import { fonts } from "../../../../tests/support/report-files.ts";
import { Lettering } from "./pdf-lettering.ts";

const WIDTH = 160;
const long = (unit: string) => unit.repeat(1000).slice(0, 1000).trim();

it.each([
	["in Latin letters", long("lorem ipsum dolor ")],
	["in Arabic letters", long("مرحبا بالعالم ")],
	["in both by turns", long("a م ")],
])("a note of 1,000 characters %s is measured at most four times", (_, text) => {
	const { regular, bold } = fonts();
	const doc = new PDFDocument();
	doc.registerFont("regular", regular as unknown as string);
	doc.registerFont("bold", bold as unknown as string);
	let measured = 0;
	const widthOfString = doc.widthOfString.bind(doc);
	doc.widthOfString = (part, options) => {
		measured += part.length;
		return widthOfString(part, options);
	};
	const lettering = new Lettering(doc);
	lettering.font(9);
	const lines = lettering.lines(text, WIDTH);
	expect(measured).toBeLessThan(4000);
	expect(lines.join(" ").replaceAll(/[\u200e\u200f]/g, "")).toBe(text);
	for (const line of lines) expect(lettering.widthOf(line)).toBeLessThanOrEqual(WIDTH);
	// No line has room for the next word.
	for (const [at, line] of lines.slice(0, -1).entries()) {
		const [next = ""] = (lines[at + 1] ?? "").split(" ");
		expect(lettering.widthOf(`${line} ${next}`)).toBeGreaterThan(WIDTH);
	}
});
