/**
 * A backup or an export that runs meanwhile finds what a change does to rows left by others. Each
 * command alone: access-lost.server.test.ts.
 */
import { expect, it } from "vitest";
import { agreementOf, chargeOf, insertAgreement } from "../../../tests/support/agreements.ts";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { openFinder } from "../../../tests/support/found-changes.ts";
import { importFile } from "../../../tests/support/sent-statements.ts";
import { insertMoney } from "../../../tests/support/settlements.ts";
import { Database } from "../../db/client.server.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import type { Outcome } from "../../values/outcome.ts";
import { makeAgreement } from "../agreements/commands/make.server.ts";
import { addCharge } from "../charges/commands/add.server.ts";
import { voidCharge } from "../charges/commands/void.server.ts";
import { approveRequests } from "../fund-requests/commands/approve.server.ts";
import { submitRequest } from "../fund-requests/commands/submit.server.ts";
import { cancelPayout } from "../payouts/commands/cancel.server.ts";
import { makePayout } from "../payouts/commands/make.server.ts";
import { payPayout } from "../payouts/commands/pay.server.ts";
import { reopenPayout } from "../payouts/commands/reopen.server.ts";
import { changeRole } from "../people/commands/change-role.server.ts";
import { completeProfile } from "../people/commands/complete-profile.server.ts";
import { inviteAdmin } from "../people/commands/invite-admin.server.ts";
import { rejectDriver } from "../people/commands/reject.server.ts";
import { pseudonymizeDriver } from "../personal-data/commands/pseudonymize.server.ts";
import { draftWeek } from "../settlements/commands/draft.server.ts";
import { publishSettlements } from "../settlements/commands/publish.server.ts";
import { voidSettlements } from "../settlements/commands/void.server.ts";
import { undoImport } from "../statements/commands/undo-import.server.ts";

const NOW = Date.UTC(2026, 10, 25, 17);
const DAY = 86_400_000;
const TODAY = parseCalendarDate("2026-11-25");
const bench = await openDatabase("everyone", NOW);
const store = await openFileStore();
const changing = await openFinder(bench);
const ada = () => bench.admin("ada");
/** Someone who has touched none of the rows. */
const ben = () => bench.admin("ben");

function valueFrom<Value>(outcome: Outcome<Value, { readonly ok: false }>): Value {
	if (!outcome.ok) throw new Error(JSON.stringify(outcome));
	return outcome.value;
}
const found = async <Value>(run: () => Promise<Outcome<Value, { readonly ok: false }>>) =>
	valueFrom(await changing(run));

it("finds what settling and paying weeks and requests does to others", async () => {
	const dana = idOf("dana");
	const week = async (from: string, cents: object) => {
		const days = { from: parseCalendarDate(from), to: addDays(parseCalendarDate(from), 6) };
		await insertMoney(bench.rows, from, "dana", days, { ...cents });
		valueFrom(await draftWeek(await ada(), days, [dana]));
		const [row] = await bench.rows<{ id: string }>(
			"select id from settlements where week_from = ?",
			from,
		);
		return row?.id ?? "";
	};
	await insertAgreement(bench.rows, 1, "dana", "2026-10-05");
	const damage = chargeOf(dana, { date: parseCalendarDate("2026-11-09"), instalments: 2 });
	const { row: charged } = valueFrom(await addCharge(await ada(), damage));
	const owed = await week("2026-11-02", { cash_cents: -1000 });
	const due = await week("2026-11-09", { tip_cents: 50_000 });
	await found(async () => publishSettlements(await ada(), [owed], {}));
	await found(async () => publishSettlements(await ben(), [due], {}));
	const mark = () =>
		bench.rows("insert or replace into settlement_marks values (?, ?)", dana, TODAY);
	await mark();
	const since = parseCalendarDate("2026-11-02");
	await found(async () => makeAgreement(await ben(), agreementOf(dana, { from: since })));
	const asked = { type: "gas", amount: 4321, description: "Fuel", confirm: undefined } as const;
	const { request } = valueFrom(await submitRequest(await bench.driver("dana"), asked, "json"));
	await approveRequests(await ada(), [request.id]);
	const parts = { kind: "named", ids: [request.id], settlementIds: [due] } as const;
	const { row } = await found(async () => makePayout(await ben(), parts, undefined));
	const { id } = row.payout;
	const payment = { paidOn: TODAY, reference: undefined };
	await found(async () => payPayout(await ben(), id, payment));
	expect(await bench.rows("select 1 from mails where carried_by = ?", id)).toHaveLength(1);
	await found(async () => reopenPayout(await ada(), id, "Wrong account"));
	await found(async () => cancelPayout(await ben(), id));
	await found(async () => voidSettlements(await ben(), [due]));
	await mark();
	await found(async () => voidCharge(await ben(), charged.id));
});

it("finds what a correction of an import and its undo do to the corrected one", async () => {
	const name = "20260907-20260914-payments_driver-Example.csv";
	const uuid = "f1e1d000-0000-4000-8000-000000000003";
	const answers = { drivers: { [uuid]: idOf("dana") }, changed: "replace" } as const;
	const importAs = async (admin: typeof ada, file: string) =>
		importFile("all", await admin(), store, fieldFile(file), name, answers);
	valueFrom(await importAs(ada, "corrected-1-payments_driver.csv"));
	const { import: made } = await found(() => importAs(ben, "corrected-2-payments_driver.csv"));
	for (const table of ["statement_lines", "statement_money"])
		expect(
			await bench.rows(`select 1 from ${table} where replaced_by = ?`, made?.id ?? ""),
		).toHaveLength(1);
	await found(async () => undoImport(await ben(), made?.id ?? ""));
});

it("finds what the erasure of an applicant does", async () => {
	const nora = idOf("nora");
	await bench.rows(
		"update users set created_at = ?, applied_at = null where id = ?",
		NOW - 90 * DAY,
		nora,
	);
	const applied = { firstName: "Nora", lastName: "New" };
	valueFrom(await completeProfile(await bench.self("nora"), applied));
	await found(async () => rejectDriver(await ben(), nora, { origin: "https://fleet.example" }));
	const later = await bench.admin("ada", NOW + 60 * DAY);
	await found(() => pseudonymizeDriver(later, nora, "Nora New", 7));
});

it("finds what the operator changes", async () => {
	const operator = { role: "operator", db: new Database(bench.d1), now: NOW } as const;
	await found(() => changeRole(operator, "ben@milepost.test", "viewer"));
	const invited = { email: "new@milepost.test", firstName: "New", lastName: "Person" };
	valueFrom(await inviteAdmin(operator, invited));
	await found(() => inviteAdmin({ ...operator, now: NOW + 1 }, invited));
});
