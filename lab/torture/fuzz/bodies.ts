/** Encodes fields in the three kinds of bodies, sometimes not quite correctly. */
import type { Dice } from "../dice.ts";

export type Field = { name: string; value: unknown; readonly file?: string };

/** A value as text; what isn't a string is written as JSON. */
const text = (value: unknown): string =>
	typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** UTF-8, with lone surrogates as three invalid bytes. */
function bytesOf(words: string): Buffer {
	const parts = words.split(
		/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/,
	);
	return Buffer.concat(
		parts.map((part, position) =>
			position % 2 ? Buffer.from([0xed, 0xa0, 0x80]) : Buffer.from(part),
		),
	);
}

/** Percent-encodes every byte that a form can't contain as is. */
export const percent = (words: string) =>
	Array.from(bytesOf(words), (byte) => {
		const letter = String.fromCharCode(byte);
		return /[\w.*-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, "0")}`;
	}).join("");

const jsonBody = (fields: readonly Field[]) =>
	`{${fields.map(({ name, value }) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join()}}`;

/** Builds a multipart body with unusual boundaries and line ends, or with parts missing. */
function multipartBody(fields: readonly Field[], dice: Dice): { bytes: Buffer; boundary: string } {
	const boundary = dice.once(5) ? "x".repeat(1 + dice.below(200)) : "fuzz";
	const end = dice.once(6) ? "\n" : "\r\n";
	const parts = fields.map(({ name, value, file }) => {
		const disposition = dice.pick([
			...Array(12).fill(`form-data; name="${name.replaceAll('"', "%22")}"`),
			`form-data; name=${name}`,
			"form-data",
			"attachment",
			`form-data; name="${name}`,
			`form-data; name*=utf-8''${name.slice(0, 20)}`,
		] as string[]);
		const filename = file === undefined ? "" : `; filename="${file}"`;
		const type = file === undefined || dice.once(3) ? "" : `Content-Type: image/png${end}`;
		const more = dice.once(20) ? `X: ${"y".repeat(20_000)}${end}` : "";
		return `--${boundary}${end}Content-Disposition: ${disposition}${filename}${end}${type}${more}${end}${text(value)}${end}`;
	});
	const close = dice.once(6) ? "" : `--${boundary}--${end}`;
	return { bytes: bytesOf(parts.join("") + close), boundary };
}

/** A body with these fields, and its content type. */
export function encode(
	fields: readonly Field[],
	encoding: "json" | "form" | "multipart",
	dice: Dice,
): { bytes: Uint8Array; contentType: string } {
	if (encoding === "json")
		return { bytes: bytesOf(jsonBody(fields)), contentType: "application/json" };
	if (encoding === "form") {
		const pairs = fields.map(({ name, value }) => `${percent(name)}=${percent(text(value))}`);
		const contentType = "application/x-www-form-urlencoded";
		return { bytes: Buffer.from(pairs.join("&")), contentType };
	}
	const { bytes, boundary } = multipartBody(fields, dice);
	return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}
