/**
 * Errors are shown under their fields, which get the focus: with and without JavaScript, also on a
 * small phone.
 */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { oneIn } from "../support/extent.ts";
import { giveSession, openStage } from "./browser.ts";

const stage = await openStage();

type Refusal = {
	readonly who: string;
	readonly path: string;
	/** Tells it from another one on the same page. */
	readonly what?: string;
	readonly spoil: (page: Page, javaScript: boolean) => Promise<unknown>;
	/** The ids of the invalid fields, the one to be focused first, and the message under each. */
	readonly says: readonly (readonly [id: string, words: string | RegExp])[];
	/** The message about the whole form, shown only once. */
	readonly above?: string;
};

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** The short message under a field; the full one is above the form. */
const REQUIRED = "Required";

const REFUSALS: readonly Refusal[] = [
	{
		who: "dana@milepost.test",
		path: "/mileage",
		spoil: async (page) => {
			await page.getByLabel("Starting Odometer").fill("45210");
			await page.getByLabel("Ending Odometer").fill("45200");
			await press(page, "Log Mileage");
		},
		says: [["endOdometer", "Must be more than the starting reading"]],
		above: "Ending odometer must be greater than starting odometer",
	},
	{
		who: "dana@milepost.test",
		path: "/mileage",
		spoil: async (page) => {
			await page.getByLabel("Starting Odometer").fill("");
			await page.getByLabel("Notes").fill("x".repeat(1001));
			await press(page, "Log Mileage");
		},
		says: [
			["startOdometer", REQUIRED],
			["endOdometer", REQUIRED],
			["notes", "Use 1000 characters or fewer"],
		],
		above: "Please fill in both odometer readings",
	},
	{
		who: "dana@milepost.test",
		path: "/requests",
		spoil: async (page) => {
			await page.getByLabel("Amount").fill("1,250");
			await press(page, "Submit Request");
		},
		says: [
			["amount", /is ambiguous/],
			["description", REQUIRED],
			["type", REQUIRED],
		],
		above: "Please fill in all required fields",
	},
	{
		who: "dana@milepost.test",
		path: "/requests",
		what: "with a refused receipt",
		spoil: async (page, javaScript) => {
			const file = { name: "notes.txt", mimeType: "image/png", buffer: Buffer.from("no picture") };
			await page.getByLabel("Receipt", { exact: true }).setInputFiles(file);
			if (javaScript) await page.getByText("Receipt selected: notes.txt").waitFor();
			await press(page, "Submit Request");
		},
		says: [
			["amount", REQUIRED],
			["description", REQUIRED],
			["type", REQUIRED],
			["receipt", /^The receipt wasn't saved\./],
		],
		above: "Please fill in all required fields",
	},
	{
		who: "admin@milepost.test",
		path: "/uber-fees",
		spoil: async (page) => {
			await page.getByLabel("Amount").fill("-5");
			await page.getByLabel("Description").fill("x".repeat(1001));
			await press(page, "Add Uber Fee");
		},
		says: [
			["driverId", REQUIRED],
			["category", REQUIRED],
			["amount", /up to two decimals/],
			["description", "Use 1000 characters or fewer"],
		],
		above: "Please fill in all required fields",
	},
	{
		who: "admin@milepost.test",
		path: "/mileage-reports?range=custom",
		spoil: () => Promise.resolve(),
		says: [
			["startDate", "Enter both a start date and an end date"],
			["endDate", "Enter both a start date and an end date"],
		],
	},
	{
		who: "admin@milepost.test",
		path: "/audit?startDate=2026-03-02&endDate=2026-03-01",
		spoil: () => Promise.resolve(),
		says: [
			["startDate", "The start date is after the end date"],
			["endDate", "The start date is after the end date"],
		],
	},
	{
		who: "admin@milepost.test",
		path: "/reports?report=invalid&type=weekly&range=custom&startDate=2026-03-02&endDate=2026-03-01&format=pdf",
		spoil: () => Promise.resolve(),
		says: [["report-startDate", /on or before/]],
	},
	{
		who: "admin@milepost.test",
		path: "/reports?log=invalid&year=26&format=pdf",
		spoil: () => Promise.resolve(),
		says: [
			["driverId", /./],
			["log-year", /./],
		],
	},
];

/** A field's description, and whether all of it is visible. */
function wordsUnder(id: string): {
	words: string;
	isSeen: boolean;
	isFocused: boolean;
	isInvalid: boolean;
} {
	const field = document.getElementById(id);
	const place = document.getElementById(`${id}-error`);
	const isTied = field?.getAttribute("aria-describedby")?.split(" ").includes(`${id}-error`);
	const { left, right, top, bottom } = place?.getBoundingClientRect() ?? new DOMRect();
	const corners = [
		[left + 2, top + 2],
		[left + 2, bottom - 2],
		[Math.min(right, innerWidth) - 2, bottom - 2],
	];
	return {
		words: isTied ? (place?.textContent ?? "") : "",
		isSeen: corners.every(([x = 0, y = 0]) => place?.contains(document.elementFromPoint(x, y))),
		isFocused: document.activeElement === field,
		isInvalid: field?.getAttribute("aria-invalid") === "true",
	};
}

/** A phone's width, and for the forms used every day also those of a tablet and two desktops. */
const widthsOf = ({ path }: Refusal) =>
	/^\/(mileage|requests)$/.test(path) ? [360, 768, 1024, 1280] : [360];

it.each(
	REFUSALS.flatMap((refusal, place) =>
		widthsOf(refusal).flatMap((width, at) =>
			oneIn(2, [true, false], place + at).map((javaScript) => ({
				...refusal,
				width,
				javaScript,
				what: refusal.what ?? "",
				how: javaScript ? "with JavaScript" : "without JavaScript",
			})),
		),
	),
)(
	"$path at $width px shows the error under $says.0.0 $what, visible and focused, $how",
	async ({ who, path, spoil, says, above, width, javaScript }) => {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await page.setViewportSize({ width, height: 740 });
		await giveSession(page, who);
		await page.goto(path);
		await spoil(page, javaScript);
		const [first] = says[0] ?? [""];
		await page.locator(`#${first}-error`).waitFor();
		await expect
			.poll(() => page.evaluate(wordsUnder, first))
			.toMatchObject({ isSeen: true, isFocused: true });
		for (const [id, words] of says) {
			const told = await page.evaluate(wordsUnder, id);
			expect(told.isInvalid, id).toBe(true);
			expect(told.words, id).toMatch(words);
		}
		expect(
			await page.locator("[aria-invalid=true]").evaluateAll((fields) => fields.map(({ id }) => id)),
		).toEqual(says.map(([id]) => id));
		if (above) expect(await page.getByText(above).count(), above).toBe(1);
	},
);

it("shows an error under a row's receipt field, visible and focused", async () => {
	const client = await stage.fleet.as("dana");
	await client.call("POST", "/api/fund-requests", {
		type: "gas",
		amount: "12.50",
		description: "Fuel",
	});
	for (const javaScript of [true, false]) {
		const page = await stage.visit({ javaScript, mayRefuse: true });
		await giveSession(page, "dana@milepost.test");
		await page.goto("/requests");
		await page.locator('[id^="request-"] summary').first().click();
		await page.getByText("Add receipt").click();
		await press(page, "Send receipt");
		const field = page.getByLabel("Receipt for FR-000001");
		await page.getByText("Choose a receipt first.").waitFor();
		const id = (await field.getAttribute("id")) ?? "";
		await expect
			.poll(() => page.evaluate(wordsUnder, id))
			.toMatchObject({ isSeen: true, isFocused: true, isInvalid: true });
		expect((await page.evaluate(wordsUnder, id)).words).toBe("Choose a receipt first.");
	}
});
