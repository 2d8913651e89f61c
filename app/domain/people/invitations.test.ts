/** How a pasted list of drivers is parsed. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { invitationsInput, readInvitations } from "./invitations.ts";

const read = (text: string) =>
	readInvitations(text).drivers.map((driver) =>
		"fault" in driver ? driver.fault : [driver.email, driver.firstName, driver.lastName],
	);

it.each([
	["ana@x.test", [["ana@x.test", "", ""]]],
	[" Ana@X.test ,", [["ana@x.test", "", ""]]],
	[
		"ana@x.test, ben@x.test;cleo@x.test dan@x.test",
		["ana", "ben", "cleo", "dan"].map((name) => [`${name}@x.test`, "", ""]),
	],
	["Ana Lima <ana@x.test>", [["ana@x.test", "Ana", "Lima"]]],
	['"Ana Maria Lima" <ana@x.test>', [["ana@x.test", "Ana Maria", "Lima"]]],
	["ana@x.test,Ana,Lima", [["ana@x.test", "Ana", "Lima"]]],
	["Ana;Lima;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["ana@x.test\tAna Lima", [["ana@x.test", "Ana", "Lima"]]],
	["ana@x.test Ana Lima", [["ana@x.test", "Ana", "Lima"]]],
	["Ana ana@x.test", [["ana@x.test", "Ana", ""]]],
	[
		"Last name,First name,Email\nLima,Ana,ana@x.test\n\nOduya,,b@x.test",
		[
			["ana@x.test", "Ana", "Lima"],
			["b@x.test", "", "Oduya"],
		],
	],
	['"Driver";"E-mail"\n"Ana Lima";"ana@x.test"', [["ana@x.test", "Ana", "Lima"]]],
	["First name,Name,Email\nAna,Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Name,Surname,Email\nAna Maria,Lima,ana@x.test", [["ana@x.test", "Ana Maria", "Lima"]]],
	["Full name,First name,Email\nAna Eva Lima,Ana,ana@x.test", [["ana@x.test", "Ana Eva", "Lima"]]],
	['Name,Last name,Email\n"Lima, Ana",Lima,ana@x.test', [["ana@x.test", "Ana", "Lima"]]],
	["Vorname;Nachname;E-Mail\nAna;Lima;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Name;Vorname;E-Mail-Adresse\nLima;Ana;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Nom;Prénom;E-mail\nLima;Ana;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Imię,Nazwisko,Adres e-mail\nAna,Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Nombre\tApellidos\tEmail\nAna\tLima\tana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Nome,Cognome,Email\nAna,Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	['"Lima, Ana",ana@x.test', [["ana@x.test", "Ana", "Lima"]]],
	['"Lima, Ana" <ana@x.test>', [["ana@x.test", "Ana", "Lima"]]],
	['Name,Email\n"Lima, ""Ana""",ana@x.test', [["ana@x.test", '"Ana"', "Lima"]]],
	['"torn,ana@x.test', [["ana@x.test", '"torn', ""]]],
	[
		"Dana Example <a@x.test>; Omar Driver <b@x.test>",
		[
			["a@x.test", "Dana", "Example"],
			["b@x.test", "Omar", "Driver"],
		],
	],
	[
		'"Example, Dana" <a@x.test>, Driver, Omar <b@x.test>; c@x.test;',
		[
			["a@x.test", "Dana", "Example"],
			["b@x.test", "Omar", "Driver"],
			["c@x.test", "", ""],
		],
	],
	[
		"a@x.test, Dana Example <b@x.test>",
		[
			["a@x.test", "", ""],
			["b@x.test", "Dana", "Example"],
		],
	],
	["d@x.test (Ivy Iverson)", [["d@x.test", "Ivy", "Iverson"]]],
	["Ivy Iverson (d@x.test)", [["d@x.test", "Ivy", "Iverson"]]],
	[
		"d@x.test (Ivy Iverson), e@x.test (Iverson, Sam)",
		[
			["d@x.test", "Ivy", "Iverson"],
			["e@x.test", "Sam", "Iverson"],
		],
	],
	["Name,Email\nLima, Ana,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Email,Driver\nana@x.test,Lima, Ana", [["ana@x.test", "Ana", "Lima"]]],
	["Name\tEmail\nLima, Ana\tana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Name;Email\nLima, Ana;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	['"Last, First",Email\n"Lima, Ana",ana@x.test', [["ana@x.test", "Ana", "Lima"]]],
	["Last, First, Email\nLima, Ana, ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Last, First, Email\nAna Lima <ana@x.test>", [["ana@x.test", "Ana", "Lima"]]],
	["Driver ID,Name,Email\nD17,Ana Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Driver ID,Driver,Email\n17,Ana Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Driver license;Full name;Email\nX123;Ana Lima;ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	[
		"Home Address,First Name,Last Name,Email\n1 Main St,Ana,Lima,ana@x.test",
		[["ana@x.test", "Ana", "Lima"]],
	],
	[
		"Company name,Driver's name,E-mail address,Last trip\nAcme,Ana Lima,ana@x.test,May 3",
		[["ana@x.test", "Ana", "Lima"]],
	],
	["Driver license,Email\nX123,ana@x.test", [["ana@x.test", "", ""]]],
	["Name,Address\nAna Lima,ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["17, +1 555 0100, Ana Lima, ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["1. Ana Lima <ana@x.test>", [["ana@x.test", "Ana", "Lima"]]],
	[
		"- Ana Lima ana@x.test\n• ben@x.test",
		[
			["ana@x.test", "Ana", "Lima"],
			["ben@x.test", "", ""],
		],
	],
	["Ana Lima - ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["Ana Lima: ana@x.test", [["ana@x.test", "Ana", "Lima"]]],
	["ana@x.test – Ana Lima-Reis", [["ana@x.test", "Ana", "Lima-Reis"]]],
	["ana@x.test: Ana Lima", [["ana@x.test", "Ana", "Lima"]]],
	["'Ana O'Neill' <mailto:ana@x.test>", [["ana@x.test", "Ana", "O'Neill"]]],
	["Gerard 't Hooft <g@x.test>", [["g@x.test", "Gerard 't", "Hooft"]]],
	["ana-maria@x.test, Ana", [["ana-maria@x.test", "Ana", ""]]],
	["", []],
	[" \n,,\n", []],
])("reads %j", (text, drivers) => {
	expect(read(text)).toEqual(drivers);
});

it("says what is wrong with a line, and keeps the line", () => {
	const list = `ana@x.test\nnobody\nAna <ana@x.test>\n${"B".repeat(81)} L <b@x.test>`;
	expect(read(list)).toEqual([
		["ana@x.test", "", ""],
		"No valid email address on this line.",
		"ana@x.test is on the list twice.",
		"Name: Use 80 characters or fewer.",
	]);
	expect(read(`Ana ${"B".repeat(81)} <ana@x.test>\nAna Lima <ana@x.test>`)).toEqual([
		"Name: Use 80 characters or fewer.",
		["ana@x.test", "Ana", "Lima"],
	]);
	expect(read("Ana;a@x.test;Ben;b@x.test\nAna (DRV-0001) <a@x.test>\nana lima")).toEqual([
		"There's more than one email address on this line. Put each driver on a line of their own.",
		"Name: Leave the driver ID out of the name.",
		"No valid email address on this line.",
	]);
	expect(read("Name,Email,Second email\nAna Lima,,ana@x.test")).toEqual([
		"No valid email address on this line.",
	]);
	expect(readInvitations(list).drivers[2]?.line).toBe("Ana <ana@x.test>");
});

it("asks for an email address where a list has no line to invite", () => {
	const problems = (people: string) =>
		v.safeParse(invitationsInput, { people }).issues?.map(({ message }) => message);
	for (const list of [" ", ",,\n;", "Email,First name,Last name"])
		expect(problems(list)).toEqual(["Enter at least one email address"]);
	expect(problems("ana@x.test")).toBeUndefined();
	// An unreadable line is reported with the others.
	expect(problems("Email,Name\nnobody")).toBeUndefined();
});
