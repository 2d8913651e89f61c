import { expect, it } from "vitest";
import { renderPlainPage } from "./plain-page.ts";

it("a page without a style sheet is dark where the reader's device is", async () => {
	const page = renderPlainPage(405, "Method not allowed", "It isn't supported.", "an-id");
	expect(await page.text()).toContain('<meta name="color-scheme" content="light dark">');
	expect(page.status).toBe(405);
});
