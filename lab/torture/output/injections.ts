/** Strings that would run if they were output unescaped, and how to detect that. */

export type Injection = {
	readonly kind: "HTML" | "formula" | "line break" | "direction" | "control" | "template";
	readonly text: string;
	/** Every field refuses it. */
	readonly isRefused?: true;
};

const of = (kind: Injection["kind"], texts: readonly string[], isRefused?: true): Injection[] =>
	texts.map((text) => ({ kind, text, ...(isRefused ? { isRefused } : {}) }));

/** Markup that is active if a response contains it unescaped. */
const MARKUP = [
	"<img src=x onerror=alert(1)>",
	'"><script>alert(1)</script>',
	"'onmouseover='alert(1)'",
	'"onmouseover="alert(1)"',
	"</textarea><script>alert(1)</script>",
	"</title><svg onload=alert(1)>",
	"</style></script><script>alert(1)</script>",
	"<!--<a href=javascript:alert(1)>",
	"<![CDATA[<script>alert(1)</script>]]>",
] as const;

export const INJECTIONS: readonly Injection[] = [
	...of("HTML", [...MARKUP, "javascript:alert(1)//", "&lt;script&gt;&#60;b&#62;"]),
	...of("formula", [
		"=1+1",
		'=HYPERLINK("https://evil.test")',
		"=cmd|' /C calc'!A0",
		"+1+1",
		"-1+cmd",
		"@SUM(1)",
		"|calc",
		"＝1+1",
		";=1+1",
		'","=1+1',
	]),
	...of("line break", [
		"x\r\nX-Evil: yes\r\n\r\n<script>alert(1)</script>",
		"x\nBcc: evil@evil.test",
		'x\n{"level":"error","forged":true}',
		"x\r\n=1+1",
		"x%0d%0aX-Evil: yes",
	]),
	...of("template", [
		"{{7*7}}",
		"#{7*7}",
		"<%= 7*7 %>",
		"__proto__",
		"%s%n",
		"\\u003cscript\\u003e",
	]),
	...of("direction", ["\u202e00.99$", "a\u2066b", "\u202dx"], true),
	...of("control", ["a\0b", "a\u0007b", "a\u0085b", "a\uffffb", "a\u001b[31mb"], true),
];

/** The ending of every injection. */
export const MARK = "Zqx";

/** Injected markup that is active in an HTML response. */
export function aliveInHtml(html: string): string[] {
	const alive: string[] = MARKUP.filter((each) => html.includes(each));
	if (/(href|src|action)="\s*javascript:/i.test(html)) alive.push("javascript: URL");
	if (html.includes(`49${MARK}`)) alive.push("template");
	return alive;
}

/** In XML, where a quotation mark in text ends nothing. */
export const aliveInXml = (xml: string): string[] =>
	MARKUP.filter((each) => each.includes("<") && xml.includes(each));

/** How a cell starts that a spreadsheet treats as a formula. */
const FORMULA = /^\s*[=+\-@|＝＋－＠]/;
/** Whether a cell with an injection would run in a spreadsheet. */
export const isFormula = (cell: string) => cell.includes(MARK) && FORMULA.test(cell);

/** Actions and links, which our PDFs never have. */
export const aliveInPdf = (bytes: Uint8Array): string[] =>
	Buffer.from(bytes)
		.toString("latin1")
		.match(/\/(JavaScript|JS|OpenAction|Launch|URI|AA|EmbeddedFile)\b/g) ?? [];
