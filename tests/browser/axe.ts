/** What axe finds wrong with a page. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * Each violation as its rule and the elements that break it.
 * @param rules the only ones to check; all of them where none are named
 */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
	// Our pages have no frames. Axe would open another page for theirs, which takes as long as it.
	const axe = new AxeBuilder({ page }).setLegacyMode();
	if (rules) axe.withRules(rules);
	const { violations } = await axe.analyze();
	return violations.map(
		({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
	);
}
