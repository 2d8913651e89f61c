/**
 * An administrator's jobs on a narrow phone by keyboard alone, without JavaScript: every field and
 * button can be reached with Tab and shows its focus.
 */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { CAST, idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { deletePayouts, insertApproved } from "../support/payouts.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";
import { openStage } from "./browser.ts";
import { PlainKeyboardUser } from "./plain-keyboard-user.ts";

const stage = await openStage();
const sql = stage.fleet.sql.bind(stage.fleet);
const empty = await openFleet({ port: await freePort(), seed: "admin" });

const [sample = ""] = readdirSync("docs/samples");
const statement = {
	name: sample,
	mimeType: "text/csv",
	buffer: readFileSync(`docs/samples/${sample}`),
};

/** Signs in and opens a page of the portal. */
async function arrive(path: string, origin = stage.fleet.origin): Promise<PlainKeyboardUser> {
	const page = await stage.visit({ javaScript: false, mayRefuse: true });
	const user = new PlainKeyboardUser(page);
	await page.goto(`${origin}/api/login`);
	await user.type(page.getByLabel("Email"), CAST.ada.email);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.pathname !== "/api/login");
	await page.goto(origin + path);
	return user;
}

beforeAll(async () => {
	for (const row of platformDriverRows(currentTime()))
		await insertRow(sql, "platform_drivers", row);
});

it("changes settings, and shows which one is invalid", async () => {
	const user = await arrive("/settings");
	const { page } = user;
	await user.type(page.getByLabel("Fleet name"), "North depot");
	await page.keyboard.press("Enter");
	await page.getByText("Settings saved").waitFor();
	await user.press(page.getByLabel("Missing miles"), "Space");
	await user.press(page.getByRole("button", { name: "Save reminders" }));
	await page.getByText("Settings saved").waitFor();
	expect(await page.getByLabel("Missing miles").isChecked()).toBe(true);
	await user.type(page.getByLabel("Excellent under"), "x");
	await page.keyboard.press("Enter");
	await page.getByText("Enter an amount such as").waitFor();
	await user.reach(page.getByLabel("Excellent under"));
});

it("invites many drivers, and continues with those still to invite", async () => {
	const user = await arrive("/drivers");
	const { page } = user;
	await user.press(page.getByRole("button", { name: "Add many" }));
	await page.waitForURL(/dialog=add-many/);
	await user.type(page.getByLabel("Drivers, one per line"), "kim@milepost.test Kim Keys\nnobody");
	await user.press(page.getByRole("dialog").getByRole("button", { name: "Invite" }));
	await page.getByText("1 invited").waitFor();
	await user.reach(page.getByLabel("Still to invite"));
});

it("completes a new fleet's first steps", async () => {
	const user = await arrive("/", empty.origin);
	const { page } = user;
	const steps = page.getByRole("main");
	await user.press(steps.getByText("Change your name"));
	await user.type(steps.getByLabel("First Name"), "Addie");
	await user.press(steps.getByRole("button", { name: "Save name" }));
	await page.getByText("Addie").first().waitFor();
	await user.press(steps.getByRole("button", { name: "Add drivers" }));
	await page.waitForURL(/dialog=add-many/);
});

it("pseudonymizes a former driver after typing their driver ID", async () => {
	await sql(
		"update users set deactivated_at = ? where id = ?",
		currentTime() - 8 * 365.25 * 86_400_000,
		idOf("ivan"),
	);
	const user = await arrive(`/drivers/${idOf("ivan")}`);
	const { page } = user;
	const dialog = page.getByRole("dialog");
	await user.press(page.getByRole("link", { name: /^Pseudonymize/ }));
	await page.waitForURL(/dialog=pseudonymize/);
	await user.type(dialog.getByRole("textbox"), "DRV-9999");
	await page.keyboard.press("Enter");
	await dialog.locator("[aria-invalid=true]").waitFor();
	await user.type(dialog.getByRole("textbox"), "DRV-0004");
	await user.press(dialog.getByRole("button", { name: "Pseudonymize" }));
	await page.getByText("Former driver DRV-0004").first().waitFor();
});

it("imports a statement", async () => {
	const user = await arrive("/uber-fees/import");
	const { page } = user;
	await user.choose(page.getByLabel("CSV file"), statement);
	await user.press(page.getByRole("button", { name: "Show preview" }));
	await user.press(page.getByRole("button", { name: /^Import \d+ fees/ }));
	await page.getByText(/Uber fees imported successfully/).waitFor();
});

it("pays some of a driver's requests", async () => {
	await deletePayouts(sql);
	await insertApproved(sql, 1, "dana", 12_50);
	await insertApproved(sql, 2, "dana", 7_25);
	const user = await arrive(`/payouts?choose=${idOf("dana")}`);
	const { page } = user;
	await user.press(page.getByRole("checkbox", { name: "Select FR-000002" }), "Space");
	await user.press(page.getByRole("button", { name: "Create payout" }));
	await user.type(page.getByLabel("Reference"), "ACH 42");
	await user.press(page.getByRole("button", { name: "Mark $7.25 as paid" }));
	await page.getByText("Payout paid", { exact: true }).waitFor();
});
