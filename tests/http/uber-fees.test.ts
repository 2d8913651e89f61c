/**
 * Uber Fee Management without JavaScript (docs/product.md §2, §5, §7, §8, 'Uber fees' and 'Numbers,
 * money and dates').
 */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, addMonths, formatDate } from "../../app/values/calendar-date.ts";
import { formatDollars } from "../../app/values/money.ts";
import { formatPeriod } from "../../app/values/period.ts";
import { idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { BUTTON, feeForm } from "../support/fee-form.ts";
import { feeId, insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, rowButtonsIn } from "../support/forms.ts";
import { insertRequest } from "../support/requests.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const { fill, live, clear } = feeForm(fleet, ada);
beforeEach(clear);

/** A stat card's figure and note. */
const card = (text: string, label: string) => {
	const [, value = "", note = ""] =
		new RegExp(
			`>${label}</dt><dd[^>]*><span[^>]*>([^<]*)</span>(?:<span[^>]*>([^<]*)</span>)?`,
		).exec(text) ?? [];
	return [value, note];
};
/** The cells as text, row by row, of the table whose opening tag and caption end so. */
const table = (text: string, opening: string) => {
	const html = new RegExp(`<table[^>]*${opening}([\\s\\S]*?)</table>`).exec(text)?.[1] ?? "";
	const rows = html.split("<tbody")[1]?.match(/<tr[\s\S]*?<\/tr>/g) ?? [];
	return rows.map((row) =>
		[...row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
			cell.replace(/<[^>]+>/g, "|"),
		),
	);
};
const FEES = "><caption[^>]*>Uber fees</caption>";
const BREAKDOWN = ' aria-labelledby="breakdown"[^>]*>';

describe("the screen", () => {
	it("says so when there is nothing, and offers the active approved drivers, the four categories and today", async () => {
		const answer = await ada.get("/uber-fees");
		expect(answer.status).toBe(200);
		expect(costOf(answer).trips).toBe(1);
		const { text } = answer;
		expect(text).toContain(">Uber Fee Management</h1>");
		expect(text).toContain("No Uber fees recorded yet");
		expect(card(text, "Total Uber Fees")).toEqual(["$0.00", "All time"]);
		expect(card(text, "This Month")).toEqual([
			"$0.00",
			formatPeriod({ from: addDays(addMonths(today, -1), 1), to: today }),
		]);
		const form = formWith(text, BUTTON);
		expect(form.fields).toEqual({
			key: expect.stringMatching(/^[0-9a-f-]{36}$/),
			driverId: "",
			category: "",
			amount: "",
			date: today,
			referenceNumber: "",
			description: "",
		});
		expect(form.html).toContain('placeholder="UB-2024-001"');
		expect(form.html).toMatch(/inputMode="decimal"/i);
		expect(form.html).not.toMatch(/\srequired/);
		for (const name of ["dana", "omar", "lena", "ines"] as const)
			expect(form.html).toContain(`<option value="${idOf(name)}">`);
		for (const name of ["ivan", "nora", "rex", "ada"] as const)
			expect(form.html).not.toContain(idOf(name));
		for (const words of ["commission", "service fee", "booking fee", "other"])
			expect(form.html).toContain(`>${words}</option>`);
		expect(text).toContain('href="/uber-fees" class');
	});

	it("adds the fee, says so, and shows it with its driver, category and reference", async () => {
		const answer = await ada.post(
			"/uber-fees",
			await fill({ amount: "12,50", referenceNumber: "UB-2024-001", description: "Week <1>" }),
		);
		expect(answer.status).toBe(303);
		expect(costOf(answer).trips).toBe(2);
		const [fee] = await fleet.sql("select * from uber_fees");
		expect(fee).toMatchObject({
			driver_id: idOf("dana"),
			amount_cents: 1250,
			charged_on: today,
			added_by: idOf("ada"),
		});
		expect(answer.headers.get("Location")).toBe(`/uber-fees#fee-${fee?.id}`);
		const { text } = await ada.get("/uber-fees");
		expect(text).toContain("Uber fee added successfully");
		const [cells = []] = table(text, FEES);
		expect(cells[0]).toBe(formatDate(today));
		expect(cells[1]).toMatch(/Dana Driver[|]+Driver [|]*DRV-0001/);
		expect(cells[2]).toMatch(/service fee[|]+Week &lt;1&gt;/);
		expect(cells[3]).toBe("$12.50");
		expect(cells[4]).toBe("UB-2024-001");
		expect(text).toMatch(/<span class="capitalize">service fee<\/span>/);
		expect(card(text, "Total Uber Fees")[0]).toBe("$12.50");
	});

	it("shows a dash without a reference, the latest date first, and within a date the last added first", async () => {
		await insertFee(sql, 1, "dana", addDays(today, -2), { created_at: 7, reference_number: "R1" });
		await insertFee(sql, 4, "dana", addDays(today, -2), { created_at: 6 });
		await insertFee(sql, 2, "omar", today);
		await insertFee(sql, 3, "lena", addDays(today, -1), { reference_number: "R3" });
		const rows = table((await ada.get("/uber-fees")).text, FEES);
		expect(rows.map((row) => [row[0], row[4]])).toEqual([
			[formatDate(today), "-"],
			[formatDate(addDays(today, -1)), "R3"],
			[formatDate(addDays(today, -2)), "R1"],
			[formatDate(addDays(today, -2)), "-"],
		]);
	});

	it("shows every fee once, 25 per page", async () => {
		for (let number = 1; number <= 60; number++)
			await insertFee(sql, number, "dana", addDays(today, -(number % 7)), {
				created_at: number % 5,
			});
		const seen: string[] = [];
		let url: string | undefined = "/uber-fees";
		for (let page = 1; url; page++) {
			const { text }: Answer = await ada.get(url);
			const ids = [...text.matchAll(/<tr id="fee-([0-9a-f-]+)"/g)].map(([, id = ""]) => id);
			expect(ids).toHaveLength(page < 3 ? 25 : 10);
			seen.push(...ids);
			url = /href="([^"#]+)#fees"[^>]*>Next page/.exec(text)?.[1];
		}
		const all = await fleet.sql<{ id: string }>(
			"select id from uber_fees order by charged_on desc, created_at desc, id desc",
		);
		expect(seen).toEqual(all.map(({ id }) => id));
		expect((await ada.get("/uber-fees?after=2026-02-30_x")).status).toBe(200);
	});
});

describe("the figures", () => {
	it("count This Month from the day after the same day last month through today, and everything in the total", async () => {
		const from = addDays(addMonths(today, -1), 1);
		await insertFee(sql, 1, "dana", addDays(from, -1), { amount_cents: 100 });
		await insertFee(sql, 2, "dana", from, { amount_cents: 20 });
		await insertFee(sql, 3, "omar", today, { amount_cents: 3 });
		await insertFee(sql, 4, "omar", today, {
			amount_cents: 5000,
			deleted_at: 1,
			deleted_by: idOf("ada"),
		});
		const { text } = await ada.get("/uber-fees");
		expect(card(text, "This Month")).toEqual(["$0.23", formatPeriod({ from, to: today })]);
		expect(card(text, "Total Uber Fees")).toEqual(["$1.23", "All time"]);
	});

	it("break the total down into the four categories, and are on the overview", async () => {
		const categories = ["commission", "service_fee", "booking_fee"];
		for (let number = 1; number <= 12; number++)
			await insertFee(sql, number, number % 2 ? "dana" : "omar", addDays(today, -number * 20), {
				category: categories[number % 3] ?? "",
				amount_cents: number * 12_345,
			});
		await sql(
			"update uber_fees set deleted_at = 1, deleted_by = ? where id = ?",
			idOf("ada"),
			feeId(3),
		);
		const counted = await fleet.sql<{ category: string; cents: number; entries: number }>(
			"select category, sum(amount_cents) as cents, count(*) as entries from uber_fees where deleted_at is null group by category",
		);
		const { text } = await ada.get("/uber-fees");
		expect(text.split(">Fee Breakdown by Category<")).toHaveLength(2);
		const shown = table(text, BREAKDOWN);
		expect(shown.map((row) => row.map((cell) => cell.replaceAll("|", "")))).toEqual(
			["commission", "service_fee", "booking_fee", "other"].map((category) => {
				const found = counted.find((each) => each.category === category);
				return [
					category.replace("_", " "),
					String(found?.entries ?? 0),
					formatDollars(found?.cents ?? 0),
				];
			}),
		);
		// Below the list, the sum of all its pages.
		for (const [query, whose] of [
			["", ""],
			[`?driver=${idOf("dana")}`, `and driver_id = '${idOf("dana")}'`],
			[`?driver=${idOf("lena")}`, `and driver_id = '${idOf("lena")}'`],
		]) {
			const [all] = await fleet.sql<{ cents: number; entries: number }>(
				`select sum(amount_cents) as cents, count(*) as entries from uber_fees where deleted_at is null ${whose}`,
			);
			const { text } = await ada.get(`/uber-fees${query}`);
			if (all?.entries)
				expect(text).toContain(`>${all.entries} fees, ${formatDollars(all.cents)}</p>`);
			else expect(text).not.toMatch(/>\d+ fees, /);
		}
		await insertRequest(sql, 1, "dana");
		await insertRequest(sql, 2, "omar", {
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ada"),
		});
		const home = await ada.get("/");
		expect(costOf(home).trips).toBe(1);
		expect(
			[...home.text.matchAll(/<dt[^>]*>([^<]*)<\/dt>/g)].slice(0, 4).map(([, label]) => label),
		).toEqual(["Total Drivers", "Pending Requests", "Total Uber Fees", "Total Miles"]);
		expect(card(home.text, "Pending Requests")[0]).toBe("1");
		expect(card(home.text, "Total Uber Fees")).toEqual([
			formatDollars(counted.reduce((sum, { cents }) => sum + cents, 0)),
			"All time",
		]);
	});
});

describe("a refused form", () => {
	const REQUIRED = "Please fill in all required fields";
	it.each([
		["the driver is missing", { driverId: "" }, REQUIRED],
		["the category is missing", { category: "" }, REQUIRED],
		["the amount is missing", { amount: " " }, REQUIRED],
		["the date is missing", { date: "" }, "Enter the fee date"],
		["the date doesn't exist", { date: "2026-02-30" }, "Enter a valid date"],
		[
			"the date is in the future",
			{ date: addDays(today, 1) },
			"The date can&#x27;t be in the future",
		],
		["the amount is ambiguous", { amount: "1,250" }, "is ambiguous"],
		["the amount has three decimals", { amount: "1.255" }, "it can mean 1255.00 or 1.255."],
		["the amount is negative", { amount: "-5" }, "up to two decimals"],
		["the amount is zero", { amount: "0.00" }, "more than 0"],
		["the amount is too large", { amount: "100000.01" }, "no more than 100,000.00"],
		["the category doesn't exist", { category: "service fee" }, "Select a fee category"],
		["the driver isn't approved", { driverId: idOf("nora") }, "Select an approved driver"],
		["the driver is an administrator", { driverId: idOf("ada") }, "Select an approved driver"],
		[
			"the reference is too long",
			{ referenceNumber: "x".repeat(101) },
			"Use 100 characters or fewer",
		],
	])(
		"because %s is explained, keeps what was typed and stores nothing",
		async (_, typed: Record<string, string>, message) => {
			const fields = await fill({ description: "Kept words", referenceNumber: "UB-1", ...typed });
			const answer = await ada.post("/uber-fees", fields);
			expect(answer.status).toBe(400);
			expect(answer.text).toContain(message);
			expect(answer.text).toMatch(/id="problems" (?:role="alert"|tabindex="-1")/);
			const kept = formWith(answer.text, BUTTON);
			// A select shows an unknown category as none, and a field is cut to what it can hold.
			const referenceNumber = fields.referenceNumber?.slice(0, 100);
			expect(kept.fields).toEqual({
				...fields,
				referenceNumber,
				...(typed.category ? { category: "" } : {}),
			});
			expect(kept.html).toContain('aria-invalid="true"');
			expect(await live()).toEqual([]);
		},
	);

	it("returns the same fee for a resend, and refuses its key with other values", async () => {
		const fields = await fill();
		const first = await ada.post("/uber-fees", fields);
		const again = await ada.post("/uber-fees", fields);
		expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
		expect((await ada.get("/uber-fees")).text).toContain("Already received");
		const changed = await ada.post("/uber-fees", { ...fields, amount: "13" });
		expect(changed.status).toBe(409);
		expect(changed.text).toContain("Failed to add Uber fee");
		const kept = formWith(changed.text, BUTTON).fields;
		expect(kept).toEqual({
			...fields,
			amount: "13",
			key: expect.not.stringMatching(fields.key ?? ""),
		});
		expect((await ada.post("/uber-fees", kept)).status).toBe(303);
		expect(await live()).toHaveLength(2);
	});

	it.each([
		["added", "Failed to add Uber fee", () => fill({ description: "Do not lose me" })],
		[
			"deleted",
			"Failed to delete Uber fee",
			async () => ({ intent: "delete", id: await insertFee(sql, 1, "dana", today) }),
		],
	])("keeps everything when the database fails and nothing is %s", async (_, words, make) => {
		const fields: Record<string, string> = await make();
		await sql("alter table uber_fees rename to hidden");
		const answer = await ada.post("/uber-fees", fields, { mayFail: true });
		await sql("alter table hidden rename to uber_fees");
		expect(answer.status).toBe(503);
		expect(answer.text).toContain(words);
		const again = formWith(answer.text, "Send again").fields;
		expect(again).toEqual(fields);
		expect(fleet.takeErrors()).toHaveLength(1);
		expect((await ada.post("/uber-fees", again)).status).toBe(303);
	});
});

describe("the dialogs", () => {
	/** The URL that a row's dialog button opens. */
	const urlOf = (text: string, dialog: string) =>
		rowButtonsIn(text).find((button) => button.dialog === dialog)?.address ?? "";

	it("ask for confirmation before deleting a fee, and say when it is already deleted", async () => {
		const id = await insertFee(sql, 1, "dana", today, {
			category: "booking_fee",
			amount_cents: 123_450,
		});
		const dialog = await ada.get(urlOf((await ada.get("/uber-fees")).text, "delete"));
		expect(costOf(dialog).trips).toBe(1);
		expect(dialog.text).toContain(
			"Are you sure you want to delete this booking fee fee of $1,234.50?",
		);
		const { fields, action } = formWith(dialog.text, 'name="intent" value="delete"');
		expect(fields).toEqual({ intent: "delete", id });
		const answer = await ada.post(action, fields);
		expect([answer.status, answer.headers.get("Location"), costOf(answer).trips]).toEqual([
			303,
			"/uber-fees#fees",
			2,
		]);
		const page = await ada.get("/uber-fees");
		expect(page.text).toContain("Uber fee deleted successfully");
		expect(page.text).toContain("No Uber fees recorded yet");
		expect(card(page.text, "Total Uber Fees")[0]).toBe("$0.00");
		expect(await fleet.sql("select deleted_by from uber_fees where id = ?", id)).toEqual([
			{ deleted_by: idOf("ada") },
		]);
		const again = await ada.post(action, fields);
		expect(again.status).toBe(404);
		expect(again.text).toContain("Failed to delete Uber fee");
		expect((await ada.post("/uber-fees", { intent: "delete", id: "1' or 1=1" })).status).toBe(404);
		expect((await ada.get(`/uber-fees?dialog=delete&id=${id}`)).text).not.toContain("<dialog");
	});

	it("say that editing is not implemented, and lead to a form with the fee's values that replaces it in one step", async () => {
		const old = await insertFee(sql, 1, "ivan", addDays(today, -3), {
			category: "booking_fee",
			amount_cents: 9000,
			reference_number: "UB-7",
			description: "Two\nlines",
		});
		const dialog = await ada.get(urlOf((await ada.get("/uber-fees")).text, "edit"));
		expect(dialog.text).toContain(
			"Editing is not implemented yet. Please delete and re-add this fee.",
		);
		const [, filled = ""] = /href="([^"#]*replace=[^"#]*)#add"/.exec(dialog.text) ?? [];
		const page = await ada.get(filled);
		expect(costOf(page).trips).toBe(1);
		const { fields, action } = formWith(page.text, BUTTON);
		// The driver is inactive but still selected.
		expect(fields).toMatchObject({
			driverId: idOf("ivan"),
			category: "booking_fee",
			amount: "90.00",
			date: addDays(today, -3),
			referenceNumber: "UB-7",
			description: "Two\nlines",
			replacesId: old,
		});
		const refused = await ada.post(action, { ...fields, amount: "" });
		expect(formWith(refused.text, BUTTON).fields).toEqual({ ...fields, amount: "" });
		const answer = await ada.post(action, { ...fields, amount: "9.00" });
		expect([answer.status, costOf(answer).trips]).toEqual([303, 2]);
		expect((await ada.get("/uber-fees")).text).toContain(
			"Uber fee added successfully. The previous one was deleted.",
		);
		const [fee, ...others] = await live();
		expect([fee?.amount_cents, others]).toEqual([900, []]);
		expect(
			await fleet.sql("select driver_id, replaces_id from uber_fees where id = ?", fee?.id),
		).toEqual([{ driver_id: idOf("ivan"), replaces_id: old }]);
	});

	it("offer only to delete a fee of a driver about whom nothing new is recorded", async () => {
		const old = await insertFee(sql, 1, "ivan", addDays(today, -3));
		const set = (value: number | null) =>
			sql("update users set pseudonymized_at = ? where id = ?", value, idOf("ivan"));
		await set(1);
		const dialog = (await ada.get(urlOf((await ada.get("/uber-fees")).text, "edit"))).text;
		expect(dialog).toContain(
			"Editing is not implemented yet. Nothing can be added for this driver anymore, so this fee can only be deleted.",
		);
		expect(dialog).not.toMatch(/re-add/i);
		const page = (await ada.get(`/uber-fees?replace=${old}`)).text;
		expect(formWith(page, BUTTON).fields).toMatchObject({ amount: "", driverId: "" });
		await set(null);
	});

	it("return to the list that they were opened from", async () => {
		for (let number = 1; number <= 26; number++) await insertFee(sql, number, "dana", today);
		await insertFee(sql, 28, "omar", today);
		const list = `/uber-fees?driver=${idOf("dana")}`;
		const link = (html: string, found: RegExp) => found.exec(html)?.[1]?.replaceAll("&amp;", "&");
		const later = link((await ada.get(list)).text, /href="([^"#]+)#fees"[^>]*>Next page</) ?? "";
		expect(later).toContain(`${list}&after=`);
		const dialog = await ada.get(urlOf((await ada.get(later)).text, "edit"));
		const filled = link(dialog.text, /href="([^"#]*replace=[^"#]*)#add"/) ?? "";
		const { text } = await ada.get(filled);
		const { fields, action } = formWith(text, BUTTON);
		expect(link(text, /href="([^"]+)"[^>]*>Keep old fee/)).toBe(
			`${later}#fee-${fields.replacesId}`,
		);
		const replaced = await ada.post(action, fields);
		const [fee] = await fleet.sql<{ id: string }>(
			"select id from uber_fees where replaces_id = ?",
			fields.replacesId,
		);
		const [there = "", row] = replaced.headers.get("Location")?.split("#") ?? [];
		expect(there).toContain(`${list}&after=`);
		expect(row).toBe(`fee-${fee?.id}`);
		expect((await ada.get(there)).text).toContain(`id="${row}"`);
		// A new one is among the newest, whoever's they are.
		for (const [driver, at] of [
			["dana", list],
			["omar", "/uber-fees"],
		] as const) {
			const add = formWith((await ada.get(later)).text, BUTTON);
			const added = await ada.post(add.action, {
				...add.fields,
				driverId: idOf(driver),
				category: "other",
				amount: "1.00",
			});
			expect(added.headers.get("Location")?.split("#")[0]).toBe(at);
		}
	});

	it("offer to add a deleted fee as a new one", async () => {
		const old = await insertFee(sql, 1, "dana", today);
		const { fields } = formWith((await ada.get(`/uber-fees?replace=${old}`)).text, BUTTON);
		await ada.call("DELETE", `/api/uber-fees/${old}`);
		const answer = await ada.post("/uber-fees", fields);
		expect(answer.status).toBe(409);
		expect(answer.text).toContain("has been deleted");
		expect(await live()).toEqual([]);
		const fresh = formWith(answer.text, BUTTON).fields;
		const { replacesId: _, ...rest } = fields;
		expect(fresh).toEqual(rest);
		expect((await ada.post("/uber-fees", fresh)).status).toBe(303);
		expect(await live()).toHaveLength(1);
	});
});
