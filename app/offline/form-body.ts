/** A posted form's contents, as the outbox keeps them. */
import type { Fields, KeptFile } from "./database.ts";

/** A form's text and files, each in the form's order. */
export async function readFormData(
	body: FormData,
): Promise<{ fields: Fields; files: readonly KeptFile[] }> {
	const fields: [string, string][] = [];
	const files: KeptFile[] = [];
	for (const [field, value] of body) {
		if (typeof value === "string") fields.push([field, value]);
		else if (value.size > 0 || value.name !== "")
			files.push({ field, name: value.name, type: value.type, bytes: await value.arrayBuffer() });
	}
	return { fields, files };
}

/** The text of a field that occurs once; '' if it is missing, repeated or a file. */
export function singleValue(body: FormData, name: string): string {
	const [value, ...others] = body.getAll(name);
	return typeof value === "string" && others.length === 0 ? value : "";
}
