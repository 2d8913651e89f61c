/** axe on every screen, light and dark, phone and desktop, with the errors and dialogs they can show. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { beforeAll, expect, it } from "vitest";
import { idOf } from "../cast.ts";
import { insertReceipt, insertRequest, requestId } from "../requests.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();

type Screen = readonly [who: string | undefined, path: string, act?: (page: Page) => Promise<unknown>];

const SCREENS: readonly Screen[] = [
	[undefined, "/"],
	[undefined, "/api/login"],
	[undefined, "/mileage?stay"],
	[undefined, "/nowhere"],
	["nina@milepost.test", "/"],
	["nina@milepost.test", "/", (page) => page.getByRole("button", { name: "Complete Profile" }).click()],
	["nora@milepost.test", "/"],
	["rex@milepost.test", "/"],
	["dana@milepost.test", "/"],
	["dana@milepost.test", "/mileage"],
	[
		"dana@milepost.test",
		"/mileage",
		async (page) => {
			await page.getByLabel("Starting Odometer").fill("10");
			await page.getByLabel("Ending Odometer").fill("5");
			await page.getByRole("button", { name: "Log Mileage" }).click();
			await page.getByRole("alert").first().waitFor();
		},
	],
	["dana@milepost.test", "/mileage", (page) => page.getByRole("link", { name: /^Void/ }).first().click()],
	["dana@milepost.test", "/drivers"],
	["admin@milepost.test", "/"],
	["admin@milepost.test", "/drivers"],
	["admin@milepost.test", "/drivers?dialog=add-driver"],
	["admin@milepost.test", "/drivers?dialog=create-admin"],
	[
		"admin@milepost.test",
		"/drivers",
		(page) =>
			page
				.getByRole("link", { name: /^Delete/ })
				.first()
				.click(),
	],
	["admin@milepost.test", "/fund-requests"],
	["admin@milepost.test", "/fund-requests?status=rejected"],
	["admin@milepost.test", `/fund-requests?dialog=approve&id=${requestId(1)}`],
	["admin@milepost.test", `/fund-requests?dialog=receipt&id=${requestId(1)}`],
	["admin@milepost.test", `/fund-requests?dialog=timeline&id=${requestId(2)}`],
	[
		"admin@milepost.test",
		`/fund-requests?dialog=reject&id=${requestId(1)}`,
		async (page) => {
			await page.getByLabel("Admin Notes (Optional)").fill("x".repeat(2001));
			await page.getByRole("button", { name: "Reject" }).click();
			await page.getByText("Please use at most 2000 characters").first().waitFor();
		},
	],
];

beforeAll(async () => {
	const sql = (query: string, ...values: unknown[]) => stage.fleet.sql(query, ...values);
	const [one, two] = [await insertReceipt(sql, 1, "dana"), await insertReceipt(sql, 11, "omar")];
	await insertRequest(sql, 1, "dana", { receipt_id: one, is_possible_duplicate: 1 });
	await insertRequest(sql, 2, "omar", { receipt_id: two, status: "approved", decided_at: Date.now(), decided_by: idOf("ada") });
	await insertRequest(sql, 3, "omar", { receipt_name: "a name.jpg", amount_cents: 9000 });
});

it.each(["light", "dark"] as const)("finds nothing on any screen, %s", async (scheme) => {
	for (const phone of [true, false]) {
		for (const [who, path, act] of SCREENS) {
			// Without a script a screen stays what it is while it is looked at; the visitor's does not move on.
			const page = await stage.visit({ scheme, phone, mayRefuse: true, javaScript: true });
			if (path.endsWith("?stay")) await page.route("**/api/login**", () => undefined);
			// The receipts here are rows without a file.
			await page.route("**/api/receipts/*", (route) => route.fulfill({ contentType: "image/png", body: "" }));
			if (who) await signIn(page, who);
			await page.goto(path);
			await act?.(page);
			const { violations } = await new AxeBuilder({ page }).analyze();
			const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
			expect(found, `${who ?? "a visitor"} on ${path}, ${scheme}, ${phone ? "phone" : "desktop"}`).toEqual([]);
			await page.context().close();
		}
	}
});
