/** How cells are written, so that every reader gets the same values. */
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { csvLines } from "./csv.ts";

const written = (...cells: string[]) => csvLines([cells]).trimEnd();

describe("a line of CSV", () => {
	it("quotes what a spreadsheet that also splits at semicolons and tabs would split", () => {
		expect(written("Brakes; front", "12.50")).toBe('"Brakes; front",12.50');
		expect(written("a;=1+1", ";=1+1", "a\tb")).toBe('"a;=1+1",";=1+1","a\tb"');
	});

	it("quotes text that would be read as another number, for those who import quoted cells as text", () => {
		expect(written("0042", "007", "1e5", "2.5E-3")).toBe('"0042","007","1e5","2.5E-3"');
		expect(written("12345678901234567")).toBe('"12345678901234567"');
	});

	it("leaves numbers, dates and ids bare", () => {
		const bare = "0,0.50,12.50,-12.50,45210,33.3,2026-11-02,01/02/2026,DRV-0001,PO-000001-DRV-0001";
		expect(written(...bare.split(","))).toBe(bare);
	});

	it("keeps any other text as it is", () => {
		const texts = [
			'say "hi"',
			'","=1+1',
			"line\nbreak",
			"line\r\nbreak",
			" lead",
			"trail ",
			"محمد",
			"👩‍🔧",
		];
		expect(Papa.parse(csvLines([texts]), { newline: "\r\n" }).data[0]).toEqual(texts);
	});
});
