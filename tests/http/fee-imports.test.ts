/** Importing a file with columns of its own without JavaScript: upload, preview, import. */
import { beforeEach, describe, expect, it } from "vitest";
import { formatDate } from "../../app/values/calendar-date.ts";
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
import { multipart } from "../support/forms.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const PATH = "/uber-fees/import";
const { upload, send, fees, totals, recounted, clear } = feeImporter(fleet, ada);
beforeEach(clear);

/** The cells of a table on the page, by its caption. */
const tableOf = ({ text }: Answer, caption: string) => {
	const [, table = ""] = text.split(`${caption}</caption>`);
	const [, body = ""] = /<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(table) ?? [];
	return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
		[...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
			textOf(cell.replace(/<[^>]+>/g, " ")).trim(),
		),
	);
};
const feesOf = (answer: Answer) => tableOf(answer, "Fees of the statement");
const leftOut = (answer: Answer) => tableOf(answer, "Rows that aren&#x27;t fees");

describe("an import", () => {
	it("shows what each row becomes, writes nothing, then adds every fee with its import", async () => {
		const page = await ada.get(PATH);
		expect(page.text).toContain("No statements imported yet");
		expect((await ada.get("/uber-fees")).text).toContain("Import a statement");
		const preview = await upload(STATEMENT);
		expect(textOf(preview.text)).toContain(
			"Its column names are none of those in Uber's or Bolt's statements. Its rows are read by the columns below.",
		);
		expect(feesOf(preview).map((row) => row.slice(1))).toEqual([
			["Dana Driver (DRV-0001)", formatDate(today), "commission", "$12.50", "Will be added"],
			["Omar Okafor (DRV-0002)", formatDate(today), "service fee", "$1,234.50", "Will be added"],
			[
				...["Łena Nguyễn (DRV-0003)", formatDate(LAST_YEAR), "booking fee", "$3.00"],
				"Will be added",
			],
		]);
		expect(feesOf(preview)[1]?.[0]).toMatch(/^omar@milepost\.test\s+Row 3 · UB-2$/);
		expect(preview.text).toContain("3 fees, $1,250.00, are ready.");
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
		expect((await send(importForm(await upload(text)))).status).toBe(303);
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
	});

	it("asks before it adds a fee that was added by hand", async () => {
		const file = `Driver,Category,Amount,Date\nDRV-0001,other,5.00,${today}\nDRV-0001,other,6.00,${today}`;
		await insertFee(sql, 1, "dana", today, { category: "other", amount_cents: 500 });
		const preview = await upload(file);
		expect(feesOf(preview).map((row) => row.at(-1)?.includes("was added before"))).toEqual([
			true,
			false,
		]);
		const { overlap, ...form } = importForm(preview);
		expect(overlap).toBe("yes");
		expect((await send(form)).status).toBe(409);
		expect(await fees()).toHaveLength(1);
		expect((await send({ ...form, overlap: "yes" })).status).toBe(303);
		expect(await fees()).toHaveLength(3);
		expect((await send({ ...form, overlap: "yes" })).status).toBe(303);
		expect(await fees()).toHaveLength(3);
	});

	it("lets you choose the columns, and one category for all rows", async () => {
		const preview = await upload(`Who,When,How much,Number\nDRV-0001,${today},7,A-1`);
		expect(preview.text).toContain("Select a column for Driver");
		expect(preview.text).not.toContain("This statement has no fees to import.");
		expect(preview.text).toContain("Its fees can be read once you&#x27;ve selected their columns.");
		expect(canImport(preview)).toBe(false);
		const form = importForm(preview, "answer");
		const nonsense = { driverColumn: "59", amountColumn: "-1", dateColumn: "1e1" };
		const asked = await send({ ...form, ...nonsense });
		expect((await ada.get(asked.headers.get("Location") ?? "")).text).toContain(
			"Select a column for Amount",
		);
		const chosen = {
			driverColumn: "0",
			dateColumn: "1",
			amountColumn: "2",
			referenceColumn: "3",
			categoryColumn: "always-booking_fee",
		};
		const answer = await send({ ...form, ...chosen });
		const again = await ada.get(answer.headers.get("Location") ?? "");
		expect(importForm(again)).toMatchObject(chosen);
		expect((await send(importForm(again))).status).toBe(303);
		expect(await fees()).toMatchObject([
			{ category: "booking_fee", amount_cents: 700, reference_number: "A-1" },
		]);
	});

	it("asks who a driver is, imports the others, and then the rest", async () => {
		const rows = [`DRV-0001,other,5.00,${today},R-1`, `Nora Newcomer,other,6.00,${today},R-2`];
		const preview = await upload(["driver,category,amount,date,reference", ...rows].join("\n"));
		expect(preview.text).toContain("Who are these drivers?");
		const made = await send(importForm(preview));
		const rest = await ada.get(made.headers.get("Location") ?? "");
		const form = importForm(rest);
		expect((await send({ ...form, "driver-0": idOf("omar") })).status).toBe(303);
		expect((await fees()).map(({ driver_id }) => driver_id)).toEqual([idOf("dana"), idOf("omar")]);
	});

	it("leaves recorded and repeated rows out, and adds two fees of the same trip", async () => {
		await insertFee(sql, 1, "dana", LAST_YEAR, {
			...{ reference_number: "UB-1", category: "commission", amount_cents: 500 },
		});
		await insertFee(sql, 2, "dana", LAST_YEAR, {
			reference_number: "UB-9",
			deleted_at: 1,
			deleted_by: idOf("ada"),
		});
		const rows = [
			`UB-1,Somebody Gone,commission,5,${LAST_YEAR}`,
			`UB-9,DRV-0001,commission,5,${LAST_YEAR}`,
			`UB-9,DRV-0001,commission,5.00,${typed(LAST_YEAR)}`,
			`UB-9,DRV-0001,booking fee,1,${LAST_YEAR}`,
		];
		const preview = await upload(["reference,driver,category,amount,date", ...rows].join("\n"));
		expect(feesOf(preview).map((row) => row.at(-1))).toEqual([
			"Already imported",
			"Will be added",
			"Will be added",
		]);
		expect(leftOut(preview)).toEqual([["4", "Duplicate of an earlier row", "$5.00"]]);
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

describe("a row that can't be imported", () => {
	it.each([
		["no driver", ",other,1,2026-01-01,", "No driver is named"],
		["an unknown category", "DRV-0001,tips,1,2026-01-01,", "Its fee category isn't known: tips"],
		["no category", "DRV-0001,,1,2026-01-01,", "Its fee category isn't known"],
		["an ambiguous amount", 'DRV-0001,other,"1,250",2026-01-01,', "is ambiguous. Enter 1250.00 or"],
		["an amount with two signs", "DRV-0001,other,--5,2026-01-01,", "with up to two decimals"],
		["no amount", "DRV-0001,other,,2026-01-01,", "Amount is missing"],
		["an amount too large", "DRV-0001,other,100000.01,2026-01-01,", "no more than 100,000.00"],
		["an impossible date", "DRV-0001,other,1,2/30/2026,", "Enter a valid date"],
		["a day in the future", `DRV-0001,other,1,${daysAgo(-1)},`, "Dated in the future"],
		[
			"a reference too long",
			`DRV-0001,other,1,2026-01-01,${"x".repeat(101)}`,
			"Its reference number or description is too long",
		],
	])("because of %s: is listed with the reason", async (_, cells, words) => {
		const preview = await upload(
			`driver,category,amount,date,reference\nDRV-0002,other,1,2026-01-01,OK-1\n${cells}`,
		);
		const [row] = leftOut(preview);
		expect(row?.[0]).toBe("3");
		expect(row?.[1]).toContain(words);
		expect((await send(importForm(preview))).status).toBe(303);
		expect(await fees()).toMatchObject([{ reference_number: "OK-1" }]);
	});
});

describe("a file", () => {
	const rows = (count: number) =>
		`driver,category,amount,date\n${`DRV-0001,other,1,2026-01-01\n`.repeat(count)}`;

	it.each<[string, string | Uint8Array, string, number?]>([
		["is empty", "", "Choose a CSV file", 400],
		["has only a header", "driver,category,amount,date\n", "no data rows"],
		["isn't text", new Uint8Array([0x41, 0x2c, 0x03, 0x04, 0xff, 0xfe]), "UTF-8 text"],
		["holds invisible characters", "driver,amount\nx\u0000y,1\n", "UTF-8 text"],
		["has too many columns", `${"a,".repeat(61)}\n1`, "more than 60 columns"],
	])("that %s is refused", async (_, file, words, status = 422) => {
		const answer =
			file === ""
				? await ada.request(PATH, await multipart({ intent: "upload" }, undefined, "file"))
				: await upload(file);
		expect(answer.status).toBe(status);
		expect(answer.text).toContain(words);
		expect(answer.text).toContain("Failed to import Uber fees");
		expect(await fleet.sql("select * from fee_imports")).toEqual([]);
	});

	it("ends in any number of empty rows", async () => {
		const answer = await upload(`${rows(3)}${",,,\n".repeat(12_000)}`);
		expect(feesOf(answer)).toHaveLength(3);
	});

	it("may have thousands of rows", async () => {
		const body = Array.from(
			{ length: 5200 },
			(_, row) =>
				`DRV-000${(row % 3) + 1},other,${row + 1}.01,2026-01-01,BULK-${row},"Line ""${row}"""`,
		);
		const preview = await upload(
			`driver,category,amount,date,reference,description\n${body.join("\n")}`,
		);
		expect((await send(importForm(preview))).status).toBe(303);
		expect(
			await fleet.sql("select count(*) as n, sum(amount_cents) as cents from uber_fees"),
		).toEqual([{ n: 5200, cents: 5200 * 5201 * 50 + 5200 }]);
		expect(await totals()).toEqual(await recounted());
		const id = (await fleet.sql<{ id: string }>("select id from fee_imports"))[0]?.id ?? "";
		expect((await ada.post(PATH, { intent: "undo", id })).status).toBe(303);
		expect(await totals()).toEqual(await recounted());
	});

	it("of someone else, and a form without one, are refused", async () => {
		const form = importForm(await upload(STATEMENT));
		expect((await send(form, await fleet.as("ben"))).status).toBe(404);
		expect((await ada.post(PATH, { intent: "import-statement" })).status).toBe(404);
		expect((await ada.post(PATH, {})).status).toBe(400);
		expect((await ada.post(PATH, { intent: "undo", id: "1' or 1=1" })).status).toBe(404);
		expect(await fees()).toEqual([]);
	});
});
