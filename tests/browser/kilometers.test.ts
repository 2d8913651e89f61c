/** On a phone, a fleet with kilometers has the rows of one with miles. */
import type { Page } from "@playwright/test";
import { expect, it } from "vitest";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertLog } from "../support/mileage.ts";
import { openStage, signIn } from "./browser.ts";

const stage = await openStage();
const other = await openStage();
for (const [{ fleet }, distanceUnit] of [
	[stage, "mi"],
	[other, "km"],
] as const) {
	const sql = fleet.sql.bind(fleet);
	const ada = await fleet.as("ada");
	await sql("delete from mileage_logs");
	await sql("delete from fund_requests");
	await sql(`insert into settings (id, chosen) values ('fleet', '{"unitsOpen":true}')`);
	const { fields } = formWith((await ada.get("/settings")).text, "Save currency and distance");
	const chosen = await ada.post("/settings", { ...fields, distanceUnit });
	expect(chosen.status).toBe(303);
	await insertLog(sql, 1, "dana", daysAgo(0), 40, { personal_miles: 12, notes: "Airport run" });
	await insertLog(sql, 2, "dana", daysAgo(0), 90, { gap_miles: 3, is_long: 1 });
}

/** Where each cell of the rows stands, and the unit after the distances. */
const rowsOf = (page: Page) =>
	page.locator("main tbody tr").evaluateAll((rows) =>
		rows.map((row) => {
			const from = row.getBoundingClientRect();
			return [...row.children].map((cell) => {
				const { left, right, top } = cell.getBoundingClientRect();
				const figure = cell.querySelector(".distance");
				return {
					isLeft: left - from.left < 40,
					isRight: from.right - right < 40,
					line: Math.round((top - from.top) / 12),
					unit: figure ? getComputedStyle(figure, "::after").content : "",
				};
			});
		}),
	);

it.each(["/mileage", "/history"])("%s", async (path) => {
	const [page, metric] = [await stage.visit(), await other.visit()];
	for (const each of [page, metric]) {
		await signIn(each, "dana@milepost.test");
		await each.goto(path);
	}
	const [miles, kilometers] = [await rowsOf(page), await rowsOf(metric)];
	const ofUnit = (rows: typeof miles, unit: string) =>
		rows.map((cells) => cells.map((cell) => ({ ...cell, unit: cell.unit.replace(unit, "unit") })));
	expect(miles.length).toBeGreaterThan(1);
	expect(ofUnit(kilometers, "km")).toEqual(ofUnit(miles, "mi"));
	if (path === "/mileage") expect(JSON.stringify(ofUnit(miles, "mi"))).toContain('unit\\"');
});
