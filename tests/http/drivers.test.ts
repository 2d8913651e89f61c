/**
 * Driver Management without JavaScript: which list each person is in, and the dialogs
 * (docs/product.md §2, §8).
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { BYTES } from "../support/budgets.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { insertDriver, sectionOf, textOf } from "../support/drivers.ts";
import { formWith } from "../support/forms.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

describe("the screen", () => {
	it("shows everyone in the right list, in one round trip", async () => {
		const page = await ada.get("/drivers");
		expect(page.status).toBe(200);
		expect(costOf(page).trips).toBe(1);
		expect(page.text).toContain(">Driver Management</h1>");
		expect(page.text).toContain("1 pending application<");
		expect(formWith(page.text, "Add Driver")).toMatchObject({
			action: "/drivers",
			fields: { dialog: "add-driver" },
		});
		expect(formWith(page.text, "Create Admin")).toMatchObject({
			action: "/drivers",
			fields: { dialog: "create-admin" },
		});
		const pending = textOf(sectionOf(page, "Pending Approvals"));
		expect(pending).toMatch(
			/Nora Newcomer nora@milepost\.test Applied [A-Z][a-z]{2} \d{1,2}, \d{4} Approve Nora Newcomer Reject Nora Newcomer/,
		);
		expect(pending).not.toContain("nina@");
		const active = textOf(sectionOf(page, "Active Drivers"));
		expect(active).toMatch(
			/DRV-0001 Dana Driver dana@milepost\.test [A-Z][a-z]{2} \d{1,2}, \d{4} Active Rename Dana Driver Delete Dana Driver/,
		);
		expect(active).toMatch(
			/Inès Invited .* Invited expires .* Send again Inès Invited Cancel Inès Invited/,
		);
		expect(active).not.toContain("Ivan");
		expect(textOf(sectionOf(page, "Inactive Drivers"))).toMatch(
			/DRV-0004 Ivan Inactive .* Activate Ivan Inactive/,
		);
		expect(textOf(sectionOf(page, "Rejected"))).toMatch(/Rex Refused .* Approve Rex Refused/);
		const administrators = textOf(sectionOf(page, "Administrators"));
		expect(administrators).toContain("Deactivate Ben Backup");
		expect(administrators).not.toContain("Deactivate Ada");
		expect(page.text).not.toMatch(/ style="|<script(?![^>]* src=)| on\w+="/);
	});

	it("says the title of each list once", async () => {
		const { text } = await ada.get("/drivers");
		for (const title of ["Pending Approvals", "Active Drivers", "Inactive Drivers"])
			expect(text.split(`>${title}<`), title).toHaveLength(2);
	});

	it("stays within its byte budget, styles included", async () => {
		const page = await ada.get("/drivers");
		expect(page.styles.length).toBeGreaterThan(1000);
		expect(gzipSync(page.styles + page.text).length).toBeLessThanOrEqual(BYTES.adminPage);
	});

	it("shows N/A and Legacy for what isn't known", async () => {
		const id = await insertDriver(sql, { approved_at: null, driver_number: null });
		expect(textOf(sectionOf(await ada.get("/drivers"), "Active Drivers"))).toMatch(
			/N\/A Sam Stranger\d+ sam\d+@milepost\.test Legacy Active/,
		);
		await fleet.sql("update users set deleted_at = 1, is_active = 0 where id = ?", id);
	});

	it("says what to do when a list is empty", async () => {
		const lonely = await openFleet({ seed: "admin" });
		const page = await (await lonely.as("ada")).get("/drivers");
		for (const words of [
			"0 pending applications",
			"No pending driver applications",
			"No active drivers",
		])
			expect(page.text).toContain(words);
		for (const title of ["Inactive Drivers", "Rejected"]) expect(sectionOf(page, title)).toBe("");
		expect(page.text).not.toContain("Inactive Drivers");
	});
});

describe("dialogs", () => {
	it.each([
		["add-driver", "Add Driver"],
		["create-admin", "Create Admin"],
	])("%s is an open dialog with three required fields", async (name, title) => {
		const { text } = await ada.get(`/drivers?dialog=${name}`);
		const dialog = /<dialog open="" class="sheet.*<\/dialog>/s.exec(text)?.[0] ?? "";
		expect(dialog).toContain('data-modal="/drivers"');
		expect(dialog).toContain(`>${title}</h2>`);
		expect(dialog).toContain('data-complete-first=""');
		expect(dialog).toMatch(
			/<label for="email"[^>]*>Email<\/label><\/span><input type="email"[^>]*name="email"[^>]*required=""/,
		);
		for (const [field, label] of [
			["firstName", "First Name"],
			["lastName", "Last Name"],
		])
			expect(dialog).toMatch(
				new RegExp(
					`<label for="${field}"[^>]*>${label}</label></span><input type="text"[^>]*name="${field}"[^>]*required=""`,
				),
			);
		expect(dialog).toMatch(/data-pending="Creating\.\.\."[^>]*>Create<\/button>/);
		expect(dialog).toMatch(
			/<button type="submit"[^>]* form="([\w-]+)-close">Cancel<\/button>[\s\S]*<form id="\1-close" method="get" action="\/drivers">/,
		);
	});

	it("asks for confirmation before deleting a driver or deactivating an administrator", async () => {
		const remove = await ada.get(`/drivers?dialog=delete&id=${idOf("dana")}`);
		expect(costOf(remove).trips).toBe(1);
		expect(remove.text).toContain(">Delete Driver</h2>");
		expect(remove.text).toContain(
			"Are you sure you want to delete Dana Driver? This action will deactivate the driver and cannot be undone.",
		);
		expect(remove.text).toContain("You can activate them again under Inactive Drivers.");
		const deactivate = await ada.get(`/drivers?dialog=deactivate&id=${idOf("ben")}`);
		expect(deactivate.text).toContain("Are you sure you want to deactivate Ben Backup?");
	});

	it("ignores an unknown dialog or person", async () => {
		const nobody = "99999999-9999-4999-8999-999999999999";
		for (const query of [
			"dialog=nonsense",
			`dialog=delete&id=${nobody}`,
			`dialog=delete&id=${idOf("ben")}`,
			"dialog=delete&id=%00",
			`dialog=deactivate&id=${idOf("dana")}`,
		]) {
			const page = await ada.get(`/drivers?${query}`);
			expect(page.status).toBe(200);
			expect(page.text).not.toContain('class="sheet');
		}
	});
});
