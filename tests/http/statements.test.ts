/** Uploading ride platforms' statements to POST /api/statements: previewing and importing them. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { idOf, platformDriverRows } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { insertDriver } from "../support/drivers.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { formWith } from "../support/forms.ts";
import { insertRow } from "../support/rows.ts";
import { callStatements, centsOf, type StatementBody } from "../support/statement-calls.ts";
import {
	expectedOf,
	SAMPLES,
	type Sample,
	sampleBytes,
	sampleText,
} from "../support/statements.ts";
import { blocksOf, countedRows, storedBlocks } from "../support/totals.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const ben = await fleet.as("ben");
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);

/** The fleet's drivers, to match with a platform's. */
const drivers: string[] = [];
for (let number = 0; number < 25; number++)
	drivers.push(
		await insertDriver((query, ...values) => sql(query, ...values), {
			driver_number: 5000 + number,
		}),
	);

// Half of the samples are in euros, and the others name no currency.
await sql(`insert into settings (id, chosen) values ('fleet', '{"currency":"EUR"}')`);

const fileOf = (sample: Sample, name = expectedOf(sample).uploadAs) => ({
	bytes: sampleBytes(sample),
	name,
});
const textFile = (text: string, name: string) => ({ bytes: new TextEncoder().encode(text), name });
/** Matches everyone in a statement to a different driver. */
function matchAll({ fees }: Pick<StatementBody, "fees">): string {
	const ids = [...new Set(fees.map(({ platformId, name }) => platformId || name))];
	return JSON.stringify(Object.fromEntries(ids.map((id, at) => [id, drivers[at]])));
}
type Key = { platformId: string; date: string | null; category: string };
const keyOf = ({ platformId, date, category }: Key) => `${platformId} ${date} ${category}`;
const sumsOf = (fees: StatementBody["fees"]) =>
	Object.fromEntries(fees.map((fee) => [keyOf(fee), centsOf(fee.amount)]));
const recorded = () =>
	sql<{ cents: number; count: number }>(`select count(*) as count,
		coalesce(sum(iif(is_credit, -amount_cents, amount_cents)), 0) as cents
		from uber_fees where deleted_at is null`).then(([row]) => row);
const totalsAgree = async () =>
	expect(await storedBlocks(sql)).toEqual(blocksOf(await countedRows(sql)));

/** All text in the database and the file store. */
async function everythingStored(): Promise<string> {
	const tables = await sql<{ name: string }>(
		"select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite_%'",
	);
	const texts: string[] = [];
	for (const { name } of tables) texts.push(JSON.stringify(await sql(`select * from ${name}`)));
	const store = fleet.files;
	for (const { key } of (await store.list()).objects)
		texts.push(await ((await store.get(key))?.text() ?? ""));
	return texts.join("\n");
}

describe.each(SAMPLES)("the sample %s", (sample) => {
	const expected = expectedOf(sample);

	it("is previewed, imported exactly to the cent, and adds nothing when sent again", async () => {
		const preview = await callStatements(ada, {}, fileOf(sample));
		expect(preview.status, preview.text.slice(0, 400)).toBe(200);
		const { body } = preview;
		expect(body).toMatchObject({
			format: expected.format,
			platform: expected.platform,
			period: { from: expected.period.from, to: expected.period.to },
			needs: ["drivers"],
		});
		const wanted = Object.fromEntries(expected.fees.map((fee) => [keyOf(fee), fee.cents]));
		expect(sumsOf(body.fees)).toEqual(wanted);
		expect(body.fees.filter(({ isCredit }) => isCredit)).toHaveLength(expected.creditCount);
		expect(new Set(body.fees.map(({ state }) => state))).toEqual(new Set(["no-driver"]));
		expect(body.netted.map(({ platformId, date }) => [platformId, date])).toEqual(
			expected.nettedToZero.map(({ platformId, date }) => [platformId, date]),
		);
		for (const { reason, rows, cents } of expected.leftOut) {
			const left = body.leftOut.filter((row) => row.reason === reason);
			expect(left.map(({ row }) => row)).toEqual(rows);
			expect(left.reduce((sum, { amount }) => sum + centsOf(amount), 0)).toBe(cents);
		}
		expect(await recorded()).toEqual({ count: 0, cents: 0 });

		const answers = { drivers: matchAll(body) };
		const made = await callStatements(ada, { id: body.id, mode: "all", ...answers });
		expect(made.status, made.text.slice(0, 400)).toBe(201);
		expect(sumsOf(made.body.fees)).toEqual(wanted);
		expect(new Set(made.body.fees.map(({ state }) => state))).toEqual(new Set(["imported"]));
		const whole = { count: expected.fees.length, cents: expected.totals.all };
		expect(await recorded()).toEqual(whole);
		await totalsAgree();

		for (const again of [
			await callStatements(ada, { id: body.id, mode: "ready" }),
			await callStatements(ben, { mode: "ready" }, fileOf(sample)),
			await callStatements(ben, { mode: "all" }, fileOf(sample, expected.uploadAs)),
		]) {
			expect(again.status, again.text.slice(0, 400)).toBe(201);
			expect(again.body.importId).toBe(null);
			expect(new Set(again.body.fees.map(({ state }) => state))).toEqual(
				new Set(["imported-before"]),
			);
		}
		// Nothing is left to import, so no questions are asked.
		const seen = await callStatements(ben, {}, fileOf(sample));
		expect(seen.body.needs).toEqual([]);
		expect(await recorded()).toEqual(whole);
		const stored = await everythingStored();
		for (const secret of expected.mustNotStore ?? []) expect(stored).not.toContain(secret);
	});

	it("is imported in part, and completed once its drivers are known", async () => {
		const { body } = await callStatements(ada, {}, fileOf(sample));
		const all = JSON.parse(matchAll(body)) as Record<string, string>;
		const some = Object.fromEntries(Object.entries(all).slice(0, 3));
		const part = await callStatements(ada, {
			id: body.id,
			mode: "ready",
			drivers: JSON.stringify(some),
		});
		expect(part.status, part.text.slice(0, 400)).toBe(201);
		expect(part.body.needs).toContain("drivers");
		const imported = part.body.fees.filter(({ state }) => state === "imported");
		expect(new Set(imported.map(({ platformId }) => platformId))).toEqual(
			new Set(Object.keys(some)),
		);
		expect((await recorded())?.count).toBe(imported.length);
		const open = await callStatements(ada, { id: body.id, mode: "all" });
		expect(open.status).toBe(409);
		expect(open.body.message).toContain("aren't matched");
		const rest = await callStatements(
			ben,
			{ mode: "all", drivers: JSON.stringify(all) },
			fileOf(sample),
		);
		expect(rest.status, rest.text.slice(0, 400)).toBe(201);
		expect(await recorded()).toEqual({
			count: expected.fees.length,
			cents: expected.totals.all,
		});
	});
});

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
		expect(await shown(own.body.id)).not.toContain("names no currency");
		const nameless = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const page = await shown(nameless.body.id);
		expect(page).toContain("It names no currency, so its amounts count as euros.");
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

describe("lines", () => {
	const lines = sampleText("uber-payments-order").trimEnd().split(/\r?\n/);
	const part = (from: number, to: number) =>
		textFile([lines[0], ...lines.slice(from, to)].join("\n"), "payments_order.csv");

	it("of overlapping files add up to the whole in any order, and can be imported again after an undo", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const answer = { mode: "ready", drivers: matchAll(body) };
		for (const [from, to] of [
			[20, 47],
			[1, 30],
			[1, 47],
			[10, 25],
			[1, 12],
		] as const)
			expect((await callStatements(ada, answer, part(from, to))).status).toBe(201);
		expect((await recorded())?.cents).toBe(18_685);
		await totalsAgree();
		const imports = await sql<{ id: string }>("select id from fee_imports order by created_at");
		expect(imports).toHaveLength(2);
		// Deleting a fee doesn't make its lines importable again.
		const [gone] = await sql<{ id: string; amount_cents: number }>(
			"select id, amount_cents from uber_fees where is_credit = 0 limit 1",
		);
		expect((await ada.call("DELETE", `/api/uber-fees/${gone?.id}`)).status).toBe(204);
		await callStatements(ada, answer, fileOf("uber-payments-order"));
		expect((await recorded())?.cents).toBe(18_685 - (gone?.amount_cents ?? 0));
		// Another administrator undoes the second import, after which only its lines can be imported
		// again.
		const undone = await ben.post("/uber-fees/import", {
			intent: "undo",
			id: imports[1]?.id ?? "",
		});
		expect(undone.status).toBe(303);
		await totalsAgree();
		const again = await callStatements(ada, answer, fileOf("uber-payments-order"));
		expect(again.body.fees.some(({ state }) => state === "imported")).toBe(true);
		const [left] = await sql<{ gone: number }>(
			"select count(*) as gone from uber_fees as fee join fee_imports as made on made.id = fee.import_id where fee.id = ? and made.undone_at is null",
			gone?.id,
		);
		expect((await recorded())?.cents).toBe(18_685 - (left?.gone ? (gone?.amount_cents ?? 0) : 0));
		await totalsAgree();
	});

	it("that can't be read keep a script from importing all, and not from importing the rest", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const torn = lines.map((line) => line.replace(",-4.65,", ",########,")).join("\n");
		const send = (mode: string) =>
			callStatements(ada, { mode, drivers: matchAll(body) }, textFile(torn, "payments_order.csv"));
		const refused = await send("all");
		expect(refused.status, refused.text.slice(0, 300)).toBe(409);
		expect(refused.body).toMatchObject({
			needs: [],
			message: "Some of its rows can't be imported.",
		});
		expect(refused.body.leftOut).toContainEqual({
			row: 3,
			reason: "unreadable-amount",
			amount: null,
		});
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		expect((await send("ready")).status).toBe(201);
		expect((await recorded())?.count).toBeGreaterThan(0);
	});

	const dated = (day: string) => (line: string) => line.replace(/2026-09-\d\d/, day);
	it.each([
		["a day too long ago", "too-old", dated("2019-09-22")],
		["a day in the future", "after-today", dated(daysAgo(-3))],
	])("with %s keep a script from importing all", async (_, reason, change) => {
		const whole = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const at = lines.findIndex((line) => line.includes(",-4.65,"));
		const text = lines.map((line, row) => (row === at ? change(line) : line)).join("\n");
		const send = (mode: string) =>
			callStatements(
				ada,
				{ mode, drivers: matchAll(whole.body) },
				textFile(text, "payments_order.csv"),
			);
		const refused = await send("all");
		expect(refused.body.leftOut).toContainEqual(expect.objectContaining({ row: at + 1, reason }));
		expect([refused.status, refused.body.message]).toEqual([
			409,
			"Some of its rows can't be imported.",
		]);
		expect(await recorded()).toEqual({ count: 0, cents: 0 });
		expect((await send("ready")).status).toBe(201);
	});

	it("that are all left out aren't said to be imported before", async () => {
		const unreadable = lines.join("\n").replaceAll(/,2026-09-\d\d /g, ",someday ");
		const { body } = await callStatements(ada, {}, textFile(unreadable, "payments_order.csv"));
		expect([body.fees, body.netted]).toEqual([[], []]);
		const { text } = await ada.get(`/uber-fees/import?statement=${body.id}`);
		expect(text).toContain("This statement has no fees to import.");
		expect(text).not.toContain("already been imported");
	});

	it("without an id are told apart by their trip, however long its text is", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const long = lines
			.map((line, row) =>
				row === 0
					? line
					: line.replace(/^[^,"]*,([^,"]*,[^,"]*,[^,"]*),[^,"]*/, `,$1,${"x".repeat(600)}`),
			)
			.join("\n");
		const send = () =>
			callStatements(
				ada,
				{ mode: "ready", drivers: matchAll(body) },
				textFile(long, "payments_order.csv"),
			);
		const sent = await send();
		expect(sent.status, sent.text.slice(0, 500)).toBe(201);
		const first = await recorded();
		expect(first?.count).toBeGreaterThan(0);
		await send();
		expect(await recorded()).toEqual(first);
	});

	it("are imported once, however many people send them at the same time", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		const answer = { mode: "ready", drivers: matchAll(body) };
		const sent = await Promise.all(
			Array.from({ length: 8 }, (_, at) =>
				callStatements(at % 2 ? ada : ben, answer, fileOf("uber-payments-order")),
			),
		);
		for (const { status, text } of sent) expect(status, text.slice(0, 200)).toBe(201);
		expect(sent.filter(({ body: { importId } }) => importId !== null)).toHaveLength(1);
		expect(await recorded()).toEqual({ count: 18, cents: 18_685 });
		expect(await sql("select * from staged_fees")).toEqual([]);
		expect(await sql("select * from staged_imports")).toEqual([]);
		expect(await sql("select * from statement_lines where is_live = 0")).toEqual([]);
		await totalsAgree();
	});
});

describe("credits", () => {
	it("are negative in the API and subtracted from fee totals", async () => {
		const { body } = await callStatements(ada, {}, fileOf("uber-payments-order"));
		await callStatements(ada, { id: body.id, mode: "all", drivers: matchAll(body) });
		const fees = JSON.parse((await ada.call("GET", "/api/uber-fees")).text) as {
			amount: string;
			isCredit?: true;
			id: string;
		}[];
		expect(fees.reduce((sum, { amount }) => sum + centsOf(amount), 0)).toBe(18_685);
		const credits = fees.filter(({ isCredit }) => isCredit);
		expect(credits.map(({ amount }) => amount).sort()).toEqual(["-0.85", "-3.10"]);
		const page = await ada.get("/uber-fees");
		expect(page.text).toContain("€186.85");
		expect(page.text).toContain("-€3.10");
		const edit = await ada.get(`/uber-fees?dialog=edit&id=${credits[0]?.id}`);
		expect(edit.text).not.toContain("Delete and re-add</a>");
	});
});

describe("a driver's page", () => {
	it("sums the fares, tips, tolls and cash of a week", async () => {
		const path = `/drivers/${idOf("dana")}`;
		const title = "Fares by week";
		expect((await ada.get(path)).text).not.toContain(title);
		for (const rowKey of ["uber one", "uber two"])
			await insertRow(sql, "statement_money", {
				...{ import_id: "an-import", row_key: rowKey, is_live: 1, driver_id: idOf("dana") },
				...{ platform: "uber", format: "uber-payments-driver", row_number: 2, proof: "proven" },
				...{ counts_from: daysAgo(1), counts_to: daysAgo(1) },
				...{ fare_cents: 60_050, fee_cents: -10_000, tip_cents: 750, promotion_cents: 0 },
				...{ other_earning_cents: 0, toll_cents: 320, tax_cents: 0, third_party_cents: 0 },
				...{ cash_cents: -5_000, transfer_cents: 0 },
			});
		const [, weeks = ""] = (await ada.get(path)).text.split(title);
		expect(weeks.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).toContain(
			"€1,201.00 Tips €15.00 · tolls €6.40 · cash collected €100.00",
		);
	});
});

describe("the demo fleet's sample", () => {
	it("can be imported at once, because its drivers are already matched", async () => {
		for (const row of platformDriverRows(currentTime()))
			await insertRow((query, ...values) => sql(query, ...values), "platform_drivers", row);
		const [name = ""] = readdirSync("docs/samples");
		const file = { name, bytes: new Uint8Array(readFileSync(`docs/samples/${name}`)) };
		const made = await callStatements(ada, { mode: "all" }, file);
		expect(made.status, made.text.slice(0, 300)).toBe(201);
		expect(made.body).toMatchObject({ needs: [], unknownColumns: [] });
		expect(made.body.fees.some(({ isCredit }) => isCredit)).toBe(true);
		expect(new Set(made.body.fees.map(({ driverId }) => driverId))).toEqual(
			new Set([idOf("dana"), idOf("omar"), idOf("lena")]),
		);
		const { text } = await ada.get(`/uber-fees/import?statement=${made.body.id}`);
		const [, fees = ""] = /Fees of the statement([\s\S]*?)<\/table>/.exec(text) ?? [];
		expect(fees).toContain(`href="/drivers/${idOf("omar")}"`);
	});
});

describe("a file that isn't a fee statement", () => {
	const entry = "[Content_Types].xml";
	const workbook = new TextEncoder().encode(
		`PK\x03\x04${"\0".repeat(22)}${String.fromCharCode(entry.length)}\0\0\0${entry}`,
	);
	it.each([
		["a photo", new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), "IMG_1.jpg"],
		["a PDF", new TextEncoder().encode("%PDF-1.7 \n"), "statement.pdf"],
		["nothing", new Uint8Array(), "empty.csv"],
		["a workbook", workbook, "fees.xlsx"],
		["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), "fees.xls"],
		["text in another encoding", new Uint8Array([0x61, 0xff, 0xfe, 0x62]), "fees.csv"],
		["a list of other things", new TextEncoder().encode("a,b,c\n1,2,3\n"), "list.csv"],
		[
			"trip activity",
			new TextEncoder().encode(
				"Trip UUID,Driver UUID,Pickup address,Drop off address,Trip status\n1,2,Main St,Elm St,completed\n",
			),
			"20260921-20260928-trip_activity-Fleet.csv",
		],
	])("(%s) is refused with the name of the file to download", async (_, bytes, name) => {
		const waiting = async () =>
			(await fleet.files.list({ prefix: "s/" })).objects.map(({ key }) => key);
		const before = await waiting();
		const answer = await callStatements(ada, {}, { bytes, name });
		expect(answer.status, answer.text).toBe(422);
		expect(answer.body.message).toMatch(/[Dd]ownload.*(payments_order|by transaction)/);
		expect(await waiting()).toEqual(before);
	});
});

describe("an API call", () => {
	it.each([
		["no file", {}, 400],
		["an unknown mode", { mode: "both" }, 400],
		["drivers that aren't JSON", { drivers: "{" }, 400],
		["drivers that are a list", { drivers: "[1]" }, 400],
		["drivers without ids", { drivers: '{"a": "Dana"}' }, 400],
		["half a period", { from: "2026-09-01" }, 400],
		["an impossible date", { from: "2026-09-31", to: "2026-10-01" }, 400],
		["a reversed period", { from: "2026-10-01", to: "2026-09-01" }, 400],
		["another currency", { currency: "USD" }, 400],
		["an unknown preview", { id: "00000000-0000-4000-8000-000000000000" }, 404],
	])("with %s is refused", async (name, fields, status) => {
		const file = name === "no file" || "id" in fields ? undefined : fileOf("bolt-weekly");
		const answer = await callStatements(ada, fields, file);
		expect(answer.status, answer.text).toBe(status);
		expect(answer.body.message).toBeTruthy();
	});

	it("may leave every field empty", async () => {
		const fields = { id: "", mode: "", drivers: "", from: "", to: "", overlap: "", currency: "" };
		const answer = await callStatements(ada, fields, fileOf("bolt-weekly"));
		expect(answer.status, answer.text).toBe(200);
		expect(answer.body.importId).toBe(null);
	});

	it("may name an earlier preview in JSON", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		const call = (fields: object) =>
			ada.call("POST", "/api/statements", { id: body.id, ...fields });
		for (const drivers of [["x"], { x: 1 }, "{", 5])
			expect((await call({ drivers })).status, JSON.stringify(drivers)).toBe(400);
		const made = await call({ mode: "all", drivers: JSON.parse(matchAll(body)) });
		expect(made.status, made.text).toBe(201);
		expect((await recorded())?.count).toBe(expectedOf("bolt-weekly").fees.length);
		expect((await ada.call("POST", "/api/statements", { mode: "ready" })).status).toBe(400);
	});

	it("never sees someone else's preview, nor one's own after an hour", async () => {
		const { body } = await callStatements(ada, {}, fileOf("bolt-weekly"));
		expect((await callStatements(ben, { id: body.id })).status).toBe(404);
		expect((await callStatements(ada, { id: body.id })).status).toBe(200);
		await sql("update statement_files set expires_at = expires_at - 3600000");
		expect((await callStatements(ada, { id: body.id })).status).toBe(404);
	});
});
