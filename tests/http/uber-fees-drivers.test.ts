/** Choosing a driver for a fee in a large fleet. */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { textOf } from "../support/drivers.ts";
import { BUTTON, feeForm } from "../support/fee-form.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const { fill, live } = feeForm(fleet, ada);
const ids = Array.from(
	{ length: 60 },
	(_, each) => `70000000-0000-4000-8000-${String(each).padStart(12, "0")}`,
);
await sql(
	`insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at)
		select value, 'driver', 'Zed', printf('Zz%02d', key), 'approved', 100 + key, 1 from json_each(?)`,
	JSON.stringify(ids),
);

describe("a fleet of more than 50 drivers", () => {
	const offered = (html: string) =>
		[...html.matchAll(/<input type="radio"[^>]*value="([^"]*)"/g)].map(([, value]) => value);

	it("has a search instead of a select, which keeps the other fields and adds nothing", async () => {
		const page = await ada.get("/uber-fees");
		expect(costOf(page).trips).toBe(1);
		expect(formWith(page.text, BUTTON).html).not.toContain('id="driverId"');
		const fields = await fill({
			driverId: "",
			description: "Kept",
			referenceNumber: "UB-9",
			driverSearch: "zz5",
		});
		const answer = await ada.post("/uber-fees", { ...fields, intent: "find-driver" });
		expect([answer.status, costOf(answer).trips]).toEqual([200, 2]);
		const form = formWith(answer.text, BUTTON);
		expect(form.fields).toEqual({ ...fields, driverSearched: "zz5" });
		expect(offered(form.html)).toEqual(["", ...ids.slice(50)]);
		expect(form.html).toContain("10 matches for &quot;zz5&quot;.");
		expect(form.html).not.toContain("problems");
		expect(form.html).not.toContain("aria-invalid=");
		expect(await live()).toEqual([]);
		const added = await ada.post("/uber-fees", { ...form.fields, driverId: ids[52] ?? "" });
		expect([added.status, costOf(added).trips]).toEqual([303, 2]);
		expect(await fleet.sql("select driver_id, description from uber_fees")).toEqual([
			{ driver_id: ids[52], description: "Kept" },
		]);
	});

	it.each(["Zed Zz17", "zz17, zed", "zz17", "DRV-0117"])(
		"adds the fee for the one driver that '%s' matches",
		async (driverSearch) => {
			const answer = await ada.post("/uber-fees", await fill({ driverId: "", driverSearch }));
			expect([answer.status, costOf(answer).trips]).toEqual([303, 3]);
			expect(await fleet.sql("select driver_id from uber_fees")).toEqual([{ driver_id: ids[17] }]);
		},
	);

	it("prefers the full name when others start with it, and asks when two drivers share it", async () => {
		await sql("update users set last_name = 'Zz1' where id = ?", ids[40] ?? "");
		const fields = await fill({ driverId: "", driverSearch: "Zed Zz1" });
		expect((await ada.post("/uber-fees", fields)).status).toBe(303);
		expect(await fleet.sql("select driver_id from uber_fees")).toEqual([{ driver_id: ids[40] }]);
		await sql("update users set last_name = 'Zz1' where id = ?", ids[41] ?? "");
		const answer = await ada.post(
			"/uber-fees",
			await fill({ driverId: "", driverSearch: "Zed Zz1" }),
		);
		expect(answer.status).toBe(400);
	});

	it.each([
		["no one is found", { driverSearch: "Qwerty" }, 'No matches for "Qwerty". Nothing was added.'],
		[
			"several are found",
			{ driverSearch: "zz5" },
			'10 matches for "zz5". Select one below. Nothing was added.',
		],
		[
			"only part of it is found",
			{ driverSearch: "Zz17xy" },
			'No full matches for "Zz17xy". These names start with "zz17". Select one below. Nothing was added.',
		],
		[
			"another driver is selected",
			{ driverSearch: "Okafor", driverId: ids[17] ?? "" },
			'"Okafor" matches Omar Okafor (DRV-0002), but Zed Zz17 (DRV-0117) is selected. Select one of them below. Nothing was added.',
		],
	])(
		"adds nothing when %s, says so under the field and keeps all that was typed",
		async (_, typed: Record<string, string>, words) => {
			const fields = await fill({
				driverId: "",
				description: "Kept",
				referenceNumber: "UB-9",
				...typed,
			});
			const answer = await ada.post("/uber-fees", fields);
			expect(answer.status).toBe(400);
			const form = formWith(answer.text, BUTTON);
			expect(form.fields).toEqual({ ...fields, driverSearched: fields.driverSearch });
			expect(textOf(form.html).split(words)).toHaveLength(3);
			expect(form.html).toMatch(
				/<input[^>]*aria-describedby="driverSearch-error driverSearch-hint"[^>]*aria-invalid="true"[^>]*autofocus/i,
			);
			expect(await live()).toEqual([]);
			const chosen = await ada.post("/uber-fees", { ...form.fields, driverId: ids[17] ?? "" });
			expect(chosen.status).toBe(303);
		},
	);

	it("shows the errors of all other fields too when a driver isn't found", async () => {
		const answer = await ada.post(
			"/uber-fees",
			await fill({ driverId: "", driverSearch: "Qwerty", amount: "" }),
		);
		const said = textOf(formWith(answer.text, BUTTON).html);
		expect(said).toContain('No matches for "Qwerty". Nothing was added.');
		expect(said.split("Please fill in all required fields")).toHaveLength(2);
		expect(said).toContain("Required");
	});

	it("says when no one is found, asks for a driver when none is selected, and preselects a replaced fee's driver", async () => {
		const none = await ada.post(
			"/uber-fees",
			await fill({ driverId: "", driverSearch: "<b>", intent: "find-driver" }),
		);
		expect(none.text).toContain("No matches for &quot;&lt;b&gt;&quot;.");
		const missing = await ada.post("/uber-fees", await fill({ driverId: "" }));
		expect(missing.status).toBe(400);
		expect(missing.text).toContain("Please fill in all required fields");
		const old = await insertFee(sql, 1, "ivan", today);
		const page = await ada.get(`/uber-fees?replace=${old}`);
		expect(formWith(page.text, BUTTON).fields.driverId).toBe(idOf("ivan"));
		expect(page.text).toContain("Ivan Inactive (DRV-0004), inactive");
	});
});
