/**
 * A platform's statement from dropping the file to undoing the import, with and without JavaScript,
 * on desktop and phone.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CAST } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { expectedOf, sampleText } from "../support/statements.ts";
import { violationsOn } from "./axe.ts";
import { awake, giveSession, openStage } from "./browser.ts";

const stage = await openStage();
const NAME = expectedOf("uber-payments-order").uploadAs;
const text = sampleText("uber-payments-order");
const SHOTS = process.env.MILEPOST_SHOTS;

it.each(
	oneIn(2, [
		{ javaScript: true, phone: false },
		{ javaScript: false, phone: true },
	]),
)(
	"is previewed, matched with a driver, imported in part and undone: %o",
	async ({ javaScript, phone }) => {
		const page = await stage.visit({ javaScript, phone, mayRefuse: true });
		const shot = async (name: string) => {
			if (SHOTS)
				await page.screenshot({
					path: `${SHOTS}/${name}-${javaScript ? "script" : "plain"}-${phone ? "phone" : "desk"}.png`,
					fullPage: true,
				});
		};
		await giveSession(page, CAST.ada.email);
		await page.goto("/uber-fees/import");
		const field = page.getByLabel("CSV file");
		if (javaScript) {
			await field.hover();
			await awake(page, "statement-drop");
			await shot("upload");
			const transfer = await page.evaluateHandle(
				([name = "", content = ""]) => {
					const data = new DataTransfer();
					data.items.add(new File([content], name, { type: "text/csv" }));
					return data;
				},
				[NAME, text],
			);
			await page.locator("[data-island=statement-drop] > div").dispatchEvent("drop", {
				dataTransfer: transfer,
			});
			await page.getByText(`Chosen: ${NAME}`).waitFor();
		} else {
			await field.setInputFiles({ name: NAME, mimeType: "text/csv", buffer: Buffer.from(text) });
		}
		await page.getByRole("button", { name: "Show preview" }).click();
		await page.getByRole("heading", { name: "Uber statement" }).waitFor();
		await page.getByText("18 fees, $186.85, for drivers who aren't matched yet.").waitFor();
		await shot("preview");
		if (javaScript) expect(await violationsOn(page)).toEqual([]);

		await page.getByRole("button", { name: "Import ready fees" }).click();
		await page.getByText("Choose a driver first").first().waitFor();
		await page.getByLabel("Tomas Wilk").selectOption({ label: "Dana Driver (DRV-0001)" });
		await page.getByRole("button", { name: "Import ready fees" }).click();
		await page.getByText("4 Uber fees imported successfully").waitFor();
		await page.getByText("4 fees, $53.82, already imported.").waitFor();
		await shot("partly");
		const download = page.waitForEvent("download");
		await page.getByRole("link", { name: "Download CSV" }).click();
		const path = await (await download).path();
		const csv = readFileSync(path, "utf8");
		expect(csv).toContain("No driver is named");
		expect(csv).toContain("Unknown driver,Nora Velez");

		await page.goto("/uber-fees");
		await page.getByText("$53.82").first().waitFor();
		await page.goto("/uber-fees/import");
		await page
			.getByRole("cell", { name: "Tomas Wilk" })
			.or(page.getByText("Tomas Wilk"))
			.first()
			.waitFor();
		await shot("imports");
		await page.getByRole("button", { name: /^Undo/ }).first().click();
		await page.getByText("Import undone").waitFor();
		await page
			.getByRole("button", { name: /^Remove/ })
			.first()
			.click();
		await page.getByText("The next statement will ask whose ID this is.").waitFor();
		await page.goto("/uber-fees");
		await page.getByText("No Uber fees recorded yet").waitFor();
	},
);

it("says that one of several dropped files is chosen", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	await page.getByLabel("CSV file").hover();
	await awake(page, "statement-drop");
	const dataTransfer = await page.evaluateHandle(() => {
		const data = new DataTransfer();
		for (const name of ["one.csv", "two.csv"]) data.items.add(new File(["a,b"], name));
		return data;
	});
	await page.locator("[data-island=statement-drop] > div").dispatchEvent("drop", { dataTransfer });
	await page.getByText("Only one file at a time. Chosen: one.csv").waitFor();
	await page
		.getByLabel("CSV file")
		.setInputFiles({ name: "two.csv", mimeType: "text/csv", buffer: Buffer.from("a,b") });
	await page.getByText("Chosen: two.csv", { exact: true }).waitFor();
});

it("leaves the page where it is when a file is dropped beside its field", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.dana.email);
	await page.goto("/requests");
	await page.locator("html[data-scripted]").waitFor({ state: "attached" });
	/** Whether the browser deals with what is dropped there: words, or a photo. */
	const isLeft = (place: string, words = "") =>
		page.evaluate(
			([selector = "", text]) => {
				const dataTransfer = new DataTransfer();
				if (text) dataTransfer.items.add(text, "text/plain");
				else dataTransfer.items.add(new File(["a"], "pump.jpg"));
				return ["dragover", "drop"].map((name) =>
					document
						.querySelector(selector)
						?.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true })),
				);
			},
			[place, words],
		);
	expect(await isLeft("main")).toEqual([false, false]);
	expect(await isLeft("#receipt")).toEqual([true, true]);
	expect(await isLeft("textarea", "Fuel")).toEqual([true, true]);
});

it("shows the upload progress of a large file, then its preview", async () => {
	const page = await stage.visit({ phone: false });
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	await page.getByLabel("CSV file").hover();
	await awake(page, "statement-drop");
	const lines = text.trimEnd().split("\n");
	const rows = Array.from({ length: 60 }, (_, copy) =>
		lines.slice(1).map((line) => line.replace(/^.{8}/, String(10_000_000 + copy))),
	).flat();
	const large = [lines[0], ...rows].join("\n");
	expect(large.length).toBeGreaterThan(256 * 1024);
	await page
		.getByLabel("CSV file")
		.setInputFiles({ name: NAME, mimeType: "text/csv", buffer: Buffer.from(large) });
	const sent = page.waitForRequest(
		(request) => request.method() === "POST" && request.headers().accept === "application/json",
	);
	await page.getByRole("button", { name: "Show preview" }).click();
	await sent;
	await page.getByRole("heading", { name: "Uber statement" }).waitFor();
});

it("says which file to download instead of one that isn't a fee statement", async () => {
	const page = await stage.visit({ javaScript: false, mayRefuse: true });
	await giveSession(page, CAST.ada.email);
	await page.goto("/uber-fees/import");
	await page.getByLabel("CSV file").setInputFiles({
		name: "20260921-20260928-trip_activity-Fleet.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(
			"Trip UUID,Driver UUID,Pickup address,Drop off address,Trip status\n1,2,a,b,c\n",
		),
	});
	await page.getByRole("button", { name: "Show preview" }).click();
	await page
		.getByText(/[Dd]ownload/)
		.first()
		.waitFor();
});
