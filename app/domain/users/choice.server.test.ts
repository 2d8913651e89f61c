import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/cast.ts";
import { openDatabase } from "../../../tests/database.ts";
import { Database } from "../../db/client.server.ts";
import { type Circle, peopleToChoose } from "./choice.server.ts";
import { type AskedPerson, choiceFrom } from "./choice.ts";

const NOBODY_ASKED: AskedPerson = { id: "", text: "", answered: "" };

/** Ten people of the cast. */
const small = await openDatabase();
/** 2,000 drivers more: 500 for each of four beginnings, numbered from 101. */
const large = await openDatabase();
const addDrivers = (from: number, to: number) =>
	large.rows(
		`insert into users (id, role, first_name, last_name, approval_status, driver_number, email, created_at)
			with recursive n(value) as (select cast(? as integer) union all select value + 1 from n where value < ?)
			select printf('70000000-0000-4000-8000-%012d', value), 'driver', iif(value % 2, 'Ann', 'Bob') || value,
				case value % 4 when 0 then 'McDonald' when 1 then 'mcdonald' when 2 then 'van Dijk' else 'Nguyễn' end || printf('%04d', value),
				'approved', value + 100, printf('person%04d@fleet.test', value), 1 from n`,
		from,
		to,
	);
await addDrivers(1, 2000);

async function ask(bench: typeof small, circle: Circle, asked: Partial<AskedPerson>) {
	const db = new Database(bench.batches);
	const whole = { ...NOBODY_ASKED, ...asked };
	const { rows } = await db.batch({ rows: peopleToChoose(db.build, circle, whole) });
	return { choice: choiceFrom(rows, whole), rows: db.cost.rows };
}
const labels = async (bench: typeof small, circle: Circle, asked: Partial<AskedPerson>) =>
	(await ask(bench, circle, asked)).choice.people.map(({ label }) => label);

describe("a small fleet", () => {
	it("is a select of everybody in the circle by last name, whatever was typed", async () => {
		const { choice } = await ask(small, "activeDrivers", { text: "Okafor" });
		expect(choice.isSearch).toBe(false);
		expect(choice.text).toBe("");
		expect(choice.people.map(({ label }) => label)).toEqual([
			"Dana Driver (DRV-0001)",
			"Inès Invited (DRV-0005)",
			"Łena Nguyễn (DRV-0003)",
			"Omar Okafor (DRV-0002)",
		]);
		expect(await labels(small, "approvedDrivers", {})).toContain("Ivan Inactive (DRV-0004), inactive");
		const everybody = await labels(small, "everybody", {});
		expect(everybody).toHaveLength(10);
		expect(everybody).toEqual(expect.arrayContaining(["Ada Admin (administrator)", "Nora Newcomer", "nina@milepost.test"]));
	});

	it("knows whoever is chosen, also outside of the circle, and says when there is no such person", async () => {
		expect((await ask(small, "activeDrivers", { id: idOf("ivan") })).choice.chosen?.label).toBe("Ivan Inactive (DRV-0004), inactive");
		expect((await ask(small, "activeDrivers", {})).choice.chosen).toBeUndefined();
		const unknown = "99999999-0000-4000-8000-000000000000";
		expect((await ask(small, "activeDrivers", { id: unknown })).choice.chosen).toMatchObject({
			id: unknown,
			label: "Somebody who is not on record",
		});
	});

	it("leaves out an invitation that was cancelled", async () => {
		const bench = await openDatabase();
		await bench.rows("update users set deleted_at = 1, is_active = 0 where id = ?", idOf("ines"));
		expect(await labels(bench, "approvedDrivers", {})).not.toContain("Inès Invited (DRV-0005), inactive");
	});
});

describe("a large fleet is searched", () => {
	it("offers nobody before anything is typed, and says that it is a search", async () => {
		const { choice } = await ask(large, "activeDrivers", {});
		expect(choice).toMatchObject({ isSearch: true, people: [], hasMore: false, chosen: undefined });
	});

	it.each<[string, string, string]>([
		["a last name", "okafor", "Omar Okafor (DRV-0002)"],
		["its beginning in capitals", "OKAF", "Omar Okafor (DRV-0002)"],
		["a name with capitals inside", "mcdonald0004", "Bob4 McDonald0004 (DRV-0104)"],
		["first and last name", "Omar Okafor", "Omar Okafor (DRV-0002)"],
		["last and first name", "okafor o", "Omar Okafor (DRV-0002)"],
		["last name, first name", "Okafor, Omar", "Omar Okafor (DRV-0002)"],
		["a last name of two words", "VAN DIJK0002", "Bob2 van Dijk0002 (DRV-0102)"],
		["a last name of two words after a first name", "bob2 van dijk0002", "Bob2 van Dijk0002 (DRV-0102)"],
		["an accent", "NGUYỄN0003", "Ann3 Nguyễn0003 (DRV-0103)"],
		["a code", "DRV-0104", "Bob4 McDonald0004 (DRV-0104)"],
		["a code without its letters", "0104", "Bob4 McDonald0004 (DRV-0104)"],
		["a number", "104", "Bob4 McDonald0004 (DRV-0104)"],
		["an address", "person0003@", "Ann3 Nguyễn0003 (DRV-0103)"],
		["the beginning of an address", "Omar@", "Omar Okafor (DRV-0002)"],
	])("by %s", async (_, text, label) => {
		expect(await labels(large, "activeDrivers", { text })).toEqual([label]);
	});

	it("takes both spellings of capitals, at most 20 people, and says that there are more", async () => {
		const { choice } = await ask(large, "activeDrivers", { text: "MCDONALD00" });
		expect(choice.people).toHaveLength(20);
		expect(choice.hasMore).toBe(true);
		const both = await labels(large, "activeDrivers", { text: "mcdonald001" });
		expect(both).toEqual([
			"Bob12 McDonald0012 (DRV-0112)",
			"Ann13 mcdonald0013 (DRV-0113)",
			"Bob16 McDonald0016 (DRV-0116)",
			"Ann17 mcdonald0017 (DRV-0117)",
		]);
	});

	it("offers the names that begin most alike when none begins with all of it: a missing accent, a slip at the end", async () => {
		const { choice } = await ask(large, "activeDrivers", { text: "Nguyen" });
		expect(choice.matched).toBe("nguy");
		expect(choice.people[0]?.label).toContain("Nguyễn");
		expect((await ask(large, "activeDrivers", { text: "okaforr" })).choice).toMatchObject({
			matched: "okafor",
			people: [{ label: "Omar Okafor (DRV-0002)" }],
		});
	});

	it.each(["Xylo", "99999", "%", "_", "' or 1=1 --", "nobody@", "ok\u{1f697}"])(
		"finds nobody, or nobody by all of it, for %s",
		async (text) => {
			const { choice } = await ask(large, "activeDrivers", { text });
			expect(choice.people.filter(() => choice.matched === text.toLowerCase())).toEqual([]);
		},
	);

	it("keeps to the circle", async () => {
		for (const text of ["Inactive", "DRV-0004", "ivan@"]) {
			expect(await labels(large, "activeDrivers", { text })).toEqual([]);
			expect(await labels(large, "approvedDrivers", { text })).toEqual(["Ivan Inactive (DRV-0004), inactive"]);
		}
		expect(await labels(large, "approvedDrivers", { text: "Newcomer" })).toEqual([]);
		expect(await labels(large, "everybody", { text: "Newcomer" })).toEqual(["Nora Newcomer"]);
		expect(await labels(large, "everybody", { text: "admin" })).toEqual(["Ada Admin (administrator)"]);
	});

	const TEXTS = [
		"m",
		"mcdonald",
		"mcdonald0004",
		"Bob4 McDonald0004",
		"ann9 nobody",
		"van dijk0002",
		"Nguyen",
		"DRV-0104",
		"person",
		"p",
		"zz",
		"",
	];

	it("reads few rows whoever is looked for, and no more of them in a fleet three times as large", async () => {
		const costs = async () => {
			const found: Record<string, number> = {};
			for (const circle of ["activeDrivers", "approvedDrivers", "everybody"] as const)
				for (const text of TEXTS) found[`${circle} ${text}`] = (await ask(large, circle, { text, id: idOf("dana") })).rows;
			return found;
		};
		const before = await costs();
		for (const [name, rows] of Object.entries(before)) expect(rows, name).toBeLessThanOrEqual(name.startsWith("everybody") ? 295 : 220);
		await addDrivers(2001, 6000);
		expect(await costs()).toEqual(before);
	});

	it("scans no table of people", async () => {
		const { build } = new Database(large.batches);
		for (const circle of ["activeDrivers", "approvedDrivers", "everybody"] as const)
			for (const text of TEXTS) {
				const statement = peopleToChoose(build, circle, { ...NOBODY_ASKED, text }) as unknown as {
					getQuery(): { sql: string; params: unknown[] };
				};
				const { sql, params } = statement.getQuery();
				expect(params.length).toBeLessThan(100);
				const steps = await large.rows<{ detail: string }>(`explain query plan ${sql}`, ...params);
				expect(steps.filter(({ detail }) => /^SCAN users/.test(detail))).toEqual([]);
				expect(steps.some(({ detail }) => detail.startsWith("SEARCH users"))).toBe(true);
			}
	});
});
