/** What has the focus is seen in a window as low as a phone held sideways, or as a laptop's. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { dialogOn, giveSession, openStage } from "./browser.ts";

const stage = await openStage();

async function visit(email: string, width: number, height: number): Promise<Page> {
	const page = await stage.visit({ mayRefuse: true });
	await page.setViewportSize({ width, height });
	await giveSession(page, email);
	return page;
}

/** The control with the focus, with a word if its middle or an edge is covered or out of sight. */
const focused = (page: Page) =>
	page.evaluate(() => {
		const control = document.activeElement;
		if (!control || control === document.body) return "";
		const { left, right, top, bottom } = control.getBoundingClientRect();
		const isSeen = [top + 3, (top + bottom) / 2, bottom - 3].every((y) => {
			const there = document.elementFromPoint((left + right) / 2, y);
			return there && (control.contains(there) || there.contains(control));
		});
		const name = control.getAttribute("name") || control.textContent?.trim();
		return `${name}${isSeen ? "" : " (hidden)"}`;
	});

it.each([
	[568, 320],
	[640, 360],
	[360, 200],
	[1280, 400],
])("covers no faulty field with the toast, %s x %s", async (width, height) => {
	const page = await visit("dana@milepost.test", width, height);
	for (const [path, field, value] of [
		["/mileage", "endOdometer", "x"],
		["/requests", "amount", "0"],
	] as const) {
		await page.goto(path);
		await page.locator(`[name=${field}]`).evaluate((control: HTMLInputElement, typed) => {
			control.value = typed;
			if (control.form) control.form.noValidate = true;
			control.form?.requestSubmit();
		}, value);
		await page.locator("[aria-invalid=true]").first().waitFor();
		await page.locator(".toast").waitFor();
		expect(await page.locator("[aria-invalid=true]").count()).toBeGreaterThan(0);
		await expect.poll(() => focused(page)).toMatch(/^(startOdometer|endOdometer|amount)$/);
		const [top, bottom] = await page
			.locator(".toast")
			.evaluate((toast) => [
				toast.getBoundingClientRect().top,
				toast.getBoundingClientRect().bottom,
			]);
		expect(top).toBeGreaterThanOrEqual(0);
		expect(bottom).toBeLessThanOrEqual(height);
	}
});

it.each([
	[360, 640],
	[640, 360],
	[320, 256],
])("covers no field of a dialog with its buttons, %s x %s", async (width, height) => {
	const page = await visit("admin@milepost.test", width, height);
	await page.goto(`/drivers/${idOf("dana")}?dialog=agreement`);
	await dialogOn(page).waitFor();
	const fields = await dialogOn(page).locator("input:not([type=hidden])").count();
	const seen = new Set<string>();
	for (let press = 0; press < 3 * fields; press++) {
		await page.keyboard.press("Tab");
		seen.add(await focused(page));
	}
	expect(seen.size).toBeGreaterThan(fields);
	expect([...seen].filter((name) => name.endsWith("(hidden)"))).toEqual([]);
});

it("shows the last of the places beside a page in a laptop's window", async () => {
	const page = await visit("admin@milepost.test", 1366, 600);
	await page.goto("/settings");
	const places = page.getByRole("navigation", { name: "Main" }).getByRole("link");
	await places.first().focus();
	const count = await places.count();
	for (let press = 1; press < count; press++) {
		await page.keyboard.press("Tab");
		await expect.poll(() => focused(page)).not.toContain("(hidden)");
		expect(await page.evaluate(() => scrollY), "the page stays where it is").toBeLessThan(8);
	}
	expect(await focused(page)).toContain("Settings");
});
