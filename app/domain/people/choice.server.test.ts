import { describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { Database } from "../../db/client.server.ts";
import { foldLetter } from "../../values/fold.ts";
import { searchPeople, selectPersonChoices } from "./choice.server.ts";
import { type PeopleScope, type PersonQuery, toPersonChoice } from "./choice.ts";
import { findPeople } from "./found.server.ts";

const NOBODY_ASKED: PersonQuery = { id: "", text: "", answered: "" };

/** Ten people of the cast. */
const small = await openDatabase();
/** 2,000 more drivers: 500 for each of four beginnings, numbered from 101. */
const large = await openDatabase("everyone", undefined, { isLarge: true });
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

async function ask(bench: typeof small, circle: PeopleScope, asked: Partial<PersonQuery>) {
	const db = new Database(bench.batches);
	const whole = { ...NOBODY_ASKED, ...asked };
	const { rows } = await db.batch({ rows: selectPersonChoices(db.build, circle, whole) });
	return { choice: toPersonChoice(rows, whole), rows: db.cost.rows };
}
const labels = async (bench: typeof small, circle: PeopleScope, asked: Partial<PersonQuery>) =>
	(await ask(bench, circle, asked)).choice.people.map(({ label }) => label);

describe("people search", () => {
	const namesOf = async (name: "dana" | "omar") =>
		(
			await small.rows<{ name: string; circle: number }>(
				"select name, circle from person_names where user_id = ? order by name",
				idOf(name),
			)
		).map(({ name: each, circle }) => `${circle} ${each}`);

	it("is kept as the account changes, by whoever changes it", async () => {
		expect(await namesOf("omar")).toEqual([
			"2 @omar@milepost.test",
			"2 okafor omar",
			"2 omar okafor",
		]);
		const change = (set: string) =>
			small.rows(`update users set ${set} where id = ?`, idOf("omar"));
		await change("is_active = 0, first_name = 'Ömar-José', last_name = 'O’Kafor'");
		expect(await namesOf("omar")).toEqual([
			"1 @omar@milepost.test",
			"1 jose okafor omar",
			"1 jose omar okafor",
			"1 okafor jose omar",
			"1 okafor omar jose",
			"1 omar jose okafor",
			"1 omar okafor jose",
		]);
		await change("deleted_at = 1");
		expect(await namesOf("omar")).toEqual([]);
		await change("deleted_at = null, is_active = 1, first_name = 'Omar', last_name = 'Okafor'");
		expect(await namesOf("omar")).toHaveLength(3);
	});

	it("accepts any text as a name, and ignores what no one types", async () => {
		const [first, last] = ['" \\ {', "\u{1f697} \u0001 '); x"];
		await small.rows(
			"update users set first_name = ?, last_name = ? where id = ?",
			first,
			last,
			idOf("dana"),
		);
		expect((await namesOf("dana")).length).toBeGreaterThan(1);
		const long = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
		await small.rows(
			"update users set first_name = ?, last_name = ? where id = ?",
			long,
			long,
			idOf("dana"),
		);
		expect(await namesOf("dana")).toHaveLength(31);
		await small.rows(
			"update users set first_name = 'Dana', last_name = 'Driver' where id = ?",
			idOf("dana"),
		);
	});

	it("is folded by the database as it is by the code", async () => {
		const stored = new Map(
			(await small.rows<{ letter: string; folded: string }>("select * from letters")).map(
				({ letter, folded }) => [letter, folded],
			),
		);
		for (let code = 9; code < 0x110000; code++) {
			if (code >= 0xd800 && code <= 0xdfff) continue;
			const letter = String.fromCodePoint(code);
			if ((stored.get(letter) ?? letter) !== foldLetter(letter))
				expect(`${code.toString(16)} ${stored.get(letter)}`).toBe(foldLetter(letter));
		}
	});

	it("searches a small fleet too, when only a search is wanted", async () => {
		const db = new Database(small.batches);
		const { rows } = await db.batch({ rows: searchPeople(db.build, "everybody", "nguyen") });
		expect(toPersonChoice(rows, { ...NOBODY_ASKED, text: "nguyen" })).toMatchObject({
			people: [{ label: "Łena Nguyễn (DRV-0003)" }],
			match: { label: "Łena Nguyễn (DRV-0003)" },
		});
	});
});

describe("a small fleet", () => {
	it("is a select of everyone in scope by last name, whatever was typed", async () => {
		const { choice } = await ask(small, "activeDrivers", { text: "Okafor" });
		expect(choice.isSearch).toBe(false);
		expect(choice.text).toBe("");
		expect(choice.people.map(({ label }) => label)).toEqual([
			"Dana Driver (DRV-0001)",
			"Inès Invited (DRV-0005)",
			"Łena Nguyễn (DRV-0003)",
			"Omar Okafor (DRV-0002)",
		]);
		expect(await labels(small, "approvedDrivers", {})).toContain(
			"Ivan Inactive (DRV-0004), inactive",
		);
		const everybody = await labels(small, "everybody", {});
		expect(everybody).toHaveLength(10);
		expect(everybody).toEqual(
			expect.arrayContaining(["Ada Admin (administrator)", "Nora Newcomer", "nina@milepost.test"]),
		);
	});

	it("labels the chosen person, even out of scope, and reports an unknown one", async () => {
		expect((await ask(small, "activeDrivers", { id: idOf("ivan") })).choice.chosen?.label).toBe(
			"Ivan Inactive (DRV-0004), inactive",
		);
		expect((await ask(small, "activeDrivers", {})).choice.chosen).toBeUndefined();
		const unknown = "99999999-0000-4000-8000-000000000000";
		expect((await ask(small, "activeDrivers", { id: unknown })).choice.chosen).toMatchObject({
			id: unknown,
			label: "Unknown person",
		});
	});

	it("leaves out an invitation that was cancelled", async () => {
		const bench = await openDatabase();
		await bench.rows("update users set deleted_at = 1, is_active = 0 where id = ?", idOf("ines"));
		expect(await labels(bench, "approvedDrivers", {})).not.toContain(
			"Inès Invited (DRV-0005), inactive",
		);
	});

	it("finds nobody by the driver ID of an invitation that was cancelled, as by their name", async () => {
		const bench = await openDatabase();
		await bench.rows("update users set deleted_at = 1, is_active = 0 where id = ?", idOf("ines"));
		const db = new Database(bench.batches);
		for (const text of ["DRV-0005", "Invited"]) {
			const { found, searched } = await db.batch({
				found: findPeople(db.build, text),
				searched: searchPeople(db.build, "everybody", text),
			});
			expect(found).toEqual([]);
			expect(searched.filter(({ part }) => part === "found")).toEqual([]);
		}
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
		["last name,first name", "okafor,omar", "Omar Okafor (DRV-0002)"],
		["a last name and a comma", "Okafor,", "Omar Okafor (DRV-0002)"],
		["an initial and the last name", "o okafor", "Omar Okafor (DRV-0002)"],
		["a first name", "Omar", "Omar Okafor (DRV-0002)"],
		["the beginning of a first name in capitals", "OMA", "Omar Okafor (DRV-0002)"],
		["a first name, and the beginning of the last", "omar ok", "Omar Okafor (DRV-0002)"],
		[
			"a first name whose first letter has a small and a large form, in small",
			"łena",
			"Łena Nguyễn (DRV-0003)",
		],
		["the same in capitals", "ŁENA", "Łena Nguyễn (DRV-0003)"],
		["the same before a last name in small", "łena nguyễn", "Łena Nguyễn (DRV-0003)"],
		["a first name with an accent in it", "inÈs", "Inès Invited (DRV-0005)"],
		["a last name of two words", "VAN DIJK0002", "Bob2 van Dijk0002 (DRV-0102)"],
		[
			"a last name of two words after a first name",
			"bob2 van dijk0002",
			"Bob2 van Dijk0002 (DRV-0102)",
		],
		[
			"a last name of two words before a first name",
			"van dijk0002 bob2",
			"Bob2 van Dijk0002 (DRV-0102)",
		],
		["a last name of two words after an initial", "b van dijk0002", "Bob2 van Dijk0002 (DRV-0102)"],
		["an accent", "NGUYỄN0003", "Ann3 Nguyễn0003 (DRV-0103)"],
		["a code", "DRV-0104", "Bob4 McDonald0004 (DRV-0104)"],
		["a code without its letters", "0104", "Bob4 McDonald0004 (DRV-0104)"],
		["a number", "104", "Bob4 McDonald0004 (DRV-0104)"],
		["a name without its accents", "Lena Nguyen", "Łena Nguyễn (DRV-0003)"],
		["the same with the beginnings of both alone", "len ngu", "Łena Nguyễn (DRV-0003)"],
		["beginnings of both names, the last one first", "oka om", "Omar Okafor (DRV-0002)"],
		["the second word of a last name", "dijk0002", "Bob2 van Dijk0002 (DRV-0102)"],
		["a first name and the second word of the last", "bob2 dij", "Bob2 van Dijk0002 (DRV-0102)"],
		["a code with a small prefix and no zeros", "drv-104", "Bob4 McDonald0004 (DRV-0104)"],
		["an address", "person0003@", "Ann3 Nguyễn0003 (DRV-0103)"],
		["the beginning of an address", "Omar@", "Omar Okafor (DRV-0002)"],
	])("by %s", async (_, text, label) => {
		const { choice } = await ask(large, "activeDrivers", { text });
		expect(choice.people.map((person) => person.label)).toEqual([label]);
		// A form then says what they were found by.
		expect(choice.matched).toBe(text);
	});

	it("by incomplete words, however many people have one of them", async () => {
		const bench = await openDatabase();
		await bench.rows(
			`insert into users (id, role, first_name, last_name, approval_status, created_at)
				select printf('70000000-0000-4000-8000-%012d', value), 'driver', printf('Jo%02d', value), 'Adams', 'approved', 1
					from json_each('[${Array.from({ length: 80 }, (_, position) => position)}]')
				union all select '70000000-0000-4000-8000-000000000101', 'driver', 'John', 'Smith', 'approved', 1`,
		);
		for (const text of ["jo sm", "sm jo"])
			expect((await ask(bench, "activeDrivers", { text })).choice).toMatchObject({
				matched: text,
				people: [{ label: "John Smith" }],
			});
	});

	it("finds last names and first names that begin alike, each person once", async () => {
		const bench = await openDatabase();
		await bench.rows(
			`insert into users (id, role, first_name, last_name, approval_status, created_at)
				select printf('70000000-0000-4000-8000-%012d', value), 'driver', 'Driver' || value, 'Zz', 'approved', 1
					from json_each('[${Array.from({ length: 50 }, (_, position) => position)}]')
				union all select '70000000-0000-4000-8000-000000000101', 'driver', 'Éluard', 'Quist', 'approved', 1
				union all select '70000000-0000-4000-8000-000000000102', 'driver', 'Quincy', 'Quist', 'approved', 1
				union all select '70000000-0000-4000-8000-000000000103', 'driver', 'Quinn', 'Éluard', 'approved', 1`,
		);
		expect(await labels(bench, "activeDrivers", { text: "qui" })).toEqual([
			"Quinn Éluard",
			"Éluard Quist",
			"Quincy Quist",
		]);
		expect(await labels(bench, "activeDrivers", { text: "éluard" })).toEqual([
			"Quinn Éluard",
			"Éluard Quist",
		]);
		await bench.rows(
			"update users set deleted_at = 1 where id = '70000000-0000-4000-8000-000000000102'",
		);
		expect(await labels(bench, "activeDrivers", { text: "quinc" })).toEqual(["Quinn Éluard"]);
		const first = (await ask(bench, "activeDrivers", { text: "driver" })).choice;
		expect(first).toMatchObject({ hasMore: true, matched: "driver" });
		// Last names come first if there are more people than are offered.
		expect(first.people).toHaveLength(20);
		expect(first.people[0]?.label).toBe("Dana Driver (DRV-0001)");
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

	it("offers the closest beginnings when no name begins with all of it: a typo at the end, an extra word", async () => {
		const { choice } = await ask(large, "activeDrivers", { text: "Nguyenx" });
		expect(choice.matched).toBe("nguyen");
		expect(choice.people[0]?.label).toContain("Nguyễn");
		expect((await ask(large, "activeDrivers", { text: "okaforr" })).choice).toMatchObject({
			matched: "okafor",
			people: [{ label: "Omar Okafor (DRV-0002)" }],
		});
		// Of two words, the longer that someone's name starts with.
		for (const text of ["Okafor Xavier", "Xavier Okafor", "okafor, xavier"])
			expect((await ask(large, "activeDrivers", { text })).choice).toMatchObject({
				matched: "okafor",
				people: [{ label: "Omar Okafor (DRV-0002)" }],
			});
		const { choice: many } = await ask(large, "activeDrivers", { text: "mcdonald x" });
		expect(many).toMatchObject({ matched: "mcdonald", hasMore: true });
		expect(many.people).toHaveLength(20);
	});

	it("offers no closest beginnings when someone matches all of it", async () => {
		const bench = await openDatabase();
		await bench.rows(
			`insert into users (id, role, first_name, last_name, email, approval_status, created_at)
				select printf('70000000-0000-4000-8000-%012d', value), 'driver', 'Person', 'Zz' || value, 'personnel' || value || '@fleet.test', 'approved', 1
				from json_each('[${Array.from({ length: 60 }, (_, position) => position + 10)}]')`,
		);
		const { choice } = await ask(bench, "activeDrivers", { text: "personnel12" });
		expect(choice).toMatchObject({ matched: "personnel12", people: [{ label: "Person Zz12" }] });
	});

	it.each(["Xylo", "99999", "%", "_", ",", " , ", "' or 1=1 --", "nobody@", "ok\u{1f697}"])(
		"finds nobody for %s",
		async (text) => {
			expect((await ask(large, "activeDrivers", { text })).choice).toMatchObject({
				people: [],
				hasMore: false,
				matched: text,
			});
		},
	);

	it("by the digits that an email begins with, beside the driver of that number", async () => {
		const change = (email: string, number: number) =>
			large.rows("update users set email = ? where driver_number = ?", email, number);
		await change("0105cabs@fleet.test", 106);
		expect(await labels(large, "activeDrivers", { text: "0105" })).toEqual([
			"Ann5 mcdonald0005 (DRV-0105)",
			"Bob6 van Dijk0006 (DRV-0106)",
		]);
		await change("person0006@fleet.test", 106);
	});

	it("within one list of the screen, however many of the name are in others", async () => {
		const deactivate = (isActive: number) =>
			large.rows("update users set is_active = ? where driver_number = 2100", isActive);
		await deactivate(0);
		const db = new Database(large.batches);
		const { found } = await db.batch({ found: findPeople(db.build, "bob", "inactive") });
		expect(found.map(({ driverNumber }) => driverNumber)).toEqual([2100]);
		await deactivate(1);
	});

	it("stays in scope", async () => {
		for (const text of ["Inactive", "DRV-0004", "ivan@"]) {
			expect(await labels(large, "activeDrivers", { text })).toEqual([]);
			expect(await labels(large, "approvedDrivers", { text })).toEqual([
				"Ivan Inactive (DRV-0004), inactive",
			]);
		}
		expect(await labels(large, "approvedDrivers", { text: "Newcomer" })).toEqual([]);
		expect(await labels(large, "everybody", { text: "Newcomer" })).toEqual(["Nora Newcomer"]);
		expect(await labels(large, "everybody", { text: "admin" })).toEqual([
			"Ada Admin (administrator)",
		]);
	});

	const TEXTS = [
		"m",
		"mcdonald",
		"mcdonald0004",
		"bob",
		"Bob4 McDonald0004",
		"ann9 nobody",
		"van dijk0002",
		"Om Oka",
		"łena",
		"Nguyen",
		"DRV-0104",
		"person",
		"p",
		"zz",
		"",
	];

	it("reads few rows for any search, even among 50,000 people", async () => {
		const costs = async () => {
			const found: Record<string, number> = {};
			for (const circle of ["activeDrivers", "approvedDrivers", "everybody"] as const)
				for (const text of TEXTS)
					found[`${circle} ${text}`] = (await ask(large, circle, { text, id: idOf("dana") })).rows;
			return found;
		};
		const before = await costs();
		for (const [name, rows] of Object.entries(before)) expect(rows, name).toBeLessThanOrEqual(300);
		// The most expensive search: four words that match nobody.
		expect(
			(await ask(large, "everybody", { text: "bobby mcdonaldy nguyenyy vandijkyy" })).rows,
		).toBeLessThanOrEqual(300);
		await addDrivers(2001, 50_000);
		expect(await costs()).toEqual(before);
	});

	it("scans no table of people", async () => {
		const { build } = new Database(large.batches);
		for (const circle of ["activeDrivers", "approvedDrivers", "everybody"] as const)
			for (const text of TEXTS) {
				const statement = selectPersonChoices(build, circle, {
					...NOBODY_ASKED,
					text,
				}) as unknown as {
					getQuery(): { sql: string; params: unknown[] };
				};
				const { sql, params } = statement.getQuery();
				expect(params.length).toBeLessThan(100);
				const steps = await large.rows<{ detail: string }>(`explain query plan ${sql}`, ...params);
				expect(steps.filter(({ detail }) => /^SCAN users/.test(detail))).toEqual([]);
				expect(steps.filter(({ detail }) => /^SCAN (names|others)/.test(detail))).toEqual([]);
				if (text === "" || text === "DRV-0104") continue;
				const ranges = steps.flatMap(
					({ detail }) =>
						/^SEARCH (\w+) USING .*\((\w+)=\? AND name>\? AND name<\?\)$/
							.exec(detail)
							?.slice(1, 3) ?? [],
				);
				expect(ranges).toEqual(expect.arrayContaining(["names", "circle"]));
			}
	});
});
