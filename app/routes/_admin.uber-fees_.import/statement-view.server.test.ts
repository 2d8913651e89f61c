/** Whom the screen asks about, on real D1 and R2. */
import { expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { openFile } from "../../../tests/support/sent-statements.ts";
import { importStatement } from "../../domain/statements/commands/import.server.ts";
import { planStatement } from "../../domain/statements/plan.server.ts";
import { toStatementView } from "./statement-view.server.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const DANA = "f1e1d000-0000-4000-8000-000000000003";
const OMAR = "f1e1d000-0000-4000-8000-000000000004";
const WEEK = "20261109-20261116-payments_driver-Example.csv";
const HEAD =
	"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee,Paid to you:Your earnings:Tip";
const DANAS = `${DANA},Dana,Driver,80.00,100.00,-25.00,5.00`;
const OMARS = `${OMAR},Omar,Okafor,404.50,400.00,0,4.50`;

async function open(text: string, drivers: Record<string, string> = {}) {
	const ada = await bench.admin("ada");
	const opened = await openFile(ada, store, text, WEEK, { drivers });
	if (!opened.ok) throw new Error(opened.reason);
	return opened.value;
}
async function view(waiting: Awaited<ReturnType<typeof open>>) {
	const ada = await bench.admin("ada");
	return toStatementView(ada, waiting, await planStatement(ada, store, waiting));
}

it("asks who a driver with fares and no fee is", async () => {
	const shown = await view(await open([HEAD, DANAS, OMARS, ""].join("\n")));
	expect(shown.drivers).toMatchObject([
		{ platformId: DANA, has: "1 fee, $25.00" },
		{ platformId: OMAR, has: "$404.50 due" },
	]);
});

it("asks who they are where nobody in the file has a fee, and offers to import their money", async () => {
	const shown = await view(await open([HEAD, OMARS, ""].join("\n")));
	expect(shown.nothingLeft).toBeUndefined();
	expect(shown.drivers.map(({ platformId }) => platformId)).toEqual([OMAR]);
});

it("still asks when the file is imported again, as the screen of the week says", async () => {
	const text = [HEAD, DANAS, OMARS, ""].join("\n");
	const ada = await bench.admin("ada");
	const made = await importStatement(
		ada,
		store,
		await open(text, { [DANA]: idOf("dana") }),
		"ready",
	);
	expect(made).toMatchObject({
		ok: true,
		value: { import: { unmatchedDrivers: 1, unmatchedCents: 40_450 } },
	});
	const shown = await view(await open(text));
	expect(shown.nothingLeft).toBeUndefined();
	expect(shown.drivers.map(({ platformId }) => platformId)).toEqual([OMAR]);
});

it("tells columns of one name apart, and asks which of them is the amount", async () => {
	const text = "Driver,Category,Amount,Date,Amount,\nDana Driver,other,1.00,2026-11-02,2.00,\n";
	expect((await view(await open(text))).chosenColumns).toMatchObject({
		head: ["Driver", "Category", "Amount (column 3)", "Date", "Amount (column 5)", "Column 6"],
		missing: ["Select a column for Amount"],
	});
});
