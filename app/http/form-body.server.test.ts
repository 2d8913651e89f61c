/**
 * Forms are parsed part by part: the contents of a file are never counted or read as fields, and no
 * text is longer than its field.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxLengthFor } from "../routing/field-limits.ts";
import { FILE_BODY_LIMIT } from "./body.server.ts";
import { FIELD_LIMIT, parseFormBody, TEXT_LIMIT } from "./form-body.server.ts";

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=zz";
const LIMITS = { fields: FIELD_LIMIT, text: TEXT_LIMIT, most: maxLengthFor };
const STATEMENT_LIMITS = { fields: FIELD_LIMIT, text: 2 * 1024 * 1024, most: maxLengthFor };

const bytesOf = (text: string | Uint8Array) => new Uint8Array(Buffer.from(text));
const read = (body: string | Uint8Array, type: string | null, isCut = false, limits = LIMITS) =>
	parseFormBody({ bytes: bytesOf(body), isCut }, type, limits);
const field = (name: string, value: string) =>
	`--zz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (name: string, fileName: string) =>
	`--zz\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/pdf\r\n\r\n`;
const END = "--zz--\r\n";
const textsIn = (form: FormData) =>
	Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));

describe("fields", () => {
	const pairs = (count: number) =>
		Array.from({ length: count }, (_, position) => `f${position}=${position}`).join("&");
	const parts = (count: number) =>
		Array.from({ length: count }, (_, position) => field(`f${position}`, `${position}`)).join("") +
		END;

	it("are limited to fifty, URL-encoded or multipart", () => {
		expect(FIELD_LIMIT).toBe(50);
		const faults = (body: (count: number) => string, type: string) =>
			[50, 51].map((count) => read(body(count), type).fault);
		expect(faults(pairs, URLENCODED)).toEqual([undefined, "too-many-fields"]);
		for (const type of [
			MULTIPART,
			'multipart/form-data; boundary="zz"',
			"MULTIPART/FORM-DATA; BOUNDARY=zz",
		])
			expect(faults(parts, type), type).toEqual([undefined, "too-many-fields"]);
		expect([read("", URLENCODED).fault, read("", null).fault]).toEqual([undefined, undefined]);
	});

	it("are never read with a boundary that hides some", () => {
		for (const type of [
			'multipart/form-data; x="boundary=a"; boundary=zz',
			"multipart/form-data; boundary=a; boundary=zz",
		])
			expect([...read(parts(60), type).form], type).toEqual([]);
		expect(read(pairs(5000), `${URLENCODED}; boundary=zz`).fault).toBe("too-many-fields");
	});

	it("are counted by literal ampersands, not encoded ones", () => {
		expect(read(`notes=${"%26".repeat(100)}`, URLENCODED).fault).toBeUndefined();
		expect(read("&".repeat(60), URLENCODED).fault).toBe("too-many-fields");
	});

	it("are found beside a file with a very long name; an even longer one is reported", () => {
		const named = (length: number) =>
			read(
				`${field("amount", "12.50")}${fileHead("receipt", `${"n".repeat(length)}.jpg`)}x\r\n${END}`,
				MULTIPART,
			);
		for (const length of [7_000, 12_000, 60_000]) {
			const { form, fault } = named(length);
			expect(fault).toBeUndefined();
			expect(textsIn(form)).toEqual({ amount: "12.50" });
			const file = form.get("receipt");
			expect(file instanceof File && file.name).toBe(`${"n".repeat(length)}.jpg`);
		}
		expect(named(70_000).fault).toBe("too-much-text");
	});

	it("are not looked for inside a file", async () => {
		const inside =
			`${'Content-Disposition: form-data; name="amount"\r\n\r\n999\r\n--yy\r\n'.repeat(60)}&&&`.repeat(
				3,
			);
		const { form, fault } = read(
			`${field("amount", "12.50")}${fileHead("receipt", "invoice.pdf")}${inside}\r\n${END}`,
			MULTIPART,
		);
		expect(fault).toBeUndefined();
		expect(textsIn(form)).toEqual({ amount: "12.50" });
		const file = form.get("receipt");
		expect(file instanceof File && [file.name, file.type, await file.text()]).toEqual([
			"invoice.pdf",
			"application/pdf",
			inside,
		]);
	});

	it("of both kinds of form are read as the platform reads them", async () => {
		const name = fc.stringMatching(/^[a-zA-Z]{1,20}$/);
		const value = fc.string({ unit: "grapheme", maxLength: 60 });
		const bytes = fc.uint8Array({ maxLength: 200 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(name, value), { maxLength: 12 }),
				bytes,
				async (fields, content) => {
					const sent = new FormData();
					for (const [each, text] of fields) sent.append(each, text);
					sent.append(
						"receipt",
						new File([content as Uint8Array<ArrayBuffer>], "Łódź 李.pdf", {
							type: "application/pdf",
						}),
					);
					const request = new Response(sent);
					const type = request.headers.get("Content-Type");
					const whole = new Uint8Array(await request.arrayBuffer());
					const expected = await new Response(whole, {
						headers: { "Content-Type": type ?? "" },
					}).formData();
					const { form, fault } = read(whole, type);
					expect(fault).toBeUndefined();
					expect([...form].slice(0, -1)).toEqual([...expected].slice(0, -1));
					const file = form.get("receipt");
					if (!(file instanceof File)) return expect.unreachable();
					expect([file.name, file.type]).toEqual(["Łódź 李.pdf", "application/pdf"]);
					expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
					const pairs = new URLSearchParams(fields);
					expect([...read(pairs.toString(), URLENCODED).form]).toEqual([...pairs]);
				},
			),
		);
	});
});

describe("texts", () => {
	const quotes = (count: number) => '"'.repeat(count);

	it("are cut to one character more than their field can hold, so that its schema still refuses them", () => {
		const body = {
			notes: quotes(3000),
			firstName: quotes(3000),
			nonsense: quotes(3000),
			description: "as it is",
		};
		const sent = [
			read(new URLSearchParams(body).toString(), URLENCODED),
			read(
				Object.entries(body)
					.map(([name, value]) => field(name, value))
					.join("") + END,
				MULTIPART,
			),
		];
		for (const { form, fault } of sent) {
			expect(fault).toBeUndefined();
			expect([...form].map(([name, value]) => [name, String(value).length])).toEqual([
				["notes", 1001],
				["firstName", 81],
				["nonsense", 256],
				["description", 8],
			]);
		}
	});

	it("may have 64 KB together, including fields of unknown names", () => {
		const half = quotes(TEXT_LIMIT / 2);
		expect(read(field("a", half) + field("b", half) + END, MULTIPART).fault).toBeUndefined();
		expect(read(field("a", half) + field("b", `${half}x`) + END, MULTIPART).fault).toBe(
			"too-much-text",
		);
		const file = fileHead("receipt", "x.pdf") + quotes(4 * TEXT_LIMIT);
		expect(read(`${field("a", half)}${file}\r\n${END}`, MULTIPART).fault).toBeUndefined();
	});

	it("of a statement are kept complete, or left out", () => {
		const statement = "driver,amount\r\n".repeat(20_000);
		const multipart = field("key", "k") + field("csv", statement) + END;
		expect(read(multipart, MULTIPART, false, STATEMENT_LIMITS).form.get("csv")).toBe(statement);
		const cut = read(multipart.slice(0, 100_000), MULTIPART, true, STATEMENT_LIMITS);
		expect(textsIn(cut.form)).toEqual({ key: "k" });
		expect(cut.fault).toBe("too-much-text");
		const pairs = new URLSearchParams({ key: "k", csv: statement.slice(0, 20_000) }).toString();
		expect(read(pairs, URLENCODED, false, STATEMENT_LIMITS).form.get("csv")).toHaveLength(20_000);
		expect(read(pairs, URLENCODED, true, STATEMENT_LIMITS).form.get("csv")).toBeNull();
	});

	it("keep their line breaks, byte order mark and any writing system", () => {
		const text = "\ufeffone\r\ntwo\nĄ李🚕";
		expect(read(field("notes", text) + END, MULTIPART).form.get("notes")).toBe(text);
	});
});

describe("a body that was cut", () => {
	const typed = field("amount", "12.50") + field("description", "Typed before the file");

	it("keeps what comes before the cut, wherever that is", () => {
		const whole = `${typed}${fileHead("receipt", "x.pdf")}${"x".repeat(500)}\r\n${END}`;
		for (let end = typed.length + "--zz".length; end < whole.length - END.length; end++) {
			const { form, fault } = read(whole.slice(0, end), MULTIPART, true);
			expect(textsIn(form), String(end)).toMatchObject({
				amount: "12.50",
				description: "Typed before the file",
			});
			expect(fault, String(end)).toBe("too-much-text");
		}
	});

	it("is acceptable only when the cut is in a file that is too long anyway", () => {
		const fits = bytesOf(typed + fileHead("receipt", "x.pdf"));
		const long = new Uint8Array(FILE_BODY_LIMIT);
		long.set(fits);
		expect(read(long, MULTIPART, true).fault).toBeUndefined();
		expect(read(long.subarray(0, FILE_BODY_LIMIT / 2), MULTIPART, true).fault).toBe(
			"too-much-text",
		);
	});
});

describe("a body that isn't a form", () => {
	it.each([
		"",
		"nonsense",
		"--zz",
		"--zz\r\nnonsense",
		`${field("a", "1")}--zz`,
		"--zz--",
		`\r\n${field("a", "1")}${END}`,
		`--zz\r\n${"x".repeat(20_000)}\r\n\r\n1\r\n${END}`,
	])("is empty (%j)", (body) => {
		const { form, fault } = read(body, MULTIPART);
		expect([[...form], fault]).toEqual([[], undefined]);
	});

	it("is empty without a boundary, whatever is in it", () => {
		expect([...read(field("a", "1") + END, "multipart/form-data").form]).toEqual([]);
	});

	it("is empty when a header isn't text", () => {
		const bytes = Buffer.from(`${field("a", "1")}${field("\xff", "2")}${END}`, "latin1");
		expect([...read(bytes, MULTIPART).form]).toEqual([]);
	});

	it("never throws", () => {
		const pieces = fc.constantFrom(
			"--zz",
			"--zz--",
			"\r\n",
			"\r\n\r\n",
			'Content-Disposition: form-data; name="a"',
			"; filename=",
			'"',
			"x",
			"\u0000",
			"é",
		);
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 40 }), fc.boolean(), (list, isCut) => {
				expect(read(list.join(""), MULTIPART, isCut)).toHaveProperty("form");
			}),
			{ numRuns: 500 },
		);
	});
});
