/** Spellings that a careless parser might still accept as the same id. */

const full = (text: string) =>
	text.replace(/[0-9a-z]/gi, (letter) =>
		String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
	);
const percent = (text: string) =>
	Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** What is sent in place of an id, given one's own id. */
export const SPELLINGS: Readonly<Record<string, (id: string, own: string) => string>> = {
	"as it is": (id) => id,
	"upper case": (id) => id.toUpperCase(),
	"space before": (id) => ` ${id}`,
	"space after": (id) => `${id} `,
	"no-break space": (id) => `\u00a0${id}`,
	"NUL after": (id) => `${id}\0`,
	"line break after": (id) => `${id}\r\n`,
	"zero-width space": (id) => `${id.slice(0, 8)}\u200b${id.slice(8)}`,
	"percent signs": (id) => percent(id),
	"percent signs twice": (id) => percent(percent(id)),
	braces: (id) => `{${id}}`,
	URN: (id) => `urn:uuid:${id}`,
	"no hyphens": (id) => id.replaceAll("-", ""),
	"full width": full,
	"path to it": (id, own) => `${own}/../${id}`,
	"after one's own": (id, own) => `${own},${id}`,
	"before one's own": (id, own) => `${id};${own}`,
	"SQL behind it": (id) => `${id}' or '1'='1`,
	wildcard: (id) => `${id.slice(0, -1)}_`,
	"any row": () => "%",
	list: (id) => JSON.stringify([id]),
	query: (id) => `x&id=${id}&driverId=${id}`,
};
