/** Importing a fee statement without JavaScript: upload, preview, import, undo. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, formatDate } from "../../app/values/calendar-date.ts";
import { idOf } from "../support/cast.ts";
import { textOf } from "../support/drivers.ts";
import {
	canImport,
	feeImporter,
	importForm,
	LAST_YEAR,
	STATEMENT,
	typed,
} from "../support/fee-imports.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith, multipart } from "../support/forms.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const PATH = "/uber-fees/import";
const { upload, send, fees, totals, recounted, clear } = feeImporter(fleet, ada);
beforeEach(clear);

const fates = ({ text }: Answer) =>
	[...text.matchAll(/<tr id="statement-(\d+)">([\s\S]*?)<\/tr>/g)].map(([, number, row = ""]) => {
		const cells = [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) =>
			cell
				.replace(/<[^>]+>/g, "|")
				.replace(/^\|+|\|+$/g, "")
				.replace(/\|+/g, ": "),
		);
		return [Number(number), ...cells];
	});
describe("an import", () => {
	it("shows what each row becomes, writes nothing, then adds every fee with its import", async () => {
		const page = await ada.get(PATH);
		expect(page.text).toContain("No statements imported yet");
		expect((await ada.get("/uber-fees")).text).toContain("Import a statement");
		const preview = await upload(STATEMENT);
		expect(preview.status).toBe(200);
		expect(textOf(preview.text)).toContain(
			"Its column names are none of those in Uber's or Bolt's statements. Its rows are read by the columns below.",
		);
		expect(fates(preview)).toEqual([
			[
				2,
				"Dana Driver (DRV-0001)",
				"commission",
				"$12.50",
				formatDate(today),
				"UB-1",
				"Will be added",
			],
			[
				3,
				"Omar Okafor (DRV-0002)",
				"service fee",
				"$1,234.50",
				formatDate(today),
				"UB-2",
				"Will be added",
			],
			[
				4,
				"Łena Nguyễn (DRV-0003)",
				"booking fee",
				"$3.00",
				formatDate(LAST_YEAR),
				"UB-3",
				"Will be added",
			],
		]);
		expect(preview.text).toContain(
			"3 fees will be added, $1,250.00. 0 rows will be skipped. 0 rows have a problem.",
		);
		expect(await fees()).toEqual([]);

		const answer = await send(importForm(preview));
		expect(answer.status).toBe(303);
		const [made] = await fleet.sql("select * from fee_imports");
		expect(made).toMatchObject({ added_by: idOf("ada"), file_name: "november.csv", row_count: 3 });
		expect(answer.headers.get("Location")).toBe(`${PATH}#import-${made?.id}`);
		expect(await fees()).toEqual([
			{
				driver_id: idOf("dana"),
				category: "commission",
				amount_cents: 1250,
				charged_on: today,
				reference_number: "UB-1",
				description: 'Airport, "express"',
			},
			{
				driver_id: idOf("omar"),
				category: "service_fee",
				amount_cents: 123_450,
				charged_on: today,
				reference_number: "UB-2",
				description: null,
			},
			{
				driver_id: idOf("lena"),
				category: "booking_fee",
				amount_cents: 300,
				charged_on: LAST_YEAR,
				reference_number: "UB-3",
				description: "Late",
			},
		]);
		expect(await fleet.sql("select distinct import_id, added_by from uber_fees")).toEqual([
			{ import_id: made?.id, added_by: idOf("ada") },
		]);
		expect(await totals()).toEqual(await recounted());
		const list = await ada.get(PATH);
		expect(list.text).toContain("3 Uber fees imported successfully");
		expect(list.text).toContain("november.csv");
		const audit = await ada.get("/audit?kind=fee.import");
		expect(audit.text.replace(/<[^>]+>/g, "")).toContain(
			"Ada Admin imported the fee statement november.csv",
		);
		expect(audit.text.replace(/<[^>]+>/g, "")).toContain("Amount: $1,250.00");
	});

	it.each([
		[
			"semicolons and a byte order mark",
			`\ufeffdriver;category;amount;date\nDRV-0001;other;12,50;${today}\n`,
		],
		[
			"tabs and empty rows",
			`driver\tcategory\tamount\tdate\n\n\t\t\t\nDRV-0001\tOther fee\t12.5\t${today}\n\n`,
		],
		[
			"columns in another order and with other names",
			`E-Mail,Charge Date,Fee Amount,Fee Category\nDANA@milepost.test,${today},12.50,UBER OTHER\n`,
		],
		["dollar signs", `driver,category,amount,date\nDRV-0001,other,$12.50,${today}\n`],
		["the last name first", `Driver name;Type;Total;Date\n"driver,  dana";other;12.50;${today}`],
	])("reads %s", async (_, text) => {
		const preview = await upload(text);
		expect((await send(importForm(preview))).status).toBe(303);
		expect(await fees()).toEqual([
			{
				driver_id: idOf("dana"),
				category: "other",
				amount_cents: 1250,
				charged_on: today,
				reference_number: null,
				description: null,
			},
		]);
		expect(preview.text).toContain(
			"1 fee has no reference number, so duplicates can&#x27;t be detected.",
		);
		expect((await upload(text)).text).toContain("These same fees were imported by Ada Admin on");
	});

	it("asks before it adds a fee that was added by hand", async () => {
		const file = `Driver,Category,Amount,Date\nDRV-0001,other,5.00,${today}\nDRV-0001,other,6.00,${today}`;
		await insertFee(sql, 1, "dana", today, { category: "other", amount_cents: 500 });
		const preview = await upload(file);
		expect(fates(preview).map((row) => row.join("|").includes("The same fee was added"))).toEqual([
			true,
			false,
		]);
		const asked = await send(importForm(preview));
		expect(asked.status).toBe(409);
		expect(asked.text).toContain("Select Import again to import them anyway.");
		expect(await fees()).toHaveLength(1);
		const form = importForm(asked);
		expect((await send(form)).status).toBe(303);
		expect(await fees()).toHaveLength(3);
		// Sent again by mistake.
		expect((await send(form)).status).toBe(303);
		const { overlap, ...first } = form;
		expect([overlap, (await send(first)).status]).toEqual(["yes", 303]);
		expect(await fees()).toHaveLength(3);
	});

	it("asks also when only one of the two has a reference number", async () => {
		const rows = ["DRV-0001,other,5.00,R-1", "DRV-0001,other,6.00,R-2"];
		const file = ["Driver,Category,Amount,Reference,Date", ...rows.map((row) => `${row},${today}`)];
		await insertFee(sql, 1, "dana", today, { category: "other", amount_cents: 500 });
		await insertFee(sql, 2, "dana", today, {
			...{ category: "other", amount_cents: 600, reference_number: "R-9" },
		});
		const preview = await upload(file.join("\n"));
		expect(fates(preview).map((row) => row.join("|").includes("The same fee was added"))).toEqual([
			true,
			false,
		]);
		expect((await send(importForm(preview))).status).toBe(409);
	});

	it("flags a driver who is inactive", async () => {
		await sql("update users set is_active = 0 where id = ?", idOf("omar"));
		const rows = [1, 2].map((number) => `DRV-000${number},other,5.00,${today}`);
		const preview = await upload(["Driver,Category,Amount,Date", ...rows].join("\n"));
		await sql("update users set is_active = 1 where id = ?", idOf("omar"));
		expect(fates(preview).map((row) => row.join("|").includes(", inactive"))).toEqual([
			false,
			true,
		]);
	});

	it("reads grouped thousands when the cents make them unambiguous", async () => {
		const rows = [`DRV-0001,other,"$1,234.50",${today}`, `DRV-0001,other,"12,345.00",${today}`];
		const preview = await upload(`driver,category,amount,date\n${rows.join("\n")}`);
		expect(preview.text).toContain("2 fees will be added, $13,579.50.");
	});

	it("lets you choose the columns, and one category for all rows", async () => {
		const preview = await upload(`Who,When,How much,Number\nDRV-0001,${today},7,A-1`);
		expect(preview.text).toContain("Select a column for Driver");
		expect(canImport(preview)).toBe(false);
		const columns = formWith(preview.text, "Update preview").fields;
		const again = await send({
			...columns,
			driverColumn: "0",
			dateColumn: "1",
			amountColumn: "2",
			referenceColumn: "3",
			categoryColumn: "always-booking_fee",
		});
		expect(formWith(again.text, "Update preview").fields).toMatchObject({
			driverColumn: "0",
			categoryColumn: "always-booking_fee",
		});
		expect((await send(importForm(again))).status).toBe(303);
		expect(await fees()).toMatchObject([
			{ category: "booking_fee", amount_cents: 700, reference_number: "A-1" },
		]);
		const nonsense = await send({
			...columns,
			driverColumn: "59",
			amountColumn: "-1",
			dateColumn: "1e1",
		});
		expect(nonsense.text).toContain("Select a column for Driver");
	});

	it("skips recorded and repeated rows, and adds two fees for the same trip", async () => {
		await insertFee(sql, 1, "dana", LAST_YEAR, {
			...{ reference_number: "UB-1", category: "commission", amount_cents: 500 },
		});
		await insertFee(sql, 2, "dana", LAST_YEAR, {
			reference_number: "UB-9",
			deleted_at: 1,
			deleted_by: idOf("ada"),
		});
		const head = "reference,driver,category,amount,date";
		const rows = [
			`UB-1,Somebody Gone,commission,5,${LAST_YEAR}`,
			`UB-9,DRV-0001,commission,5,${LAST_YEAR}`,
			`UB-9,DRV-0001,commission,5.00,${typed(LAST_YEAR)}`,
			`UB-9,DRV-0001,booking fee,1,${LAST_YEAR}`,
		];
		const preview = await upload([head, ...rows].join("\n"));
		expect(fates(preview).map((row) => [row[0], row.at(-1)])).toEqual([
			[2, "Skipped: This reference number is already recorded"],
			[3, "Will be added"],
			[4, "Skipped: Duplicate of row 3"],
			[5, "Will be added"],
		]);
		await send(importForm(preview));
		expect(
			(await fees()).map(({ reference_number, category }) => [reference_number, category]),
		).toEqual([
			["UB-1", "commission"],
			["UB-9", "commission"],
			["UB-9", "booking_fee"],
		]);
	});
});

describe("a statement that can't be imported", () => {
	const one = (cells: string) => `driver,category,amount,date,reference\n${cells}`;
	it.each([
		["an unknown driver ID", "DRV-0999,other,1,2026-01-01,", "No driver has the ID DRV-0999"],
		[
			"an unknown email",
			"x@y.test,other,1,2026-01-01,",
			"No approved driver has the email x@y.test",
		],
		[
			"a driver who isn't approved",
			"Nora Newcomer,other,1,2026-01-01,",
			"No approved driver is named Nora Newcomer",
		],
		["no driver", ",other,1,2026-01-01,", "Driver is missing"],
		[
			"an unknown category",
			"DRV-0001,tips,1,2026-01-01,",
			"&quot;tips&quot; isn&#x27;t a fee category. Use commission, service fee, booking fee or other",
		],
		["no category", "DRV-0001,,1,2026-01-01,", "Category is missing"],
		["an ambiguous amount", 'DRV-0001,other,"1,250",2026-01-01,', "is ambiguous"],
		["an ambiguous amount in dollars", 'DRV-0001,other,"$1,250",2026-01-01,', "is ambiguous"],
		[
			"an amount with misplaced separators",
			'DRV-0001,other,"12,50.00",2026-01-01,',
			"with up to two decimals",
		],
		["a credit too large", "DRV-0001,other,-100000.01,2026-01-01,", "no more than 100,000.00"],
		["an amount with two signs", "DRV-0001,other,--5,2026-01-01,", "with up to two decimals"],
		["no amount", "DRV-0001,other,,2026-01-01,", "Amount is missing"],
		["an amount too large", "DRV-0001,other,100000.01,2026-01-01,", "no more than 100,000.00"],
		["an impossible date", "DRV-0001,other,1,2/30/2026,", "Enter a valid date"],
		["a date in no order", "DRV-0001,other,1,13/13/2026,", "Enter a valid date"],
		["no date", "DRV-0001,other,1,,", "Date is missing"],
		[
			"a date in the future",
			`DRV-0001,other,1,${addDays(today, 1)},`,
			"The date can&#x27;t be in the future",
		],
		[
			"a reference too long",
			`DRV-0001,other,1,2026-01-01,${"x".repeat(101)}`,
			"Use 100 characters or fewer",
		],
	])(
		"because of %s: names the row and the reason, and imports nothing",
		async (_, cells, words) => {
			const preview = await upload(one(`DRV-0002,other,1,2026-01-01,OK-1\n${cells}`));
			expect(preview.status).toBe(200);
			expect(preview.text).toContain(`Row 3: `);
			expect(preview.text).toContain(words);
			expect(canImport(preview)).toBe(false);
			// Sending the form anyway gets the same answer.
			const forced = await send(importForm(preview));
			expect(forced.status).toBe(400);
			expect(forced.text).toContain(words);
			expect([await fees(), await fleet.sql("select * from fee_imports")]).toEqual([[], []]);
		},
	);

	it("asks for the driver ID when two drivers have the same name", async () => {
		await sql(
			"insert into users (id, role, first_name, last_name, approval_status, driver_number, created_at) values (?, 'driver', 'DANA', 'Driver', 'approved', 90, 1)",
			"70000000-0000-4000-8000-000000000001",
		);
		expect((await upload(one("Dana Driver,other,1,2026-01-01,"))).text).toContain(
			"More than one driver is named Dana Driver. Use the driver ID",
		);
		await sql("delete from users where id like '70000000-%'");
	});

	const rows = (count: number) =>
		`driver,category,amount,date\n${`DRV-0001,other,1,2026-01-01\n`.repeat(count)}`;
	it.each<[string, string | Uint8Array, string, number?]>([
		["is empty", "", "Choose a CSV file"],
		["has only a header", "driver,category,amount,date\n", "no data rows"],
		["isn't text", new Uint8Array([0x41, 0x2c, 0x03, 0x04, 0xff, 0xfe]), "UTF-8 text", 422],
		["is UTF-16 and empty", new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0]), "no data rows"],
		["holds invisible characters", "driver,amount\nx\u0000y,1\n", "UTF-8 text", 422],
		["has too many rows", rows(2001), "up to 2,000 rows"],
		[
			"has rows after thousands of empty ones",
			`${rows(1500)}${",,\n".repeat(7000)}Dana,commission,1,2026-11-02\n`,
			"up to 2,000 rows",
		],
		["is too large", `driver\n${"x".repeat(1024 * 1024)}`, "over 1 MB"],
		["has too many columns", `${"a,".repeat(61)}\n1`, "more than 60 columns"],
		["has an open quotation mark", `driver,amount\n"Dana,1\n`, "has an unclosed quotation mark"],
	])("because the file %s", async (_, file, words, status = 400) => {
		const answer =
			typeof file === "string" && file === ""
				? await ada.request(PATH, await multipart({ intent: "upload" }, undefined, "file"))
				: await upload(file);
		expect(answer.status).toBe(status);
		expect(answer.text).toContain(words);
		expect(answer.text).toContain("Failed to import Uber fees");
		expect(await fleet.sql("select * from fee_imports")).toEqual([]);
	});

	it("ignores any number of empty rows at the end", async () => {
		const answer = await upload(`${rows(3)}${",,,\n".repeat(12_000)}`);
		expect(answer.status).toBe(200);
		expect(fates(answer)).toHaveLength(3);
	});

	it("accepts 2,000 rows at once", async () => {
		const body = Array.from(
			{ length: 2000 },
			(_, row) =>
				`DRV-000${(row % 3) + 1},other,${row + 1}.01,2026-01-01,BULK-${row},"Line ""${row}"""`,
		);
		const preview = await upload(
			`driver,category,amount,date,reference,description\n${body.join("\n")}`,
		);
		expect(fates(preview)).toHaveLength(2000);
		expect((await send(importForm(preview))).status).toBe(303);
		expect(
			await fleet.sql("select count(*) as n, sum(amount_cents) as cents from uber_fees"),
		).toEqual([{ n: 2000, cents: 2000 * 2001 * 50 + 2000 }]);
		expect(await totals()).toEqual(await recounted());
		const id = (await fleet.sql<{ id: string }>("select id from fee_imports"))[0]?.id ?? "";
		expect((await ada.post(PATH, { intent: "undo", id })).status).toBe(303);
		expect(await totals()).toEqual(await recounted());
	});

	it("ignores values that were changed in the preview, and answers an empty form", async () => {
		const preview = await upload(STATEMENT);
		const form = importForm(preview);
		const forged = await send({
			...form,
			csv: "driver,category,amount,date\nDRV-0777,other,1,2026-01-01",
			fileName: "../../<b>\u202e.csv",
		});
		expect(forged.status).toBe(400);
		expect((await send({ intent: "import" })).status).toBe(400);
		expect((await ada.post(PATH, {})).status).toBe(400);
		expect((await ada.post(PATH, { intent: "undo", id: "1' or 1=1" })).status).toBe(404);
		expect(await fees()).toEqual([]);
	});
});
