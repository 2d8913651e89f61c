/**
 * The main job on a phone, with and without JavaScript: a new person signs in, completes the
 * profile, is approved by the administrator, and logs a day, which is stored.
 */
import { describe, expect, it } from "vitest";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

describe.each([
	["without JavaScript", false],
	["with JavaScript", true],
])("the whole journey %s", (_, javaScript) => {
	const email = `journey-${javaScript ? "js" : "plain"}@milepost.test`;

	it("leads from the landing screen to a logged day", async () => {
		const driver = await stage.visit({ javaScript });
		await driver.goto("/");
		await driver.getByRole("button", { name: "Sign In", exact: true }).click();
		await driver.getByLabel("Email").fill(email);
		await driver.getByRole("button", { name: "Sign In", exact: true }).click();

		await driver.getByRole("heading", { name: "Complete Your Profile" }).waitFor();
		await driver.getByPlaceholder("Enter your first name").fill("Jo");
		await driver.getByPlaceholder("Enter your last name").fill("Journey");
		await driver.getByRole("button", { name: "Complete Profile" }).click();
		await driver.getByRole("heading", { name: "Application Under Review" }).waitFor();
		await driver.getByText(email).waitFor();

		const admin = await stage.visit({ javaScript, phone: false });
		await signIn(admin, "admin@milepost.test");
		await admin.getByRole("link", { name: "Driver Management" }).first().click();
		const application = admin.locator("li, tr").filter({ hasText: email });
		await application.getByRole("button", { name: /^Approve/ }).click();
		await admin
			.getByText("Driver has been successfully approved and assigned a driver ID")
			.waitFor();

		await driver.reload();
		await driver.getByRole("heading", { name: "Driver Dashboard" }).waitFor();
		await driver.getByRole("link", { name: "Log Mileage" }).click();
		await driver.getByLabel("Starting Odometer").fill("45210");
		await driver.getByLabel("Ending Odometer").fill("45285");
		if (javaScript) await driver.getByRole("status").filter({ hasText: "75" }).waitFor();
		await driver.getByLabel("Notes").fill("First day");
		await driver.getByRole("button", { name: "Log Mileage" }).click();

		await driver.getByText("Mileage log created successfully").waitFor();
		const row = driver.getByRole("row").filter({ hasText: "First day" });
		await row.getByText("Logged", { exact: true }).waitFor();
		await expect.poll(() => driver.getByLabel("Ending Odometer").inputValue()).toBe("");
		await expect.poll(() => driver.getByLabel("Starting Odometer").inputValue()).toBe("45285");

		const [stored] = await stage.fleet.sql(
			"select l.start_miles, l.end_miles, l.miles, l.notes, u.driver_number > 0 as has_code from mileage_logs l join users u on u.id = l.driver_id where u.email = ?",
			email,
		);
		expect(stored).toEqual({
			start_miles: 45210,
			end_miles: 45285,
			miles: 75,
			notes: "First day",
			has_code: 1,
		});

		await driver.getByRole("button", { name: "Sign Out" }).click();
		await driver.getByText("Secure access for drivers and fleet administrators").waitFor();
	});
});

describe("a lapsed session", () => {
	it("redirects to sign-in and back by itself, with and without JavaScript", async () => {
		for (const javaScript of [true, false]) {
			const page = await stage.visit({ javaScript, mayRefuse: true });
			// Read from the response: the browser can't be asked about a page that is being left.
			let said = "";
			await page.route("**/mileage", async (route) => {
				const response = await route.fetch();
				said ||= await response.text();
				await route.fulfill({ response });
			});
			await page.goto("/mileage", { waitUntil: "commit" });
			await page.waitForURL(/\/api\/login\?returnTo=%2Fmileage/);
			expect(said).toContain("You are logged out. Logging in again...");
			await page.getByLabel("Email").fill("dana@milepost.test");
			await page.getByRole("button", { name: "Sign In", exact: true }).click();
			await page.waitForURL(/\/mileage$/);
		}
	});

	it("leaves nothing behind sign-in that leads there again", async () => {
		const page = await stage.visit({ mayRefuse: true });
		await page.goto("/");
		await page.goto("/mileage", { waitUntil: "commit" });
		await page.waitForURL(/\/api\/login\?returnTo=%2Fmileage/);
		await page.goBack();
		expect(new URL(page.url()).pathname).toBe("/");
	});

	it("keeps what was typed, to be sent after signing in from another tab", async () => {
		const page = await stage.visit({ mayRefuse: true });
		await signIn(page, "dana@milepost.test");
		await page.goto("/mileage");
		await page.getByLabel("Starting Odometer").fill("60000");
		await page.getByLabel("Ending Odometer").fill("60100");
		await page.context().clearCookies();
		await page.getByRole("button", { name: "Log Mileage" }).click();
		await page.getByRole("heading", { name: "Sign in, then send again" }).waitFor();
		const [tab] = await Promise.all([
			page.context().waitForEvent("page"),
			page.getByRole("link", { name: /Sign In/ }).click(),
		]);
		await tab.getByLabel("Email").fill("dana@milepost.test");
		await tab.getByRole("button", { name: "Sign In", exact: true }).click();
		await tab.waitForURL(/\/$/);
		await page.getByRole("button", { name: "Send again" }).click();
		await page.getByText("Mileage log created successfully").waitFor();
	});
});

describe("the form with JavaScript", () => {
	it("says Logging... and can't be sent twice", async () => {
		const page = await stage.visit();
		await signIn(page, "omar@milepost.test");
		await page.goto("/mileage");
		await page.getByLabel("Starting Odometer").fill("95000");
		await page.getByLabel("Ending Odometer").fill("95010");
		let posts = 0;
		await page.route("**/mileage", async (route) => {
			if (route.request().method() === "POST") {
				posts += 1;
				await new Promise((resolve) => setTimeout(resolve, 400));
			}
			await route.continue();
		});
		const words = await page
			.getByRole("button", { name: "Log Mileage" })
			.evaluate((button: HTMLButtonElement) => {
				button.click();
				const pending = button.textContent;
				button.click();
				return pending;
			});
		expect(words).toBe("Logging...");
		await page.getByText("Mileage log created successfully").waitFor();
		expect(posts).toBe(1);
	});

	it("never shows fewer than 0 miles", async () => {
		const page = await stage.visit();
		await signIn(page, "omar@milepost.test");
		await page.goto("/mileage");
		await page.getByLabel("Starting Odometer").fill("95,100");
		await page.getByLabel("Ending Odometer").fill("95,050");
		const box = page.getByRole("status", { name: "Calculated Miles" });
		await box.filter({ hasText: /^0$/ }).waitFor();
		await page.getByLabel("Ending Odometer").fill("96,200");
		await box.filter({ hasText: "1,100" }).waitFor();
	});

	/** Opens a page with a toast. */
	async function openWithToast(name: string, javaScript: boolean) {
		const page = await stage.visit({ javaScript });
		await signIn(page, `${name}@milepost.test`);
		await page.getByLabel("First Name").fill("Toast");
		await page.getByLabel("Last Name").fill("Reader");
		await page.getByRole("button", { name: "Complete Profile" }).click();
		const words = page.getByText("Your profile has been completed successfully!");
		await words.waitFor();
		return { page, words };
	}

	it.each([true, false])(
		"dismisses the toast with its button (JavaScript: %s)",
		async (javaScript) => {
			const { page, words } = await openWithToast(`toast-${javaScript}`, javaScript);
			await page.locator("summary[aria-label=Dismiss]").click();
			await words.waitFor({ state: "hidden" });
		},
	);

	it("changes the toast's text once the page is there, so that screen readers announce it", async () => {
		const page = await stage.visit();
		await page.addInitScript(() => {
			const said: string[] = [];
			Object.assign(window, { said });
			document.addEventListener("DOMContentLoaded", () => {
				for (const region of document.querySelectorAll("[role=status]"))
					new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
						childList: true,
						subtree: true,
					});
			});
		});
		await signIn(page, "toast-said@milepost.test");
		await page.getByLabel("First Name").fill("Toast");
		await page.getByLabel("Last Name").fill("Listener");
		await page.getByRole("button", { name: "Complete Profile" }).click();
		await expect
			.poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said.join()))
			.toContain("Your profile has been completed successfully!");
		await page
			.getByText("Your profile has been completed successfully!")
			.waitFor({ state: "attached" });
	});

	it("hides the toast after five seconds, but not while it has hover or focus", async () => {
		const { page, words } = await openWithToast("toast-alone", true);
		const toast = page.locator("details").filter({ has: words });
		const read = () =>
			toast.evaluate((element) =>
				element
					.getAnimations()
					.map(({ effect, playState }) => [effect?.getTiming().delay, playState]),
			);
		expect(await read()).toEqual([[5000, "running"]]);
		await page.locator("summary[aria-label=Dismiss]").focus();
		await expect.poll(read).toEqual([[5000, "paused"]]);
		await toast.evaluate((element) => element.getAnimations()[0]?.finish());
		await words.waitFor({ state: "hidden" });
	});
});
