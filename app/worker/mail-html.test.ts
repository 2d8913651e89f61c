import { expect, it } from "vitest";
import { toHtml } from "./mail-html.ts";

const ORIGIN = "https://fleet.example";
const bodyOf = (text: string) => /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(toHtml(text, ORIGIN))?.[1];

it("keeps paragraphs and lines, and escapes what was typed", () => {
	expect(bodyOf('Paid.\nReference: <b>"A&B"</b>\n\nFR-000001: $5.00\n')).toBe(
		"<p>Paid.<br>\nReference: &lt;b&gt;&quot;A&amp;B&quot;&lt;/b&gt;</p>\n<p>FR-000001: $5.00</p>",
	);
});

it("links the fleet's own URLs, and no others", () => {
	expect(bodyOf(`See ${ORIGIN}/mileage?a=1&b=2. Or ${ORIGIN}.`)).toBe(
		`<p>See <a href="${ORIGIN}/mileage?a=1&amp;b=2">${ORIGIN}/mileage?a=1&amp;b=2</a>. Or <a href="${ORIGIN}">${ORIGIN}</a>.</p>`,
	);
	for (const other of [
		"https://evil.example/",
		`${ORIGIN}.evil.example/`,
		`${ORIGIN}@evil.example`,
	])
		expect(bodyOf(other)).toBe(`<p>${other}</p>`);
});
