/** Reads forms from HTML as a browser without JavaScript would send them. */

const decode = (text: string) =>
	text.replace(
		/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot));/gi,
		(_, hex: string, decimal: string, name: string) => {
			if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
			if (decimal) return String.fromCodePoint(Number(decimal));
			return { amp: "&", lt: "<", gt: ">", quot: '"' }[name.toLowerCase()] ?? "";
		},
	);

const attribute = (tag: string, name: string) => {
	const match = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
	return match ? decode(match[1] ?? "") : undefined;
};

export type FoundForm = {
	readonly action: string;
	readonly fields: Record<string, string>;
	readonly html: string;
};

/** Every form on a page, with its action and its fields' values as rendered. */
export function formsIn(html: string): FoundForm[] {
	return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
		const fields: Record<string, string> = {};
		for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
			const name = attribute(tag, "name");
			const isLeft = attribute(tag, "type") === "radio" && attribute(tag, "checked") === undefined;
			if (name && !isLeft) fields[name] = attribute(tag, "value") ?? "";
		}
		for (const [, tag = "", text = ""] of form.matchAll(
			/(<textarea\b[^>]*>)([\s\S]*?)<\/textarea>/g,
		)) {
			const name = attribute(tag, "name");
			if (name) fields[name] = decode(text.replace(/^\n/, ""));
		}
		for (const [, tag = "", options = ""] of form.matchAll(
			/(<select\b[^>]*>)([\s\S]*?)<\/select>/g,
		)) {
			const name = attribute(tag, "name");
			const chosen =
				/<option\b[^>]*\sselected=""[^>]*>/.exec(options)?.[0] ??
				/<option\b[^>]*>/.exec(options)?.[0] ??
				"";
			if (name) fields[name] = attribute(chosen, "value") ?? "";
		}
		return {
			action: attribute(form.slice(0, form.indexOf(">") + 1), "action") ?? "",
			fields,
			html: form,
		};
	});
}

/**
 * The only form that contains a text.
 * @throws when there is none or more than one
 */
export function formWith(html: string, text: string): FoundForm {
	const found = formsIn(html).filter((form) => form.html.includes(text));
	if (found.length !== 1 || !found[0]) throw new Error(`${found.length} forms contain "${text}"`);
	return found[0];
}

/** What the buttons of a page's rows open, with the URL that each leads to. */
export function rowButtonsIn(html: string): { address: string; dialog: string }[] {
	const [rows] = formsIn(html).filter((form) => /^<form [^>]*id="rows"/.test(form.html));
	return [...html.matchAll(/<button\b[^>]*\sform="rows"[^>]*>/g)].map(([button]) => {
		const dialog = attribute(button, "name") ?? "";
		const query = { ...rows?.fields, [dialog]: attribute(button, "value") ?? "" };
		return { address: `${rows?.action}?${new URLSearchParams(query)}`, dialog };
	});
}

export type SentFile = {
	readonly bytes: Uint8Array;
	readonly name: string;
	readonly type?: string;
};

/**
 * A multipart body as browsers build it: the fields in order, then the file or, without one, an
 * empty part without a name.
 */
export async function multipart(
	fields: Readonly<Record<string, string>>,
	file: SentFile | undefined,
	fieldName = "receipt",
): Promise<{ method: string; body: Uint8Array; headers: Record<string, string> }> {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields))
		if (name !== fieldName) form.append(name, value);
	form.append(
		fieldName,
		new Blob([(file?.bytes ?? new Uint8Array()) as BlobPart], { type: file?.type ?? "" }),
		file?.name ?? "",
	);
	const sent = new Response(form);
	return {
		method: "POST",
		body: new Uint8Array(await sent.arrayBuffer()),
		headers: { "Content-Type": sent.headers.get("Content-Type") ?? "" },
	};
}
