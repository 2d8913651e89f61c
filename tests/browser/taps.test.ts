/**
 * How many taps and keys the most frequent jobs take: a driver's on a phone, an administrator's on
 * a desktop. A tap is a touch or a click; a key is a key press or a typed character. The camera and
 * the file dialog aren't counted.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { scripts } from "../support/extent.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { multipart } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { deletePayouts, gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { expectedOf, sampleText } from "../support/statements.ts";
import { awake, openStage, signIn } from "./browser.ts";

const stage = await openStage({ isFresh: true });
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
		viewport: { width: 360, height: 640 },
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

/** Whether it is on the screen, above the bar at its bottom, without scrolling. */
async function isInView(part: Locator): Promise<boolean> {
	const bar = await part.page().getByRole("navigation", { name: "Main" }).boundingBox();
	const place = await part.boundingBox();
	return place !== null && place.y >= 0 && place.y + place.height <= (bar?.y ?? 0);
}

type Count = CountingUser["count"];
/** The counts, in the order of the tests. */
const counted: (readonly [job: string, count: Count])[] = [];
afterAll(() => {
	for (const [job, { taps, keys }] of counted) console.log(`${job}: ${taps} taps, ${keys} keys`);
});

const isWeekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0;

describe.each(scripts("with JavaScript"))("%s", (_, javaScript) => {
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

	it("a driver sees on the dashboard what they were paid, with no tap", async () => {
		await deletePayouts(sql);
		const ada = await stage.fleet.as("ada");
		const paid = await insertApproved(sql, 1, "dana", 6985);
		await insertApproved(sql, 2, "dana", 9437);
		const { id } = await gather(ada, { requestIds: [paid] });
		await ada.call("PUT", `/api/payouts/${id}`, { status: "paid", paidOn: daysAgo(0) });
		const user = await openPhone("dana@milepost.test", javaScript);
		const { page } = user;
		expect(await page.evaluate("scrollY")).toBe(0);
		for (const words of [/^To be paid \$94\.37 \(1\)$/, /^Paid \$69\.85 on /])
			expect(await isInView(page.getByRole("link", { name: words })), `${words}`).toBe(true);
		expect(user.count).toEqual({ taps: 0, keys: 0 });
		counted.push(["was I paid", user.count]);
		await page.context().close();
		await deletePayouts(sql);
	});

	it("a forgotten day is logged from the dashboard in 2 taps and 5 keys, with its own start", async () => {
		const [day = "", before = ""] = [1, 2, 3, 4, 5, 6].map(daysAgo).filter(isWeekday);
		await sql("delete from mileage_logs where driver_id = ?", idOf("omar"));
		const between = { start_miles: 40_000, end_miles: 40_222 };
		await insertLog(sql, 1, "omar", before, 222, between);
		await insertLog(sql, 2, "omar", daysAgo(0), 27, { start_miles: 40_283, end_miles: 40_310 });
		const user = await openPhone("omar@milepost.test", javaScript);
		const { page } = user;
		const link = page.getByRole("link", { name: /^Log it/ }).first();
		expect(await isInView(link)).toBe(true);
		await user.tap(link);
		await page.locator("#endOdometer:focus").waitFor();
		expect(await page.locator("#endOdometer").getAttribute("placeholder")).toBe("40297");
		await user.type("40260");
		await user.tap(page.getByRole("button", { name: "Log Mileage" }));
		await page.getByText("Mileage log created successfully").waitFor();
		expect(
			await sql(
				"select driven_on, start_miles, end_miles, gap_miles, is_overlap, is_out_of_order from mileage_logs where driver_id = ? and driven_on = ?",
				idOf("omar"),
				day,
			),
		).toEqual([
			{
				driven_on: day,
				start_miles: 40_222,
				end_miles: 40_260,
				gap_miles: null,
				is_overlap: 0,
				is_out_of_order: 0,
			},
		]);
		expect(user.count).toEqual({ taps: 2, keys: 5 });
		counted.push(["log a forgotten day, from the dashboard", user.count]);
		await page.context().close();
	});

	it("fuel is requested with its receipt in 5 taps and 5 keys, without scrolling", async () => {
		const user = await openPhone(
			javaScript ? "omar@milepost.test" : "lena@milepost.test",
			javaScript,
		);
		const { page } = user;
		await user.tap(page.getByRole("link", { name: "Submit New Fund Request" }));
		await page.getByRole("heading", { name: "Submit New Fund Request" }).waitFor();
		const common = page.getByRole("navigation", { name: "Common requests" }).getByRole("link");
		const lines = await common.evaluateAll(
			(links) => new Set(links.map((link) => link.getBoundingClientRect().top)).size,
		);
		expect([await common.count(), lines]).toEqual([6, 1]);
		const camera = page.getByRole("button", { name: "Take photo" });
		const receipt = page.getByLabel("Receipt", { exact: true });
		const submit = page.getByRole("button", { name: "Submit Request" });
		const type = page.getByLabel("Request Type");
		const description = page.getByLabel("Description");
		await user.tap(common.first());
		await expect.poll(() => type.inputValue()).toBe("gas");
		expect(await description.inputValue()).toBe("Gas");
		await page.locator("#amount:focus").waitFor();
		await user.type("45.50");
		const scrolled = await page.evaluate("scrollY");
		const parts = [common.first(), page.getByLabel("Amount"), receipt, description, type, submit];
		for (const part of [...parts, ...(javaScript ? [camera] : [])])
			expect(await isInView(part), `${part}`).toBe(true);
		const chooser = page.waitForEvent("filechooser");
		await user.tap(javaScript ? camera : receipt);
		const chosen = await chooser;
		expect(await camera.isVisible()).toBe(javaScript);
		expect(await receipt.getAttribute("capture")).toBe(javaScript ? "environment" : null);
		// The camera's shutter, or a file in the list.
		user.taps += 1;
		await chosen.setFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: photo });
		if (javaScript) await page.getByText("Receipt selected: pump.jpg").waitFor();
		expect(await isInView(submit)).toBe(true);
		expect(await page.evaluate("scrollY")).toBe(scrolled);
		await user.tap(submit);
		await page.getByText("Fund request submitted successfully").waitFor();
		expect(user.count).toEqual({ taps: 5, keys: 5 });
		counted.push(["fuel request with receipt", user.count]);
		expect(
			await sql(
				"select type, amount_cents, description, file_name from fund_requests join receipts on receipts.id = receipt_id order by number desc limit 1",
			),
		).toEqual([{ type: "gas", amount_cents: 4550, description: "Gas", file_name: "pump.jpg" }]);
		await page.context().close();
	});

	it.each([
		["Could you add the receipt, please?", "Receipt for"],
		["Which van was it?", "Your answer"],
	])("'%s' is answered in a form that begins with '%s'", async (question, label) => {
		await deletePayouts(sql);
		const id = await insertRequest(sql, 1, "dana", {});
		const ada = await stage.fleet.as("ada");
		await ada.call("POST", `/api/fund-requests/${id}/messages`, { text: question });
		const { page } = await openPhone("dana@milepost.test", javaScript);
		await page.getByRole("link", { name: "Answer", exact: true }).tap();
		const form = page.locator("form[data-outbox-form=answers]");
		await form.waitFor();
		expect(await form.locator("label").first().innerText()).toMatch(new RegExp(`^${label}`));
		// Without JavaScript the browser's own button stands there instead.
		expect(await form.getByText("Choose file").isVisible()).toBe(javaScript);
		expect(await form.getByLabel(/^Receipt for/).isVisible()).toBe(true);
		expect(await form.getByRole("button", { name: "Take photo" }).isVisible()).toBe(javaScript);
		await form
			.getByLabel(/^Receipt for/)
			.setInputFiles({ name: "pump.jpg", mimeType: "image/jpeg", buffer: photo });
		if (javaScript) await form.getByText("Receipt selected: pump.jpg").waitFor();
		await form.getByRole("button", { name: "Send answer" }).tap();
		await page.getByText("Answered", { exact: true }).waitFor();
		expect(
			await sql("select file_name from fund_requests join receipts on receipts.id = receipt_id"),
		).toEqual([{ file_name: "pump.jpg" }]);
		await page.context().close();
		await deletePayouts(sql);
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

	/** Adds 150 drivers, the 42nd of whom is Zed Quill. */
	const hireMany = () =>
		sql(`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 150)
			select printf('70000000-0000-4000-8000-%012d', i), 'driver', 'Zed', iif(i = 42, 'Quill', 'Zimmer' || i), 'approved', 100 + i, 1 from n`);

	it("one driver's month among 150 is found with 6 keys", async () => {
		await hireMany();
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
		await hireMany();
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
		await hireMany();
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
