/** A statement is imported only once, and the import can be undone. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { feeImporter, importForm, LAST_YEAR, STATEMENT } from "../support/fee-imports.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formsIn, formWith } from "../support/forms.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const today = daysAgo(0);
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const PATH = "/uber-fees/import";
const { upload, send, fees, totals, recounted, clear } = feeImporter(fleet, ada);
beforeEach(clear);

describe("importing a statement", () => {
	it("adds nothing the second time", async () => {
		const form = importForm(await upload(STATEMENT));
		expect((await send(form)).status).toBe(303);
		expect((await send(form)).status).toBe(303);
		expect((await upload(STATEMENT)).text).toContain(
			"Everything in this statement has already been imported.",
		);
		expect(await fees()).toHaveLength(3);
	});

	it("is kept when the database fails", async () => {
		const form = importForm(await upload(STATEMENT));
		await sql("alter table uber_fees rename to hidden");
		const answer = await ada.post(PATH, form, { mayFail: true });
		await sql("alter table hidden rename to uber_fees");
		expect(answer.status).toBe(503);
		expect(answer.text).toContain("Failed to import Uber fees");
		expect(fleet.takeErrors().length).toBeGreaterThan(0);
		expect((await send(formWith(answer.text, "Send again").fields)).status).toBe(303);
		expect(await fees()).toHaveLength(3);
	});

	it("is done even if its columns can't be remembered", async () => {
		const form = importForm(await upload(STATEMENT));
		await sql("alter table column_choices rename to hidden");
		const answer = await send(form);
		await sql("alter table hidden rename to column_choices");
		expect(answer.status).toBe(303);
		expect(fleet.takeErrors()).toHaveLength(1);
		expect(await fees()).toHaveLength(3);
	});
});

describe("undoing", () => {
	const importOne = async () => {
		await send(importForm(await upload(STATEMENT)));
		return (
			(await fleet.sql<{ id: string }>("select id from fee_imports order by created_at desc"))[0]
				?.id ?? ""
		);
	};
	const undoForms = (answer: Answer) =>
		formsIn(answer.text).filter(({ html }) => html.includes('value="undo"'));

	it("deletes every fee of the import, once, and is recorded in the audit", async () => {
		await insertFee(sql, 1, "dana", LAST_YEAR);
		const id = await importOne();
		const [form] = undoForms(await ada.get(PATH));
		const answer = await ada.post(form?.action ?? "", form?.fields ?? {});
		expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${PATH}#import-${id}`]);
		expect(await fees()).toHaveLength(1);
		expect(await totals()).toEqual(await recounted());
		const page = await ada.get(PATH);
		expect(page.text).toContain("Import undone");
		expect(page.text).toContain(">Undone</span>");
		expect(undoForms(page)).toEqual([]);
		expect((await ada.post(PATH, { intent: "undo", id })).status).toBe(409);
		expect((await ada.get("/audit?kind=fee.undo-import")).text.replace(/<[^>]+>/g, "")).toContain(
			"Ada Admin undid the import of the fee statement november.csv",
		);
		// The reference numbers can be used again.
		expect((await send(importForm(await upload(STATEMENT)))).status).toBe(303);
		expect(await fees()).toHaveLength(4);
	});

	it("leaves fees that were deleted by hand unchanged", async () => {
		const id = await importOne();
		const [fee] = await fleet.sql<{ id: string }>(
			"select id from uber_fees where reference_number = 'UB-1'",
		);
		await ben.post("/uber-fees", { intent: "delete", id: fee?.id ?? "" });
		await ada.post(PATH, { intent: "undo", id });
		expect(
			await fleet.sql("select reference_number, deleted_by from uber_fees order by 1"),
		).toEqual([
			{ reference_number: "UB-1", deleted_by: idOf("ben") },
			{ reference_number: "UB-2", deleted_by: idOf("ada") },
			{ reference_number: "UB-3", deleted_by: idOf("ada") },
		]);
	});

	it("is open to any administrator, at any time", async () => {
		const id = await importOne();
		await sql("update fee_imports set created_at = created_at - 86400000");
		const [form] = undoForms(await ben.get(PATH));
		expect((await ben.post(form?.action ?? "", form?.fields ?? {})).status).toBe(303);
		expect(await fees()).toEqual([]);
		expect(
			await fleet.sql("select undone_at is null as open from fee_imports where id = ?", id),
		).toEqual([{ open: 0 }]);
	});

	it("is offered for every import, however many followed", async () => {
		const first = await importOne();
		await sql(
			`with recursive number (n) as (select 1 union all select n + 1 from number where n < 20)
			insert into fee_imports (id, added_by, file_name, row_count, created_at, undone_at, payload_hash)
			select printf('70000000-0000-4000-8000-%012d', n), ?, 'later.csv', 1, created_at + 1, created_at + 2, 'x'
			from number join fee_imports on id = ?`,
			idOf("ben"),
			first,
		);
		const page = await ada.get(PATH);
		expect(page.text.match(/id="import-/g)).toHaveLength(20);
		expect(undoForms(page)).toEqual([]);
		const [, next = ""] = /href="([^"]+)"[^>]*>Next page</.exec(page.text) ?? [];
		const older = await ada.get(next.replaceAll("&amp;", "&").replace(/#.*$/, ""));
		const [form] = undoForms(older);
		expect(form?.fields.id).toBe(first);
		expect(older.text).toContain(">Previous page</a>");
		// It stays on this page.
		const undone = await ada.post(form?.action ?? "", form?.fields ?? {});
		const here = next.replaceAll("&amp;", "&").replace(/#.*$/, `#import-${first}`);
		expect(undone.headers.get("Location")).toBe(here);
	});

	it("is refused while one of its fees has a replacement", async () => {
		const id = await importOne();
		const [fee] = await fleet.sql<{ id: string }>(
			"select id from uber_fees where reference_number = 'UB-1'",
		);
		const again = { driverId: idOf("dana"), category: "other", amount: "13", date: today };
		await ada.post("/uber-fees", { ...again, replacesId: fee?.id ?? "" });
		const refused = await ada.post(PATH, { intent: "undo", id });
		expect(refused.status).toBe(409);
		expect(refused.text).toContain("Delete the re-added fee first");
		await sql(
			"update uber_fees set deleted_at = 1, deleted_by = added_by where replaces_id is not null",
		);
		expect((await ada.post(PATH, { intent: "undo", id })).status).toBe(303);
		expect(await fees()).toEqual([]);
	});

	it("is refused while one of its fees has a replacement that was edited again", async () => {
		const id = await importOne();
		const [fee] = await fleet.sql<{ id: string }>(
			"select id from uber_fees where reference_number = 'UB-1'",
		);
		const edit = async (amount: string, replacesId = "") => {
			const fields = { driverId: idOf("dana"), category: "other", amount, date: today, replacesId };
			expect((await ada.post("/uber-fees", fields)).status).toBe(303);
			const [made] = await fleet.sql<{ id: string }>(
				"select id from uber_fees where replaces_id = ?",
				replacesId,
			);
			return made?.id;
		};
		const last = await edit("14", await edit("13", fee?.id));
		// Undone, the statement could be imported again, and this trip's fee would count twice.
		const refused = await ada.post(PATH, { intent: "undo", id });
		expect(refused.status).toBe(409);
		expect(await fees()).toHaveLength(3);
		await ben.post("/uber-fees", { intent: "delete", id: last ?? "" });
		expect((await ada.post(PATH, { intent: "undo", id })).status).toBe(303);
		expect(await fees()).toEqual([]);
	});

	it("preselects the columns chosen last time for a file like it", async () => {
		const text = (reference: string) =>
			`Who,When,How much,Number\nDRV-0001,${today},7,${reference}`;
		const first = await upload(text("A-1"));
		const chosen = {
			driverColumn: "0",
			dateColumn: "1",
			amountColumn: "2",
			categoryColumn: "always-other",
			referenceColumn: "3",
		};
		const form = importForm(first);
		expect((await send({ ...form, ...chosen })).status).toBe(303);
		const second = await upload(text("A-2"));
		expect(second.text).toContain("1 fee, $7.00, is ready.");
	});
});
