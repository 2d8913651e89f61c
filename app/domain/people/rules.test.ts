/** Names, emails and standings: the rules that decide who has access. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getStanding } from "../kernel/standing.ts";
import { FRESH_SIGN_IN_MS, INVITATION_TTL_MS } from "../kernel/time-limits.ts";
import {
	displayName,
	driverNumberIn,
	formatDriverCode,
	formatInitials,
	nameWithCode,
	normalizeEmail,
	shownDriverCode,
} from "./rules.ts";

describe("driverNumberIn", () => {
	it.each([
		["DRV-0012", 12],
		["drv12", 12],
		["DRV 12", 12],
		["0012", 12],
		[" 12 ", 12],
		["DRV-123456789", 123_456_789],
		["Dana Driver (DRV-0012)", 12],
		[" Dana Driver (drv-0012), inactive ", 12],
	])("finds in %j the number %i", (text, number) => {
		expect(driverNumberIn(text)).toBe(number);
	});

	it.each([
		"",
		"Dana",
		"12 Main Street",
		"Route 12",
		"DRV",
		"DRV--12",
		"DRVx12",
		"12x",
		"1234567890",
		"Dana (12)",
		"Dana (DRV-0012) of Boston",
	])("finds none in %j", (text) => {
		expect(driverNumberIn(text)).toBeUndefined();
	});
});

describe("normalizeEmail", () => {
	it("accepts up to 254 characters", () => {
		const ofLength = (length: number) => {
			const end = `@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
			return `${"a".repeat(length - end.length)}${end}`;
		};
		expect(normalizeEmail(ofLength(254))).toHaveLength(254);
		expect(normalizeEmail(ofLength(255))).toBeUndefined();
	});

	it.each([
		["dana@milepost.test", "dana@milepost.test"],
		["  Dana@Milepost.TEST \n", "dana@milepost.test"],
		["a@b.c", "a@b.c"],
		["dana.driver+fuel@mail.example.co.uk", "dana.driver+fuel@mail.example.co.uk"],
		["o'neil@example.com", "o'neil@example.com"],
		["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
		["x@xn--bcher-kva.example", "x@xn--bcher-kva.example"],
		[`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
		[`a@${"b".repeat(63)}.com`, `a@${"b".repeat(63)}.com`],
	])("takes %j", (text, address) => {
		expect(normalizeEmail(text)).toBe(address);
	});

	it.each([
		"",
		"dana",
		"@example.com",
		"dana@",
		"dana@localhost",
		"dana@@example.com",
		"a@b@example.com",
		"dana@example..com",
		"dana@.example.com",
		"dana@-example.com",
		"dana@example.com.",
		"dana @example.com",
		"dana@exa mple.com",
		"dana@example.com, eve@example.com",
		"dana@example.com\neve@example.com",
		"dana@example.com\r\nBcc: eve@example.com",
		"dana@example.com\u0000",
		"<dana@example.com>",
		'"dana"@example.com',
		"dana@[127.0.0.1]",
		"dana@exämple.com",
		"dána@example.com",
		// Letters that lower-casing turns into ASCII: the Kelvin sign and the dotted capital I.
		"\u212aate@example.com",
		"\u0130da@example.com",
		"dana@example．com",
		"dana\u200b@example.com",
		`${"a".repeat(65)}@example.com`,
		`a@${"b".repeat(64)}.com`,
		`${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(20)}.com`,
	])("refuses %j", (text) => {
		expect(normalizeEmail(text)).toBeUndefined();
	});

	it("is idempotent, and what it accepts passes the schema's CHECK", () => {
		const texts = fc.oneof(
			fc.emailAddress(),
			fc.string({ unit: fc.constantFrom(..."aZ9@.+-_ 'ıK"), maxLength: 30 }),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const address = normalizeEmail(text);
				if (address === undefined) return;
				expect(normalizeEmail(address)).toBe(address);
				expect(normalizeEmail(` ${text.toUpperCase()} `)).toBe(address);
				expect(address).toBe(address.toLowerCase());
				expect(address.length >= 3 && address.length <= 254 && /^[\x21-\x7e]+$/.test(address)).toBe(
					true,
				);
			}),
			{ numRuns: 10_000 },
		);
	});

	it("keeps dots and tags apart: they are different people", () => {
		const addresses = [
			"dana@example.com",
			"d.ana@example.com",
			"dana+1@example.com",
			"dana@example.co",
		].map(normalizeEmail);
		expect(new Set(addresses).size).toBe(4);
	});

	// A regular expression that backtracked on these texts would take longer than a test may.
	it("finishes on a hostile text", () => {
		for (const text of [
			`a@${"a.".repeat(100_000)}`,
			`${"a".repeat(200_000)}@`,
			`a@${"a-".repeat(100_000)}!`,
		])
			expect(normalizeEmail(text)).toBeUndefined();
	});
});

describe("formatDriverCode", () => {
	it.each([
		[1, "DRV-0001"],
		[42, "DRV-0042"],
		[9999, "DRV-9999"],
		[10_000, "DRV-10000"],
		[null, null],
	])("of %j is %j", (number, code) => {
		expect(formatDriverCode(number)).toBe(code);
		expect(shownDriverCode(number)).toBe(code ?? "N/A");
	});
});

describe("getStanding", () => {
	// The gate order (docs/product.md, 'People, sign-in and gates'): unknown role, admin or viewer, name
	// missing, pending, rejected, driver.
	const roles = ["admin", "driver", "none", "superuser", "Admin", ""];
	const statuses = ["pending", "approved", "rejected"] as const;
	const cases = roles.flatMap((role) =>
		["", "Dana"].flatMap((firstName) =>
			["", "Driver"].flatMap((lastName) =>
				statuses.flatMap((approvalStatus) =>
					[null, true].map((isViewer) => ({
						role,
						isViewer,
						firstName,
						lastName,
						approvalStatus,
					})),
				),
			),
		),
	);
	it.each(cases)("$role $isViewer '$firstName' '$lastName' $approvalStatus", (user) => {
		let expected = user.role === "none" && user.isViewer ? "viewer" : "none";
		if (user.role === "admin") expected = "admin";
		else if (user.role === "driver") {
			if (user.firstName === "" || user.lastName === "") expected = "incomplete";
			else if (user.approvalStatus === "pending") expected = "pending";
			else if (user.approvalStatus === "rejected") expected = "rejected";
			else expected = "driver";
		}
		expect(getStanding(user)).toBe(expected);
	});

	it("asks for the name before it shows a rejection or admits an approved driver", () => {
		for (const approvalStatus of statuses)
			expect(
				getStanding({
					role: "driver",
					isViewer: null,
					firstName: "Dana",
					lastName: "",
					approvalStatus,
				}),
			).toBe("incomplete");
	});
});

it.each([
	[{ firstName: "Dana", lastName: "Driver", email: "d@e.f" }, "Dana Driver"],
	[{ firstName: "", lastName: "Driver", email: "d@e.f" }, "Driver"],
	[{ firstName: "Dana", lastName: "", email: null }, "Dana"],
	[{ firstName: "", lastName: "", email: "d@e.f" }, "d@e.f"],
	[{ firstName: "", lastName: "", email: null }, "Unnamed user"],
	[{ firstName: "", lastName: "", email: null, driverNumber: null }, "Unnamed user"],
	[{ firstName: "", lastName: "", email: null, driverNumber: 20 }, "DRV-0020"],
	[{ firstName: "", lastName: "", email: "d@e.f", driverNumber: 20 }, "d@e.f"],
	[{ firstName: "Dana", lastName: "Driver", email: null, driverNumber: 20 }, "Dana Driver"],
])("displayName(%j) is %s", (user, name) => {
	expect(displayName(user)).toBe(name);
});

it.each([
	["Dana", "Driver", 20, "Dana Driver (DRV-0020)"],
	["Dana", "Driver", null, "Dana Driver"],
	["", "", 20, "DRV-0020"],
])("nameWithCode: %s %s %s is %s", (firstName, lastName, driverNumber, words) => {
	expect(nameWithCode({ firstName, lastName, driverNumber })).toBe(words);
});

describe("formatInitials", () => {
	it.each([
		["Dana", "Driver", "DD"],
		["łena", "nguyễn", "ŁN"],
		["E\u0301mile", " o'Neil", "ÉO"],
		["𝒜da", "", "𝒜"],
		["", "", ""],
	])("%s %s: %s", (firstName, lastName, initials) => {
		expect(formatInitials({ firstName, lastName })).toBe(initials);
	});
});

it("an invitation and a sign-in are good for 30 days for a driver, 72 hours for an administrator or accountant, and 15 minutes after signing in", () => {
	expect(INVITATION_TTL_MS).toEqual({
		driver: 2_592_000_000,
		admin: 259_200_000,
		viewer: 259_200_000,
	});
	expect(FRESH_SIGN_IN_MS).toBe(900_000);
});
