/**
 * Stands in for curl if there is none, with only the options that docs/api.md uses:
 * `node curl.mjs [--header ...] [--form ...] URL`.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		silent: { type: "boolean" },
		"show-error": { type: "boolean" },
		"fail-with-body": { type: "boolean" },
		header: { type: "string", multiple: true, default: [] },
		form: { type: "string", multiple: true, default: [] },
	},
});
const [url, ...more] = positionals;
if (!url || more.length > 0) throw new Error("give one URL");

/** What is on either side of the first separator. */
const split = (text, separator) => {
	const at = text.indexOf(separator);
	if (at < 1) throw new Error(`there is no ${separator} in ${text}`);
	return [text.slice(0, at), text.slice(at + separator.length).trim()];
};
const form = new FormData();
for (const field of values.form) {
	const [name, value] = split(field, "=");
	if (value.startsWith("@")) {
		const path = value.slice(1);
		form.append(name, new Blob([await readFile(path)]), basename(path));
	} else form.append(name, value);
}
const answer = await fetch(url, {
	headers: values.header.map((line) => split(line, ":")),
	redirect: "manual",
	...(values.form.length > 0 ? { method: "POST", body: form } : {}),
});
process.stdout.write(Buffer.from(await answer.arrayBuffer()));
if (values["fail-with-body"] && answer.status >= 400) {
	console.error(`curl: (22) The requested URL returned error: ${answer.status}`);
	process.exitCode = 22;
}
