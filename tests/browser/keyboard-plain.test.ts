/**
 * An administrator's jobs on a narrow phone, by keyboard alone and without a script: each field and
 * button is reached by Tab, and is seen to have the focus.
 */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { CAST, idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { forgetMoney, insertApproved } from "../support/payouts.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";
import { openStage } from "./browser.ts";
import { PlainKeyboardUser } from "./plain-hands.ts";

const stage = await openStage();
const sql = stage.fleet.sql.bind(stage.fleet);
const empty = await openFleet({ port: await freePort(), seed: "admin" });

const [sample = ""] = readdirSync("docs/samples");
const statement = {
	name: sample,
	mimeType: "text/csv",
	buffer: readFileSync(`docs/samples/${sample}`),
};

/** Signs in, and goes to a page of the portal. */
async function arrive(path: string, origin = stage.fleet.origin): Promise<PlainKeyboardUser> {
	const page = await stage.visit({ javaScript: false, mayRefuse: true });
	const hands = new PlainKeyboardUser(page);
	await page.goto(`${origin}/api/login`);
	await hands.type(page.getByLabel("Email"), CAST.ada.email);
	await page.keyboard.press("Enter");
	await page.waitForURL((url) => url.pathname !== "/api/login");
	await page.goto(origin + path);
	return hands;
}

beforeAll(async () => {
	for (const row of platformDriverRows(currentTime()))
		await insertRow(sql, "platform_drivers", row);
});

it("changes settings, and sees which one is wrong", async () => {
	const hands = await arrive("/settings");
	const { page } = hands;
	await hands.type(page.getByLabel("Fleet name"), "North depot");
	await page.keyboard.press("Enter");
	await page.getByText("Settings saved").waitFor();
	await hands.press(page.getByLabel("Missing miles"), "Space");
	await hands.press(page.getByRole("button", { name: "Save reminders" }));
	await page.getByText("Settings saved").waitFor();
	expect(await page.getByLabel("Missing miles").isChecked()).toBe(true);
	await hands.type(page.getByLabel("Excellent under"), "x");
	await page.keyboard.press("Enter");
	await page.getByText("Enter an amount such as").waitFor();
	await hands.reach(page.getByLabel("Excellent under"));
});

it("invites many drivers, and goes on with those still to invite", async () => {
	const hands = await arrive("/drivers");
	const { page } = hands;
	await hands.press(page.getByRole("button", { name: "Add many" }));
	await page.waitForURL(/dialog=add-many/);
	await hands.type(page.getByLabel("Drivers, one per line"), "kim@milepost.test Kim Keys\nnobody");
	await hands.press(page.getByRole("dialog").getByRole("button", { name: "Invite" }));
	await page.getByText("1 invited").waitFor();
	await hands.reach(page.getByLabel("Still to invite"));
});

it("completes a new fleet's first steps", async () => {
	const hands = await arrive("/", empty.origin);
	const { page } = hands;
	const steps = page.getByRole("main");
	await hands.press(steps.getByText("Change your name"));
	await hands.type(steps.getByLabel("First Name"), "Addie");
	await hands.press(steps.getByRole("button", { name: "Save name" }));
	await page.getByText("Addie").first().waitFor();
	await hands.press(steps.getByRole("button", { name: "Add drivers" }));
	await page.waitForURL(/dialog=add-many/);
});

it("pseudonymizes a former driver after typing their name", async () => {
	await sql(
		"update users set deactivated_at = ? where id = ?",
		currentTime() - 8 * 365.25 * 86_400_000,
		idOf("ivan"),
	);
	const hands = await arrive(`/drivers/${idOf("ivan")}`);
	const { page } = hands;
	const dialog = page.getByRole("dialog");
	await hands.press(page.getByRole("link", { name: /^Pseudonymize/ }));
	await page.waitForURL(/dialog=pseudonymize/);
	await hands.type(dialog.getByRole("textbox"), "DRV-9999");
	await page.keyboard.press("Enter");
	await dialog.locator("[aria-invalid=true]").waitFor();
	await hands.type(dialog.getByRole("textbox"), "DRV-0004");
	await hands.press(dialog.getByRole("button", { name: "Pseudonymize" }));
	await page.getByText("Former driver DRV-0004").first().waitFor();
});

it("imports a statement", async () => {
	const hands = await arrive("/uber-fees/import");
	const { page } = hands;
	await hands.choose(page.getByLabel("CSV file"), statement);
	await hands.press(page.getByRole("button", { name: "Show preview" }));
	await hands.press(page.getByRole("button", { name: /^Import \d+ fees/ }));
	await page.getByText(/Uber fees imported successfully/).waitFor();
});

it("pays some of a driver's requests", async () => {
	await forgetMoney(sql);
	await insertApproved(sql, 1, "dana", 12_50);
	await insertApproved(sql, 2, "dana", 7_25);
	const hands = await arrive(`/payouts?choose=${idOf("dana")}`);
	const { page } = hands;
	await hands.press(page.getByRole("checkbox", { name: "Select FR-000002" }), "Space");
	await hands.press(page.getByRole("button", { name: "Make payout" }));
	await hands.type(page.getByLabel("Reference"), "ACH 42");
	await hands.press(page.getByRole("button", { name: "Mark $7.25 as paid" }));
	await page.getByText("Payout paid", { exact: true }).waitFor();
});
