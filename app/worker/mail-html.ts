/** An email's text as HTML, without pictures: nothing is lost if they are blocked. */

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
};
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");

/**
 * Paragraphs and lines as in the text.
 * @param origin of the fleet, whose URLs become links; any other may have been typed by anyone
 */
export function toHtml(text: string, origin: string): string {
	const host = origin.replace(/[^\w]/g, "\\$&");
	// Its path up to the end of a sentence, or nothing that would make it another host.
	const link = new RegExp(`${host}(?:/(?:\\S*[^\\s.,;:!?)])?|(?![\\w:@-]|\\.\\w))`, "g");
	const linked = (paragraph: string) => {
		let html = "";
		let end = 0;
		for (const { 0: url, index } of paragraph.matchAll(link)) {
			const shown = escapeHtml(url);
			html += `${escapeHtml(paragraph.slice(end, index))}<a href="${shown}">${shown}</a>`;
			end = index + url.length;
		}
		return html + escapeHtml(paragraph.slice(end));
	};
	const paragraphs = text
		.trim()
		.split(/\n{2,}/)
		.map((paragraph) => `<p>${linked(paragraph).replaceAll("\n", "<br>\n")}</p>`);
	return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="max-width:40em;font:16px/1.5 sans-serif;overflow-wrap:anywhere">
${paragraphs.join("\n")}
</body>
</html>`;
}
