/**
 * Importing and undoing a fee statement, finding a driver in a large fleet, and searching the
 * audit, each with and without JavaScript.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { currentTime } from "../support/clock.ts";
import { oneIn } from "../support/extent.ts";
import { violationsOn } from "./axe.ts";
import { giveSession, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const file = (text: string) => ({
	name: "november.csv",
	mimeType: "text/csv",
	buffer: Buffer.from(text),
});

describe.each(oneIn(2, [true, false]))("with JavaScript: %s", (javaScript) => {
	it("imports a statement, and undoes the import", async () => {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await giveSession(page, "admin@milepost.test");
		await page.goto("/uber-fees");
		await page.getByRole("button", { name: "Import a statement" }).click();
		await page
			.getByText("No statements imported yet")
			.or(page.getByText("november.csv").first())
			.waitFor();
		await page.getByRole("button", { name: "Show preview" }).click();
		await page.getByText("Choose a CSV file").waitFor();

		const reference = `UB-${javaScript}`;
		const money = `how much ${javaScript}`;
		const head = `driver;${money};date;reference;fee type`;
		await page
			.getByLabel("CSV file")
			.setInputFiles(
				file(
					`${head}\nDRV-0001;12,50;11/2/2026;${reference};Commission\nNobody;1;11/2/2026;x;Other`,
				),
			);
		await page.getByRole("button", { name: "Show preview" }).click();
		await page.getByText("Select a column for Amount").waitFor();
		await page.getByLabel("Amount").selectOption({ label: money });
		await page.getByRole("button", { name: "Update preview" }).click();
		await page.getByText("Who are these drivers?").waitFor();
		await page.getByRole("button", { name: "Import 1 fee" }).click();
		await page.getByText("1 Uber fee imported successfully").waitFor();
		await page.goto("/uber-fees");
		await page
			.getByRole("row")
			.filter({ hasText: reference })
			.getByText("$12.50")
			.first()
			.waitFor();
		await page.goto("/uber-fees/import");
		await page.getByRole("button", { name: /^Undo/ }).click();
		await page.getByText("Import undone").waitFor();
		await page.goto("/uber-fees");
		await expect.poll(() => page.getByRole("row").filter({ hasText: reference }).count()).toBe(0);

		await page.goto("/audit");
		await page
			.getByLabel("Event", { exact: true })
			.selectOption({ label: "Fee statement import undone" });
		await page.getByRole("button", { name: "Apply" }).click();
		await page.getByText("undid the import of").first().waitFor();
	});
});

describe("a fleet of more than 50 drivers", () => {
	beforeAll(() =>
		stage.fleet.sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, email, created_at)
			with recursive n(value) as (select 1 union all select value + 1 from n where value < 60)
			select printf('70000000-0000-4000-8000-%012d', value), 'driver', 'Zed', printf('Zz%03d', value), 'approved', value + 100,
				printf('zed%03d@milepost.test', value), 1 from n`),
	);

	it.each(oneIn(2, [true, false], 1))(
		"finds the driver of a fee, keeps what was typed, and adds the fee with the Enter key (JavaScript: %s)",
		async (javaScript) => {
			const page = await stage.visit({ javaScript, mayRefuse: true });
			await giveSession(page, "admin@milepost.test");
			await page.goto("/uber-fees");
			await page.getByLabel("Amount").fill("7.25");
			await page.getByLabel("Fee Category").selectOption("other");
			await page.getByLabel("Find driver").fill("zz01");
			if (javaScript) await page.getByRole("option", { name: /Zed Zz017/ }).click();
			else {
				await page.getByRole("button", { name: "Find", exact: true }).click();
				await page.getByText('10 matches for "zz01".').waitFor();
				await page.getByRole("radio", { name: /Zed Zz017/ }).check();
			}
			await expect.poll(() => page.getByLabel("Amount").inputValue()).toBe("7.25");
			await page.getByLabel("Amount").press("Enter");
			await page.getByText("Uber fee added successfully").waitFor();
			await page
				.getByRole("row")
				.filter({ hasText: "Zed Zz017" })
				.first()
				.getByText("$7.25")
				.first()
				.waitFor();
			// Enter in the search submits the form: missing fields are reported, and the matching driver
			// is selected.
			await page.getByLabel("Find driver").fill("DRV-0130");
			await page.getByLabel("Find driver").press("Enter");
			await expect
				.poll(() => page.getByRole("radio", { name: /Zed Zz030/ }).isChecked())
				.toBe(true);
		},
	);

	it.each(oneIn(2, [true, false]))(
		"downloads a mileage log by the Enter key, of the driver found (script: %s)",
		async (javaScript) => {
			const page = await stage.visit({ javaScript, mayRefuse: true });
			await giveSession(page, "admin@milepost.test");
			await page.goto("/reports");
			await page.getByLabel("Find driver").fill("zz017");
			if (javaScript) await page.getByRole("option", { name: /Zed Zz017/ }).click();
			else {
				await page.getByRole("button", { name: "Find", exact: true }).click();
				await page.getByRole("radio", { name: /Zed Zz017/ }).check();
			}
			await page.locator("#log-year").fill(String(new Date(currentTime()).getUTCFullYear()));
			const [file] = await Promise.all([
				page.waitForEvent("download", { timeout: 20_000 }),
				page.locator("#log-year").press("Enter"),
			]);
			expect(file.suggestedFilename()).toMatch(/^mileage-log-DRV-0117-\d{4}\.pdf$/);
		},
	);

	const SCHEMES = oneIn(2, ["light", "dark"] as const, 1);
	it.each(SCHEMES)("has no axe violations in the search, %s", async (scheme) => {
		const page = await stage.visit({ scheme, mayRefuse: true });
		await signIn(page, "admin@milepost.test");
		for (const path of ["/uber-fees", "/audit"]) {
			await page.goto(path);
			const box = page.locator("main").locator("input[type=search]").first();
			await box.fill("zz");
			await box.press("Enter");
			await page.getByText('First 20 matches for "zz".').first().waitFor();
			expect(await violationsOn(page)).toEqual([]);
		}
	});
});
