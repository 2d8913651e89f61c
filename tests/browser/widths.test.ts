/**
 * Every width between a phone and a desk, and text twice as large on a phone: nothing makes the page scroll sideways, and no control of a
 * form lies over another or sticks out.
 */
import { beforeAll, expect, it } from "vitest";
import { insertFee } from "../fees.ts";
import { daysAgo } from "../fleet-days.ts";
import { insertLog } from "../mileage.ts";
import { insertRequest } from "../requests.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
const WIDTHS = [320, 480, 640, 700, 768, 900, 1024, 1040, 1280, 1920];
const SCREENS = {
	"admin@milepost.test": [
		"/",
		"/fund-requests",
		"/mileage-reports?range=custom",
		"/uber-fees",
		"/uber-fees/import",
		"/drivers",
		"/reports",
		"/audit?startDate=2026-11-02&endDate=2026-11-01",
		"/outbox",
	],
	"dana@milepost.test": ["/", "/mileage", "/requests", "/history"],
};

beforeAll(async () => {
	for (const number of [1, 2]) {
		await insertFee(sql, number, "lena", daysAgo(number), { category: "service_fee", reference_number: `UB-2026-00${number}` });
		await insertRequest(sql, number, "dana", { type: "maintenance", amount_cents: 123_450 });
		await insertLog(sql, number, "dana", daysAgo(number), 1900, { is_long: 1, is_overlap: 1 });
	}
});

/** What is out of place, in words. */
function faultsOf(): string[] {
	const faults: string[] = [];
	// A button that stays in reach of the thumb lies over what is scrolled past it.
	const isSticky = (control: Element | null): boolean =>
		control !== null && (getComputedStyle(control).position === "sticky" || isSticky(control.parentElement));
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} too wide`);
	for (const form of document.querySelectorAll("form")) {
		const box = form.getBoundingClientRect();
		const controls = [...form.querySelectorAll("input, select, textarea, button, a")]
			.filter((control) => !isSticky(control))
			.map((control) => ({ name: control.getAttribute("name") ?? control.textContent ?? "", at: control.getBoundingClientRect() }))
			// What only a screen reader meets is a pixel large.
			.filter(({ at }) => at.width > 1);
		for (const [position, { name, at }] of controls.entries()) {
			if (at.right > box.right + 1 || at.left < box.left - 1) faults.push(`${name} sticks out`);
			for (const other of controls.slice(position + 1))
				if (at.left < other.at.right - 1 && other.at.left < at.right - 1 && at.top < other.at.bottom - 1 && other.at.top < at.bottom - 1)
					faults.push(`${name} and ${other.name} lie over each other`);
		}
	}
	return faults;
}

it.each(Object.entries(SCREENS))("fits at every width for %s", async (email, paths) => {
	const page = await stage.visit({ phone: false });
	await signIn(page, email);
	for (const path of paths) {
		await page.goto(path);
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 800 });
			expect(await page.evaluate(faultsOf), `${path} at ${width}`).toEqual([]);
		}
	}
});

it.each(Object.entries(SCREENS))("fits a phone with text twice as large for %s", async (email, paths) => {
	const page = await stage.visit();
	await signIn(page, email);
	for (const path of paths) {
		await page.goto(path);
		await page.evaluate(() => {
			document.documentElement.style.fontSize = "200%";
		});
		expect(await page.evaluate(faultsOf), path).toEqual([]);
	}
});
