import fc from "fast-check";
import { expect, it } from "vitest";
import { findRepeatedKey } from "./json-keys.ts";

it.each([
	['{"a":1,"a":2}', "a"],
	['{"a":1,"b":{"c":1,"c":2}}', "c"],
	['{"a":[{"b":1},{"b":1,"b":2}]}', "b"],
	['{"amount":"1","\\u0061mount":"2"}', "amount"],
	['{"\\"":1,"\\u0022":2}', '"'],
	['{"a":{"b":1},"a":{"b":1}}', "a"],
	['{"":1,"":2}', ""],
	['{"__proto__":1,"__proto__":2}', "__proto__"],
	[' {\n"a" : "x" ,\t"a"\r: null } ', "a"],
	['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', undefined],
	['{"a":"a","b":"\\"a\\":\\"a\\":"}', undefined],
	['{"a":"{","b":"}","c":"[a:a"}', undefined],
	['["a","a",{"a":["a","a"]}]', undefined],
	['"a"', undefined],
	["1", undefined],
	["{}", undefined],
])("finds in %s the name %j", (text, name) => {
	expect(JSON.parse(text)).toBeDefined();
	expect(findRepeatedKey(text)).toBe(name);
});

it("repeated names: none in JSON written from an object, and every one that is inserted", () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
			fc.jsonValue(),
			fc.nat(),
			(body, value, seed) => {
				const text = JSON.stringify(body);
				expect(findRepeatedKey(text)).toBeUndefined();
				const names = Object.keys(JSON.parse(text));
				const name = names[seed % names.length] ?? "";
				expect(
					findRepeatedKey(`${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`),
				).toBe(name);
			},
		),
	);
});

it("is fast for a body that is all quotation marks and backslashes", () => {
	const started = performance.now();
	for (const text of [
		`["${"\\\\".repeat(32_000)}"]`,
		`["${'\\"'.repeat(32_000)}"]`,
		`[${'"",'.repeat(20_000)}""]`,
	]) {
		expect(JSON.parse(text)).toBeDefined();
		expect(findRepeatedKey(text)).toBeUndefined();
	}
	expect(performance.now() - started).toBeLessThan(2000);
});
