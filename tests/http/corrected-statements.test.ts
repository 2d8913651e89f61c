/** A statement downloaded again with other amounts, by call and on the screen. */
import { beforeEach, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { fieldFile } from "../support/field-files.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { callStatements } from "../support/statement-calls.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ada = await fleet.as("ada");
const digits = (days: number) => daysAgo(days).replaceAll("-", "");
const name = `${digits(20)}-${digits(15)}-payments_driver-Example.csv`;
const [first, again] = [1, 2].map((number) => ({
	bytes: new TextEncoder().encode(fieldFile(`corrected-${number}-payments_driver.csv`)),
	name,
}));
const drivers = JSON.stringify({ "f1e1d000-0000-4000-8000-000000000003": idOf("dana") });
const live = () =>
	fleet.sql<{ amount_cents: number }>(
		"select amount_cents from uber_fees where deleted_at is null",
	);

beforeEach(async () => {
	await fleet.sql("update uber_fees set replaces_id = null where replaces_id is not null");
	for (const table of [
		"uber_fees",
		"fee_imports",
		"statement_lines",
		"statement_money",
		"platform_drivers",
	])
		await fleet.sql(`delete from ${table}`);
	expect((await callStatements(ada, { mode: "all", drivers }, first)).status).toBe(201);
});

it("answers 409 with both amounts until it says what happens to them", async () => {
	const { status, body } = await callStatements(ada, {}, again);
	expect(status).toBe(200);
	expect(body).toMatchObject({
		needs: ["changed"],
		fees: [{ amount: "31.50", recordedAmount: "25.00", state: "changed" }],
	});
	for (const mode of ["ready", "all"])
		expect((await callStatements(ada, { id: body.id, mode })).status).toBe(409);
	expect((await callStatements(ada, { id: body.id, changed: "perhaps" })).status).toBe(400);
	const kept = await callStatements(ada, { id: body.id, mode: "all", changed: "keep" });
	expect(kept.status, kept.text).toBe(201);
	expect(kept.body.importId).toBeNull();
	expect(await live()).toEqual([{ amount_cents: 2500 }]);
	const made = await callStatements(ada, { mode: "all", changed: "replace" }, again);
	expect(made.status, made.text).toBe(201);
	expect(made.body.fees).toMatchObject([{ amount: "31.50", state: "imported" }]);
	expect(await live()).toEqual([{ amount_cents: 3150 }]);
	const longer = { bytes: first?.bytes ?? Buffer.of(), name: name.replace(digits(20), digits(27)) };
	expect((await callStatements(ada, {}, longer)).body.overlaps).toMatchObject([{ fileName: name }]);
	const undone = await ada.post("/uber-fees/import", {
		intent: "undo",
		id: made.body.importId ?? "",
	});
	expect(undone.status).toBe(303);
	expect(await live()).toEqual([{ amount_cents: 2500 }]);
});

it("asks on the screen, and lists what isn't answered among what is left out", async () => {
	const { body } = await callStatements(ada, {}, again);
	const path = `/uber-fees/import?statement=${body.id}`;
	const page = await ada.get(path);
	expect(page.text).toContain(
		"1 fee is recorded with a different amount than in this statement: $25.00 instead of $31.50.",
	);
	expect(page.text).toContain("Recorded: $25.00");
	const form = formWith(page.text, 'value="import-statement"');
	const send = (changed: Record<string, string>) =>
		ada.post(path, { ...form.fields, intent: "import-statement", ...changed });
	expect((await send({})).status).toBe(409);
	const csv = await ada.get(`/uber-fees/import/left-out.csv?statement=${body.id}`);
	expect(csv.text).toContain("Recorded as 25.00");
	expect((await send({ changed: "replace" })).status).toBe(303);
	expect(await live()).toEqual([{ amount_cents: 3150 }]);
});

it("replaces no amount that was recorded since the preview was shown", async () => {
	const { body } = await callStatements(ada, {}, again);
	const path = `/uber-fees/import?statement=${body.id}`;
	const old = formWith((await ada.get(path)).text, 'value="import-statement"').fields;
	const between = {
		bytes: Buffer.from(fieldFile("corrected-2-payments_driver.csv").replaceAll("31.50", "28.75")),
		name,
	};
	const made = await callStatements(ada, { mode: "all", changed: "replace" }, between);
	expect(made.status, made.text).toBe(201);
	const replace = { intent: "import-statement", changed: "replace" };
	const refused = await ada.post(path, { ...old, ...replace });
	expect(refused.status).toBe(409);
	expect(refused.text).toContain("This preview has changed since it was shown.");
	expect(refused.text).toContain("$28.75 instead of $31.50.");
	expect(await live()).toEqual([{ amount_cents: 2875 }]);
	const { fields } = formWith(refused.text, 'value="import-statement"');
	expect(fields.changed).toBe("replace");
	// Sent twice, it is no other answer.
	for (const _ of [1, 2])
		expect((await ada.post(path, { ...fields, ...replace })).status).toBe(303);
	expect(await live()).toEqual([{ amount_cents: 3150 }]);
});

it("asks about a driver whom a later download lacks, by call and on the screen", async () => {
	const other = "f1e1d000-0000-4000-8000-000000000004";
	const row = `${other},Otto,Other,20.00,20.00,27.00,-7.00\n`;
	const both = {
		bytes: Buffer.from(`${fieldFile("corrected-1-payments_driver.csv").trimEnd()}\n${row}`),
		name,
	};
	const whose = JSON.stringify({ [other]: idOf("omar") });
	expect((await callStatements(ada, { mode: "all", drivers: whose }, both)).status).toBe(201);
	const { body } = await callStatements(ada, { mode: "all" }, first);
	expect(body).toMatchObject({
		needs: ["changed"],
		message: expect.stringContaining("no longer are"),
		fees: [
			{ amount: "25.00", recordedAmount: null, state: "imported-before" },
			{ amount: null, recordedAmount: "7.00", driverId: idOf("omar"), state: "changed" },
		],
	});
	const path = `/uber-fees/import?statement=${body.id}`;
	const page = await ada.get(path);
	expect(page.text.replaceAll("&#x27;", "'")).toContain(
		"1 recorded fee, $7.00, was in an earlier download of this statement and isn't in this one: replacing removes it.",
	);
	expect(page.text).toContain("Not in this statement");
	const csv = await ada.get(`/uber-fees/import/left-out.csv?statement=${body.id}`);
	expect(csv.text).toContain('"Recorded as 7.00, not in this statement"');
	const form = formWith(page.text, 'value="import-statement"');
	const fields = { ...form.fields, intent: "import-statement", changed: "replace" };
	expect((await ada.post(path, fields)).status).toBe(303);
	expect(await live()).toEqual([{ amount_cents: 2500 }]);
});

it("lists every fee that an undo brought back as changed, also of the period's last night", async () => {
	const head =
		"transaction UUID,Driver UUID,Driver first name,Driver last name,Description,vs reporting,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee";
	const orders = (fees: readonly string[]) => ({
		bytes: new TextEncoder().encode(
			[
				head,
				...[daysAgo(32), daysAgo(28)].map((day, order) =>
					[
						...[`0000000${order}-0000-4000-8000-000000000000`],
						...["f1e1d000-0000-4000-8000-000000000003", "Dana", "Driver", "trip completed order"],
						...[`${day} 02:00:00.351 -0500 EST`, "30.00", fees[order]],
					].join(","),
				),
			].join("\n"),
		),
		name: `${digits(35)}-${digits(28)}-payments_order-Example.csv`,
	});
	const fees = async (query: string) =>
		JSON.parse((await ada.get(`/api/uber-fees${query}`)).text).map(
			({ amount }: { amount: string }) => amount,
		);
	const night = orders(["-6.00", "-6.04"]);
	const made = await callStatements(ada, { mode: "all", unproven: "yes" }, night);
	expect(made.status, made.text).toBe(201);
	const answers = { mode: "all", unproven: "yes", changed: "replace" };
	const none = await callStatements(ada, answers, orders(["", ""]));
	expect(none.status, none.text).toBe(201);
	const since = new Date(
		1 + ((await fleet.sql<{ at: number }>("select max(at) as at from audit_events"))[0]?.at ?? 0),
	).toISOString();
	const before = await fees("");
	const undone = { intent: "undo", id: none.body.importId ?? "" };
	expect((await ada.post("/uber-fees/import", undone)).status).toBe(303);
	const back = (await fees("")).filter((amount: string) => !before.includes(amount));
	expect(back.sort()).toEqual(["6.00", "6.04"]);
	expect((await fees(`?updatedSince=${since}`)).sort()).toEqual(back);
});
