/** What is asked and refused about a ride platform's statement before it is imported. */
import { afterAll, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { insertDriver } from "../support/drivers.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertRow } from "../support/rows.ts";
import { fileOf, openStatements, textFile } from "../support/statement-bench.ts";
import { callStatements, centsOf } from "../support/statement-calls.ts";

const { fleet, ada, ben, sql, drivers, matchAll, recorded } = await openStatements();

describe("a period", () => {
	const bare = fileOf("uber-payments-driver", "export.csv");

	it("is asked for when the file name has none, and can be corrected until the import", async () => {
		const preview = await callStatements(ada, {}, bare);
		expect(preview.body).toMatchObject({
			period: { from: null, to: null },
			needs: ["period", "drivers"],
		});
		expect(preview.body.fees.every(({ date }) => date === null)).toBe(true);
		const { id } = preview.body;
		const refused = await callStatements(ada, { id, mode: "ready" });
		expect(refused.status).toBe(409);
		expect(refused.body).toMatchObject({ needs: ["period", "drivers"] });
		const wrong = await callStatements(ada, { id, from: "2026-08-01", to: "2026-08-31" });
		expect(wrong.body.fees[0]?.date).toBe("2026-08-31");
		const drivers = matchAll(wrong.body);
		const made = await callStatements(ada, {
			id,
			from: "2026-09-21",
			to: "2026-09-27",
			drivers,
			mode: "all",
		});
		expect(made.status, made.text.slice(0, 300)).toBe(201);
		expect(made.body.fees[0]?.date).toBe("2026-09-27");
		// The same statement under its own name isn't imported again.
		const named = await callStatements(ada, { mode: "all" }, fileOf("uber-payments-driver"));
		expect(named.body.importId).toBe(null);
	});

	it("that is refused leaves the one that was answered before", async () => {
		const { body } = await callStatements(ada, {}, bare);
		const { id } = body;
		const [one = ""] = body.fees.map(({ platformId }) => platformId);
		const answered = { id, from: "2026-09-21", to: "2026-09-27", drivers: matchAll(body) };
		expect((await callStatements(ada, answered)).status).toBe(200);
		const refuse = async (status: number, answers: Readonly<Record<string, string>>) =>
			expect((await callStatements(ada, { id, ...answers })).status).toBe(status);
		await refuse(422, { from: daysAgo(6), to: daysAgo(-1) });
		await refuse(422, { from: "2019-01-01", to: "2019-01-07" });
		const nobody = JSON.stringify({ [one]: idOf("nora") });
		await refuse(400, { from: "2026-08-03", to: "2026-08-09", drivers: nobody });
		const preview = await callStatements(ada, { id });
		expect(new Set(preview.body.fees.map(({ date }) => date))).toEqual(new Set(["2026-09-27"]));
		const made = await callStatements(ada, { id, mode: "all" });
		expect(made.status, made.text.slice(0, 300)).toBe(201);
		const dates = await sql("select distinct charged_on as day from uber_fees");
		expect(dates).toEqual([{ day: "2026-09-27" }]);
	});

	it("can be corrected after an import for which no driver was known", async () => {
		const { body } = await callStatements(ada, { from: "2026-08-01", to: "2026-08-31" }, bare);
		const { id } = body;
		const nothing = await callStatements(ada, { id, mode: "ready" });
		expect([nothing.status, nothing.body.importId]).toEqual([201, null]);
		const corrected = await callStatements(ada, { id, from: "2026-09-21", to: "2026-09-27" });
		expect(corrected.status, corrected.text.slice(0, 300)).toBe(200);
		expect(corrected.body.fees[0]?.date).toBe("2026-09-27");
	});

	it("that isn't over yet is refused with a message, and so is one in which no fee may be dated", async () => {
		const today = daysAgo(0);
		for (const to of [today, daysAgo(-3)]) {
			const answer = await callStatements(ada, { from: daysAgo(6), to }, bare);
			expect(answer.status).toBe(422);
			expect(answer.body.message).toContain("isn't over yet");
		}
		const old = await callStatements(ada, { from: "2019-01-01", to: "2019-01-07" }, bare);
		expect(old.status).toBe(422);
	});

	it("that overlaps an imported one needs a confirmation", async () => {
		const first = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		await callStatements(ada, {
			id: first.body.id,
			mode: "all",
			drivers: matchAll(first.body),
		});
		const before = await recorded();
		const longer = await callStatements(ada, { from: "2026-09-14", to: "2026-09-27" }, bare);
		expect(longer.body.needs).toEqual(["overlap"]);
		const refused = await callStatements(ada, { id: longer.body.id, mode: "ready" });
		expect(refused.status).toBe(409);
		expect(refused.body.message).toContain("20260921-20260928-payments_driver");
		expect(await recorded()).toEqual(before);
		const { id } = longer.body;
		const confirmed = await callStatements(ada, { id, overlap: "yes" });
		expect(confirmed.body.needs).toEqual([]);
		// Saying nothing keeps the answer; no takes it back.
		expect((await callStatements(ada, { id, overlap: "" })).body.needs).toEqual([]);
		const unsure = await callStatements(ada, { id, mode: "ready", overlap: "no" });
		expect(unsure.status).toBe(409);
		expect(unsure.body.needs).toEqual(["overlap"]);
		expect(await recorded()).toEqual(before);
		const made = await callStatements(ada, { id, mode: "ready", overlap: "yes" });
		expect(made.status).toBe(201);
	});

	it("that overlaps an imported one is asked about again once the box is unticked", async () => {
		const first = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		const drivers = matchAll(first.body);
		await callStatements(ada, { id: first.body.id, mode: "all", drivers });
		const { body } = await callStatements(ada, { from: "2026-09-14", to: "2026-09-27" }, bare);
		const path = `/uber-fees/import?statement=${body.id}`;
		const answer = async (more: Record<string, string>) => {
			const { fields } = formWith((await ada.get(path)).text, "Update preview");
			const { overlap: _, ...rest } = fields;
			expect((await ada.post(path, { ...rest, ...more, intent: "answer" })).status).toBe(303);
			return (await callStatements(ada, { id: body.id })).body.needs;
		};
		expect(await answer({ overlap: "yes" })).toEqual([]);
		expect(await answer({})).toEqual(["overlap"]);
	});

	it("that overlaps an imported one needs a confirmation also for a driver who was matched with someone else then", async () => {
		const first = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		const [one = ""] = first.body.fees.map(({ platformId }) => platformId);
		const match = (driver: string | undefined) => JSON.stringify({ [one]: driver });
		const answers = { id: first.body.id, mode: "ready", drivers: match(drivers[0]) };
		expect((await callStatements(ada, answers)).status).toBe(201);
		const [alias] = await sql<{ id: string }>("select id from platform_drivers");
		const forget = { intent: "forget", id: alias?.id ?? "" };
		expect((await ada.post("/uber-fees/import", forget)).status).toBe(303);
		const longer = { from: "2026-09-14", to: "2026-09-27", drivers: match(drivers[1]) };
		const { body } = await callStatements(ada, longer, bare);
		expect(body.needs).toEqual(["drivers", "overlap"]);
	});

	it("that overlaps an imported one of other drivers needs no confirmation", async () => {
		const first = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const answers = { id: first.body.id, mode: "all", drivers: matchAll(first.body) };
		expect((await callStatements(ada, answers)).status).toBe(201);
		const other = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		expect(other.body.period).toEqual(first.body.period);
		expect(other.body.needs).toEqual(["drivers"]);
		const ids = [...new Set(other.body.fees.map(({ platformId }) => platformId))];
		const match = (from: number) => {
			const pairs = ids.slice(0, 8).map((id, at) => [id, drivers[from + at]]);
			return JSON.stringify(Object.fromEntries(pairs));
		};
		const same = await callStatements(ben, { drivers: match(0) }, fileOf("uber-payments-driver"));
		expect(same.body.needs).toEqual(["drivers", "overlap"]);
		const made = await callStatements(ada, {
			...{ id: other.body.id, mode: "ready", drivers: match(10) },
		});
		expect(made.status).toBe(201);
	});
});

describe("a statement's currency", () => {
	const choose = (currency: string) =>
		sql("update settings set chosen = json_object('currency', ?)", currency);
	afterAll(() => choose("EUR"));
	const shown = async (id: string) => {
		const { text } = await ada.get(`/uber-fees/import?statement=${id}`);
		return /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? "";
	};

	it("is refused in words if it isn't the fleet's, and nothing of it is kept", async () => {
		const words =
			"The amounts in this statement are in euros, but the fleet's are in Polish zlotys. Amounts are never converted, so it can't be imported.";
		const waiting = await callStatements(ada, {}, fileOf("bolt-weekly"));
		await choose("PLN");
		const kept = async () => (await fleet.files.list()).objects.map(({ key }) => key);
		const before = await kept();
		const sent: Record<string, string>[] = [{}, { currency: "PLN" }, { mode: "all" }];
		for (const fields of sent) {
			const refused = await callStatements(ada, fields, fileOf("bolt-weekly"));
			expect([refused.status, refused.body.message]).toEqual([422, words]);
		}
		const later = await callStatements(ada, { id: waiting.body.id });
		expect([later.status, later.body.message]).toEqual([422, words]);
		expect(await kept()).toEqual(before);
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		const foreign = await callStatements(ada, { currency: "EUR" }, fileOf("uber-payments-order"));
		expect([foreign.status, foreign.body.message]).toEqual([400, "currency must be PLN"]);
	});

	it("asks nothing if it is the fleet's, and is said to be that if it names none", async () => {
		await choose("EUR");
		const own = await callStatements(ada, { currency: "EUR" }, fileOf("bolt-weekly"));
		expect([own.status, own.body.needs]).toEqual([200, ["drivers"]]);
		expect(await shown(own.body.id)).toContain("€1,603.11, for drivers");
		expect(await shown(own.body.id)).not.toContain("name a currency");
		const nameless = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const page = await shown(nameless.body.id);
		expect(page).toContain("clearly name a currency, so its amounts count as euros.");
		expect(page).not.toMatch(/\$\d/);
	});
});

describe("a refused form", () => {
	const more: string[] = [];
	afterAll(async () => {
		for (const id of more) await sql("delete from users where id = ?", id);
	});

	it.each([
		["chosen from a list", false],
		["searched by name", true],
	])("keeps every answer, also drivers %s", async (_, isSearch) => {
		for (let number = 0; isSearch && number < 30; number++)
			more.push(await insertDriver(sql, { driver_number: 8000 + number }));
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly", "export.csv"));
		expect(body.needs).toEqual(["period", "drivers"]);
		const path = `/uber-fees/import?statement=${body.id}`;
		const shown = formWith((await ada.get(path)).text, "Update preview");
		const asked = Object.keys(shown.fields).filter((name) => name.startsWith("driver-"));
		expect(asked.length).toBeGreaterThan(2);
		const [first = "", second = ""] = asked;
		const typed = {
			...shown.fields,
			[first]: drivers[3] ?? "",
			[second]: isSearch ? "Nobody Anyone Knows" : (drivers[4] ?? ""),
			from: daysAgo(10),
			to: "",
		};
		const refused = await ada.post(path, { ...typed, intent: "answer" });
		expect(refused.status).toBe(400);
		const { fields, html } = formWith(refused.text, "Update preview");
		if (isSearch) expect(fields[first]).toMatch(/ \(DRV-5003\)$/);
		expect({ ...fields, [first]: drivers[3] }).toEqual(typed);
		if (isSearch) expect(html).toContain(`&quot;id&quot;:&quot;${drivers[3]}&quot;`);
		// Nothing was stored.
		const after = await callStatements(ada, { id: body.id });
		expect(after.body.needs).toEqual(["period", "drivers"]);
		// A driver who can't be matched.
		const contradicting = { ...typed, [second]: idOf("nora"), to: daysAgo(9) };
		const again = await ada.post(path, { ...contradicting, intent: "import-statement" });
		expect(again.status).toBe(400);
		expect(formWith(again.text, "Update preview").fields).toMatchObject({
			from: daysAgo(10),
			to: daysAgo(9),
			[first]: fields[first],
		});
	});
});

describe("drivers", () => {
	it("who have only money are asked about on the screen, and said to be imported", async () => {
		const paid = ["Paid to you", "Paid to you:Your earnings:Fare:Fare"];
		const text = [
			["Driver UUID,Driver first name", ...paid, "Paid to you:Your earnings:Service fee"].join(),
			"f1e1d000-0000-4000-8000-000000000004,Omi,400.00,400.00,0",
		].join("\n");
		const { body } = await callStatements(
			ada,
			{},
			textFile(text, "20260907-20260914-payments_driver-X.csv"),
		);
		const path = `/uber-fees/import?statement=${body.id}`;
		const form = formWith((await ada.get(path)).text, "Update preview");
		const send = (driver: string) =>
			ada.post(path, { ...form.fields, "driver-0": driver, intent: "import-statement" });
		expect((await send("")).status).toBe(409);
		const leftOut = await ada.get(`/uber-fees/import/left-out.csv?statement=${body.id}`);
		expect(leftOut.text).toContain("Unknown driver: money due,Omi");
		expect((await send(idOf("omar"))).status).toBe(303);
		expect((await ada.get("/uber-fees/import")).text).toContain(
			"money in 1 row imported successfully",
		);
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		const imports = await ada.get("/uber-fees/import");
		const undo = formWith(imports.text, 'value="undo"');
		expect((await ada.post(undo.action, undo.fields)).status).toBe(303);
		expect((await ada.get("/uber-fees/import")).text).toContain(
			"What this statement added was deleted.",
		);
	});

	it("that contradict a remembered match are refused until it is removed", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		const [id = ""] = body.fees.map(({ platformId }) => platformId);
		const match = (driver: string | undefined) => JSON.stringify({ [id]: driver });
		const answers = { id: body.id, mode: "ready" };
		expect((await callStatements(ada, { ...answers, drivers: match(drivers[0]) })).status).toBe(
			201,
		);
		for (const mode of ["preview", "ready"]) {
			const refused = await callStatements(
				ben,
				{ mode, drivers: match(drivers[1]) },
				fileOf("bolt-weekly"),
			);
			expect(refused.status).toBe(409);
			expect(refused.body.message).toContain("is remembered as Sam Stranger");
		}
	});

	it("are named by the platform's id, however it is written, in an object", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const [one = ""] = body.fees.map(({ platformId }) => platformId);
		expect(one).not.toBe(one.toUpperCase());
		const pairs = JSON.stringify({ [one.toUpperCase()]: drivers[0] });
		const matched = await callStatements(ada, { id: body.id, drivers: pairs });
		const theirs = matched.body.fees.filter(({ platformId }) => platformId === one);
		expect(new Set(theirs.map(({ driverId }) => driverId))).toEqual(new Set([drivers[0]]));
		for (const list of ["[]", JSON.stringify([drivers[0]])])
			expect((await callStatements(ada, { id: body.id, drivers: list })).status).toBe(400);
	});

	it("are refused if one of the platform's ids is written in two ways for different drivers", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		const [id = ""] = body.fees.map(({ platformId }) => platformId);
		const refused = await callStatements(ada, {
			id: body.id,
			drivers: JSON.stringify({ [id]: drivers[0], [` ${id.toUpperCase()}`]: drivers[1] }),
		});
		expect(refused.status).toBe(400);
		expect(refused.body.message).toContain("are the same driver in the statement");
		const again = await callStatements(ada, { id: body.id });
		expect(again.body.fees.every(({ driverId }) => driverId === null)).toBe(true);
	});

	it("must have had a driver ID at some time, and inactive ones are flagged", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		const [one = "", two = ""] = [...new Set(body.fees.map(({ platformId }) => platformId))];
		const ask = (drivers: object) =>
			callStatements(ada, { id: body.id, drivers: JSON.stringify(drivers) });
		for (const id of [idOf("ada"), idOf("nora"), crypto.randomUUID()]) {
			const refused = await ask({ [one]: id });
			expect(refused.status).toBe(400);
			expect(JSON.parse(refused.text).fields.drivers).toHaveLength(1);
		}
		const matched = await ask({ [one]: idOf("dana"), [two]: idOf("ivan") });
		const flags = matched.body.fees.filter(({ isDriverInactive }) => isDriverInactive);
		expect(new Set(flags.map(({ platformId }) => platformId))).toEqual(new Set([two]));
	});
});

describe("a fee added by hand", () => {
	it("is flagged in a statement, and imported as well after a confirmation", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-driver"));
		const [fee] = body.fees;
		const all = JSON.parse(matchAll(body)) as Record<string, string>;
		await insertFee((query, ...values) => sql(query, ...values), 1, "dana", fee?.date ?? "", {
			driver_id: all[fee?.platformId ?? ""] ?? null,
			category: fee?.category ?? null,
			amount_cents: centsOf(fee?.amount ?? null),
		});
		const asked = await callStatements(ada, { id: body.id, drivers: JSON.stringify(all) });
		expect(asked.body.needs).toEqual(["overlap"]);
		expect(asked.body.fees.filter((each) => each.isPossibleDuplicate)).toHaveLength(1);
		expect((await callStatements(ada, { id: body.id, mode: "all" })).status).toBe(409);
		expect((await recorded())?.count).toBe(1);
		const made = await callStatements(ada, { id: body.id, mode: "all", overlap: "yes" });
		expect(made.status).toBe(201);
		expect((await recorded())?.count).toBe(body.fees.length + 1);
	});
});

it("lists the 50 newest remembered drivers, and says that there are more", async () => {
	const said = "The 50 newest are shown. Find others by driver ID or platform ID.";
	const remember = (number: number) =>
		insertRow(sql, "platform_drivers", {
			id: `e0000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
			driver_id: drivers[0] ?? "",
			platform: "bolt",
			platform_id: `id-${number}`,
			name: `Name ${number}`,
			added_by: idOf("ada"),
			created_at: number,
		});
	for (let number = 1; number <= 50; number++) await remember(number);
	expect((await ada.get("/uber-fees/import")).text).not.toContain(said);
	await remember(51);
	const { text } = await ada.get("/uber-fees/import");
	expect(text).toContain(said);
	expect([text.includes("Name 51<"), text.includes("Name 1<")]).toEqual([true, false]);
	const found = (await ada.get("/uber-fees/import?alias=id-1")).text;
	expect([found.includes("Name 1<"), found.includes(said)]).toEqual([true, false]);
});
