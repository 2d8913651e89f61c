/** Checks a page with axe. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * The violations on a page: each rule and the elements that break it.
 * @param rules the only ones to check; all if omitted
 */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
	// It stays in the page once it is there.
	const isThere = await page.evaluate(() => "axe" in window);
	// Our pages have no frames. For frames, axe would open another page, which is slow.
	const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ";" } : {}) })
		.setLegacyMode()
		.options({ resultTypes: ["violations"] });
	if (rules) axe.withRules(rules);
	const { violations } = await axe.analyze();
	return violations.map(
		({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
	);
}
