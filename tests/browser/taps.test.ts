/**
 * How many taps and keys the most frequent jobs take: a driver's on a phone, an administrator's on
 * a desktop. A tap is a touch or a click; a key is a key press or a typed character. The camera and
 * the file dialog aren't counted.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { multipart } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { expectedOf, sampleText } from "../support/statements.ts";
import { awake, openStage, signIn } from "./browser.ts";

const stage = await openStage();
const sql = stage.fleet.sql.bind(stage.fleet);
const photo = readFileSync("tests/fixtures/receipts/baseline.jpg");

/** A user whose taps and keys are counted. */
class CountingUser {
	taps = 0;
	keys = 0;
	constructor(readonly page: Page) {}
	async tap(target: Locator): Promise<void> {
		this.taps += 1;
		await target.tap();
	}
	async click(target: Locator): Promise<void> {
		this.taps += 1;
		await target.click();
	}
	/** Opens a list and selects an option. */
	async choose(target: Locator, label: string): Promise<void> {
		this.taps += 2;
		await target.selectOption(label);
	}
	async press(key: string): Promise<void> {
		this.keys += 1;
		await this.page.keyboard.press(key);
	}
	async type(text: string): Promise<void> {
		this.keys += text.length;
		await this.page.keyboard.type(text);
	}
	get count() {
		return { taps: this.taps, keys: this.keys };
	}
}

/** Opens the dashboard on a driver's phone. */
async function openPhone(email: string, javaScript: boolean): Promise<CountingUser> {
	const context = await stage.browser.newContext({
		baseURL: stage.fleet.origin,
		viewport: { width: 360, height: 740 },
		hasTouch: true,
		isMobile: true,
		javaScriptEnabled: javaScript,
		reducedMotion: "reduce",
		serviceWorkers: "block",
	});
	const page = await context.newPage();
	await signIn(page, email);
	await page.getByRole("heading", { name: "Driver Dashboard" }).waitFor();
	return new CountingUser(page);
}

type Count = CountingUser["count"];
/** The counts, in the order of the tests. */
const counted: (readonly [job: string, count: Count])[] = [];
afterAll(() => {
	for (const [job, { taps, keys }] of counted) console.log(`${job}: ${taps} taps, ${keys} keys`);
});

const HOW = [
	["with JavaScript", true],
	["without JavaScript", false],
] as const;

describe.each(HOW)("%s", (_, javaScript) => {
	it("a day is logged from the dashboard in 2 taps and 5 keys", async () => {
		const user = await openPhone("dana@milepost.test", javaScript);
		const { page } = user;
		await user.tap(page.getByRole("main").getByRole("link", { name: "Log Daily Mileage" }));
		await page.locator("#endOdometer:focus").waitFor();
		expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
		expect(await page.evaluate("scrollY")).toBe(0);
		const start = Number(await page.getByLabel("Starting Odometer").inputValue());
		await user.type(String(start + 75));
		if (javaScript)
			await page.getByRole("status", { name: "Calculated Miles" }).getByText("75").waitFor();
		await user.tap(page.getByRole("button", { name: "Log Mileage" }));
		await page.getByText("Mileage log created successfully").waitFor();
		expect(user.count).toEqual({ taps: 2, keys: 5 });
		counted.push(["log a day, from the dashboard", user.count]);
		await page.context().close();
	});

	it("fuel is requested with its receipt in 4 taps, 5 keys and a photo", async () => {
		const user = await openPhone(
			javaScript ? "omar@milepost.test" : "lena@milepost.test",
			javaScript,
		);
		const { page } = user;
		await user.tap(page.getByRole("link", { name: "Submit New Fund Request" }));
		await user.tap(
			page.getByRole("navigation", { name: "Common requests" }).getByRole("link", { name: "Gas" }),
		);
		await expect.poll(() => page.getByLabel("Request Type").inputValue()).toBe("gas");
		await page.locator("#amount:focus").waitFor();
		// All six stay, so that a wrong one can be corrected, and nothing moves under the thumb.
		expect(
			await page.getByRole("navigation", { name: "Common requests" }).getByRole("link").count(),
		).toBe(6);
		await user.type("45.50");
		const chooser = page.waitForEvent("filechooser");
		const camera = page.getByRole("button", { name: "Take photo" });
		const receipt = page.getByLabel("Receipt", { exact: true });
		await user.tap(javaScript ? camera : receipt);
		const chosen = await chooser;
		expect(await camera.isVisible()).toBe(javaScript);
		expect(await receipt.getAttribute("capture")).toBe(javaScript ? "environment" : null);
		await chosen.setFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: photo });
		await user.tap(page.getByRole("button", { name: "Submit Request" }));
		await page.getByText("Fund request submitted successfully").waitFor();
		expect(user.count).toEqual({ taps: 4, keys: 5 });
		counted.push(["fuel request with receipt", user.count]);
		expect(
			await sql(
				"select type, amount_cents, description, file_name from fund_requests join receipts on receipts.id = receipt_id order by number desc limit 1",
			),
		).toEqual([{ type: "gas", amount_cents: 4550, description: "Gas", file_name: "pump.jpg" }]);
		await page.context().close();
	});
});

/** Opens a page of the portal on an administrator's desktop. */
async function openDesk(path: string): Promise<CountingUser> {
	const page = await stage.visit({ phone: false });
	await signIn(page, "admin@milepost.test");
	await page.goto(path);
	return new CountingUser(page);
}

describe("on an administrator's desktop", () => {
	it("five requests are approved with their receipts seen in 1 click and 5 keys", async () => {
		await sql("delete from fund_requests");
		const driver = await stage.fleet.as("dana");
		for (let number = 1; number <= 5; number++) {
			const file = { bytes: photo, name: `${number}.jpg`, type: "image/jpeg" };
			const answer = await driver.request("/api/receipts", await multipart({}, file));
			const { id } = JSON.parse(answer.text) as { id: string };
			const hash = String(number).repeat(64);
			await sql("update receipts set sha256 = ? where id = ?", hash, id);
			await insertRequest(sql, number, "dana", { receipt_id: id, amount_cents: 1000 + number });
		}
		const user = await openDesk("/fund-requests?status=pending&order=oldest");
		const { page } = user;
		await user.click(page.getByRole("link", { name: "FR-000001", exact: true }));
		for (let number = 1; number <= 5; number++) {
			await page.locator("#opened:focus", { hasText: `FR-00000${number}` }).waitFor();
			await page.getByRole("img", { name: `Receipt of FR-00000${number}` }).waitFor();
			await page.locator(".desk dialog").waitFor({ state: "attached" });
			await user.press("a");
		}
		await expect
			.poll(() => sql("select count(*) as n from fund_requests where status = 'approved'"))
			.toEqual([{ n: 5 }]);
		expect(user.count).toEqual({ taps: 1, keys: 5 });
		counted.push(["approve five, receipts seen", user.count]);
	});

	it("one driver's month among 150 is found with 6 keys", async () => {
		await sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
			select printf('70000000-0000-4000-8000-%012d', i), 'driver', 'Zed', iif(i = 42, 'Quill', 'Zimmer' || i), 'approved', 100 + i, 1 from n`);
		const user = await openDesk("/");
		await user.press("/");
		await user.type("quil");
		await user.press("Enter");
		await user.page.getByRole("heading", { name: "Zed Quill", level: 1 }).waitFor();
		await user.page.getByRole("heading", { name: "This Month" }).waitFor();
		expect(user.count).toEqual({ taps: 0, keys: 6 });
		counted.push(["one driver's month among 150", user.count]);
	});

	it("an Uber fee for one driver among 150 is added in 6 clicks and 9 keys", async () => {
		const user = await openDesk("/");
		const { page } = user;
		await user.click(page.getByRole("link", { name: "Uber Fees" }).first());
		await user.click(page.locator("#driverSearch"));
		await user.type("quil");
		await user.choose(page.getByLabel("Fee Category"), "service_fee");
		await user.click(page.getByLabel("Amount"));
		await user.type("12.50");
		await user.click(page.getByRole("button", { name: "Add Uber Fee" }));
		await page.getByText("Uber fee added successfully").waitFor();
		expect(await sql("select last_name from uber_fees join users on users.id = driver_id")).toEqual(
			[{ last_name: "Quill" }],
		);
		// One more than the minimum, because the list of categories needs a click to open.
		expect(user.count).toEqual({ taps: 6, keys: 9 });
		counted.push(["Uber fee, large fleet", user.count]);
	});

	it("a dropped statement is imported in 4 clicks", async () => {
		for (const row of platformDriverRows(currentTime()))
			await insertRow(sql, "platform_drivers", row);
		const [name = ""] = readdirSync("docs/samples");
		const user = await openDesk("/");
		const { page } = user;
		await user.click(page.getByRole("link", { name: "Uber Fees" }).first());
		await user.click(page.getByRole("button", { name: "Import a statement" }));
		await awake(page, "statement-drop");
		const files = await page.evaluateHandle(
			([file = "", content = ""]) => {
				const data = new DataTransfer();
				data.items.add(new File([content], file, { type: "text/csv" }));
				return data;
			},
			[name, readFileSync(`docs/samples/${name}`, "utf8")],
		);
		await page
			.locator("[data-island=statement-drop] > div")
			.dispatchEvent("drop", { dataTransfer: files });
		await page.getByText(`Chosen: ${name}`).waitFor();
		await user.click(page.getByRole("button", { name: "Show preview" }));
		await user.click(page.getByRole("button", { name: /^Import \d+ fees/ }));
		await page.getByText(/\d+ Uber fees imported successfully/).waitFor();
		// One more than the minimum, because a file is previewed before it is imported.
		expect(user.count).toEqual({ taps: 4, keys: 0 });
		counted.push(["import a statement", user.count]);
	});

	it("drivers are suggested in a statement's preview, by any of their names and by keyboard alone", async () => {
		await sql("delete from platform_drivers");
		const user = await openDesk("/uber-fees/import");
		const { page } = user;
		await page.getByLabel("CSV file").setInputFiles({
			name: expectedOf("uber-payments-order").uploadAs,
			mimeType: "text/csv",
			buffer: Buffer.from(sampleText("uber-payments-order")),
		});
		await page.getByRole("button", { name: "Show preview" }).click();
		const box = page.getByRole("combobox").first();
		await box.click();
		await box.fill("");
		await box.pressSequentially("quil");
		const option = page.getByRole("option", { name: /Zed Quill/ });
		await option.waitFor();
		await user.press("ArrowDown");
		await expect.poll(() => option.getAttribute("aria-selected")).toBe("true");
		await user.press("Enter");
		await expect.poll(() => box.inputValue()).toBe("Zed Quill (DRV-0142)");
		await expect.poll(() => box.evaluate((each) => each === document.activeElement)).toBe(true);
	});
});
