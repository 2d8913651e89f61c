/** What a trip was for: one tap for what the last trips were for. */
import { beforeAll, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

beforeAll(async () => {
	const sql = stage.fleet.sql.bind(stage.fleet);
	await sql("delete from mileage_logs where driver_id = ?", idOf("dana"));
	await insertLog(sql, 1, "dana", daysAgo(2), 100, { purpose: "Airport", created_at: 1 });
	await insertLog(sql, 2, "dana", daysAgo(1), 50, { purpose: "School run", created_at: 2 });
});

it("fills in an earlier trip's purpose on a small phone, whose submit button is in view", async () => {
	const page = await stage.visit();
	await page.setViewportSize({ width: 360, height: 640 });
	await signIn(page, "dana@milepost.test");
	await page.goto("/mileage");
	const submit = page.getByRole("button", { name: "Log Mileage" });
	await submit.waitFor();
	const box = await submit.boundingBox();
	expect((box?.y ?? 640) + (box?.height ?? 640)).toBeLessThanOrEqual(640);
	await page.getByText("Purpose and personal miles").click();
	await page.getByRole("button", { name: "Airport" }).click();
	const purpose = page.getByLabel("Purpose", { exact: true });
	expect(await purpose.inputValue()).toBe("Airport");
	await page.getByRole("button", { name: "School run" }).click();
	expect(await purpose.inputValue()).toBe("School run");
	await page.getByLabel("Personal Miles").fill("3");
	await page.getByLabel("Ending Odometer").fill("4060");
	await submit.click();
	await page.waitForURL(/#log-/);
	const main = page.locator("main");
	for (const words of ["School run", "3 miles personal"])
		await expect.poll(() => main.innerText()).toContain(words);
	// The miles stand beside the readings, not below them.
	const row = page.locator("tr[id^=log-]").first();
	const [start, miles] = await Promise.all(
		["Start", "Miles"].map((label) => row.locator(`[data-label=${label}]`).boundingBox()),
	);
	expect(miles?.y).toBeLessThan((start?.y ?? 0) + (start?.height ?? 0));
});
