/** Files that aren't plain-text tables, by first bytes: what each is, and what to do with it. */
import { DOWNLOAD_EITHER, otherFileByName, refuse } from "./other-files.ts";
import type { RefusedFile } from "./statement.ts";

/** How many bytes identify a file: a zip names its first entry in them. */
export const SNIFFED_BYTES = 1024;

const saveIn = (program: string) =>
	`If it is a fee statement, save it as 'CSV UTF-8' in ${program} and choose that file. ${DOWNLOAD_EITHER}`;
const WORKBOOK = `This is an Excel workbook. ${saveIn("Excel")}`;
const OPEN_DOCUMENT = `This is an OpenDocument spreadsheet (.ods). ${saveIn("LibreOffice or Excel")}`;

/** A zip, by its first entry; that of an OpenDocument file contains the file's type. */
const ZIPS: readonly (readonly [entry: RegExp, message: string])[] = [
	[/^(\[Content_Types\]|_rels\/|xl\/|docProps\/)/, WORKBOOK],
	[/^mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/, OPEN_DOCUMENT],
	[
		/^mimetypeapplication\/vnd\.oasis/,
		`This is an OpenDocument file, but not a spreadsheet. ${DOWNLOAD_EITHER}`,
	],
	[
		/^(Index\/|Index\.zip|Data\/|Metadata\/|preview[-.])/,
		`This is a Numbers spreadsheet. If it is a fee statement, export it as CSV in Numbers, in Unicode (UTF-8), and choose that file. ${DOWNLOAD_EITHER}`,
	],
];

function zipFile(start: string): RefusedFile {
	const lengthAt = (at: number) =>
		(start.charCodeAt(at) || 0) + 256 * (start.charCodeAt(at + 1) || 0);
	const end = 30 + lengthAt(26);
	const entry = start.slice(30, end);
	const content = entry === "mimetype" ? start.slice(end + lengthAt(28)) : "";
	const message = ZIPS.find(([pattern]) => pattern.test(entry + content))?.[1];
	if (message !== undefined) return refuse(message);
	return (
		otherFileByName(entry.replace(/^.*\//, "")) ??
		refuse(
			`This is a zip archive. Unpack it and choose the CSV in it that lists payments by transaction. ${DOWNLOAD_EITHER}`,
		)
	);
}

const SIGNATURES: readonly { readonly starts: readonly string[]; readonly message: string }[] = [
	{
		starts: ["%PDF"],
		message: `This is a PDF: weekly statements and tax summaries come as one, but only a CSV can be read row by row. ${DOWNLOAD_EITHER}`,
	},
	{
		starts: ["\u00ff\u00d8\u00ff", "\u0089PNG", "GIF8", "II*\u0000", "MM\u0000*"],
		message: `This is an image. ${DOWNLOAD_EITHER}`,
	},
	{
		starts: ["\u00d0\u00cf\u0011\u00e0"],
		message: WORKBOOK,
	},
	{
		starts: ["\u001f\u008b", "Rar!", "7z\u00bc\u00af"],
		message: `This is an archive. Unpack it and choose the CSV in it. ${DOWNLOAD_EITHER}`,
	},
];

const WEB_TABLE = `This is a web page with a table in it, whatever its name ends in. Open it in Excel. ${saveIn("Excel")}`;
/** Text that isn't a table, by its beginning in lower case; first match wins. */
const TEXTS: readonly (readonly [pattern: RegExp, message: string])[] = [
	[
		/^<(\?xml|workbook).*(progid="excel\.sheet"|urn:schemas-microsoft-com:office:spreadsheet)/s,
		`This is an XML Spreadsheet 2003. ${saveIn("Excel")}`,
	],
	[/^<\?xml.*urn:oasis:names:tc:opendocument/s, OPEN_DOCUMENT],
	[/^<.*urn:schemas-microsoft-com:office:excel|^<table|^mime-version:/s, WEB_TABLE],
	[
		/^(<!--(?:(?!-->).)*-->\s*|<\?xml[^>]*>\s*)*<(!doctype html|html|head|meta|title|body|style)/s,
		`This is a web page, perhaps the portal's sign-in screen instead of the download. ${DOWNLOAD_EITHER}`,
	],
	[/^<\?xml/, `This is an XML file, not a table. ${DOWNLOAD_EITHER}`],
	[/^\{\\rtf/, `This is a text document (RTF), not a table. ${DOWNLOAD_EITHER}`],
	[/^(\{\s*("|\}|$)|\[\s*([{["\]]|-?\d))/, `This is a JSON file, not a table. ${DOWNLOAD_EITHER}`],
];

const BYTE_ORDER_MARK = /^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/;

/** A file that isn't a table in plain text, by its first bytes. */
export function otherFileByBytes(bytes: Uint8Array): RefusedFile | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, SNIFFED_BYTES)).replace(
		BYTE_ORDER_MARK,
		"",
	);
	if (start.startsWith("PK\u0003\u0004")) return zipFile(start);
	if (/^(.{4}ftyp|RIFF.{4}WEBP)/s.test(start))
		return refuse(`This is an image or a video. ${DOWNLOAD_EITHER}`);
	// Without the zeros of UTF-16.
	const plain = start.replaceAll("\0", "").trimStart();
	const found = SIGNATURES.find(({ starts }) =>
		starts.some((each) => start.startsWith(each) || plain.startsWith(each)),
	);
	if (found) return refuse(found.message);
	const lower = plain.toLowerCase();
	const message = TEXTS.find(([pattern]) => pattern.test(lower))?.[1];
	return message === undefined ? undefined : refuse(message);
}
