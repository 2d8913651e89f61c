/** Which names are accepted, and the messages about the others. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { firstName, lastName } from "./input.ts";
import { faultOfName } from "./name.ts";

describe("a name", () => {
	it.each([
		"Dana",
		"Ana Maria",
		"O'Brien-Smith",
		"J.R.",
		"St.John",
		"Dr.Who",
		"Reyes Jr.",
		"j. smith",
		"j.smith",
		"d.o'brien",
		"J.Co",
		"Smith, Ph.D.",
		"D",
		"3rd Driver",
		"Møller",
		"Ng\u1ec5n",
		"Ngu\u0065\u0302\u0303n",
		"李",
		"葛\u{e0100}城",
		"محمد",
		// Persian: a non-joiner between letters.
		"علی\u200cرضا",
		"میر\u200cحسین",
		// Hindi, Malayalam and Sinhala: joiners in conjuncts.
		"श्र\u0940",
		"क्\u200dष",
		"राजेन्\u200cद्र",
		"ശ\u0d4d\u200dറ",
		"ශ්\u200dරී",
		"דנה\u200f",
		"Drv",
		"Andrew (Drew)",
		"Drew (DR)",
		"Kira :)",
		"Model12",
	])("may be %s", (name) => {
		expect(faultOfName(name)).toBeUndefined();
	});

	const LINK = "Leave the link out of the name";
	const CODE = "Leave the driver ID out of the name";
	const HIDDEN = "Remove the invisible characters from this text";
	const LETTER = "Enter a name with at least one letter";
	const LINE = "Use one line without tabs";
	it.each([
		["Line\nBreak", LINE],
		["Tab\tName", LINE],
		["Line\rBreak", LINE],
		["Line\u2028Break", LINE],
		["Dana\u00adReyes", HIDDEN],
		["D\u200dana", HIDDEN],
		["D\u200cana", HIDDEN],
		["علی\u200c", HIDDEN],
		["\u200cعلی", HIDDEN],
		["Dana\u200b", HIDDEN],
		["Da\ufeffna", HIDDEN],
		["\u3164", HIDDEN],
		["A\u3164", HIDDEN],
		["\u2800", HIDDEN],
		["A\u2800", HIDDEN],
		["Dana\ufe0f", HIDDEN],
		["Dana\u{e0041}", HIDDEN],
		["123", LETTER],
		["-", LETTER],
		["\u0301", LETTER],
		["🚗", LETTER],
		["Confirm: https://milepost.example/api/login", LINK],
		["http://a", LINK],
		["//evil", LINK],
		["www.evil.example", LINK],
		["WWW.evil", LINK],
		["evil.com", LINK],
		["Evil.COM now", LINK],
		["fleet-security.example/login", LINK],
		["ｈｔｔｐｓ：／／evil", LINK],
		["evil。com", LINK],
		["evil．com", LINK],
		["support@evil.com", LINK],
		["support@EVIL", LINK],
		["mailto:a@b.com", LINK],
		["evil.example", LINK],
		["Look at evil.test.", LINK],
		["x.com", LINK],
		["see t.co", LINK],
		["Reyes (DRV-0001)", CODE],
		["Reyes (drv 1", CODE],
		["Reyes [DRV0001]", CODE],
		["Reyes （DRV\u20110001）", CODE],
		["Reyes {DRV–12}", CODE],
		["Reyes <DRV-1>", CODE],
		["Reyes (DRV-", CODE],
		["Reyes (DRV", CODE],
		["DRV-0001)", CODE],
		["Reyes drv 1]", CODE],
	])("may not be %j", (name, fault) => {
		expect(faultOfName(name)).toBe(fault);
		for (const schema of [firstName, lastName])
			expect(v.safeParse(schema, name).issues?.[0].message).toBeDefined();
	});

	it("is one line with single blanks, whatever kind they were", () => {
		expect(v.parse(firstName, "  Ana \u00a0 Maria ")).toBe("Ana Maria");
	});
});
