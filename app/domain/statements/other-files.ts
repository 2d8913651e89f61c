/** Files that platforms offer but that have no fees a fleet could record, by name. */
import { foldHeading } from "./heading.ts";
import type { Header } from "./layout.ts";
import type { RefusedFile } from "./statement.ts";

/** Where to find the right file. */
export const DOWNLOAD_UBER =
	"In Uber's fleet portal, open Payments, download the CSV of all transactions (its name has 'payments_order' in it) and choose that file.";
export const DOWNLOAD_BOLT =
	"In Bolt's fleet portal, open Finance, download 'Earnings per driver' as CSV and choose that file.";
export const DOWNLOAD_EITHER = `${DOWNLOAD_UBER} ${DOWNLOAD_BOLT}`;

export const refuse = (message: string): RefusedFile => ({ kind: "refused", message });

type OtherFile = {
	/** Folded names that must all be in the header; of a list, one of them. */
	readonly header?: readonly (string | readonly string[])[];
	/** A pattern in the folded file name. */
	readonly name?: RegExp;
	readonly message: string;
};

const OTHER_FILES: readonly OtherFile[] = [
	{
		header: [
			["trip uuid", "fahrt-uuid", "identyfikator uuid przejazdu"],
			["pickup address", "pick-up address", "abholadresse"],
			["trip status", "fahrtstatus"],
		],
		name: /trip_activity/,
		message: `This is Uber's trip activity report ('trip_activity'). It lists trips but no fees. ${DOWNLOAD_UBER}`,
	},
	{
		name: /driver_(activity|quality|performance|status|time_and_distance)/,
		message: `This is one of Uber's reports about drivers' work: it has contact details and hours, but no fees. ${DOWNLOAD_UBER}`,
	},
	{
		name: /vehicle_[a-z]/,
		message: `This is one of Uber's reports about vehicles: it states no fees. ${DOWNLOAD_UBER}`,
	},
	{
		header: [["organization uuid", "organisation uuid"]],
		name: /payments_organi[sz]ation/,
		message: `This is Uber's statement for the whole fleet ('payments_organization'): its fees can't be given to drivers. ${DOWNLOAD_UBER}`,
	},
	{
		header: [["termuuid", "driveruuid"]],
		message: `This is one of Uber's rental reports: it states what vehicles are rented for, not fees. ${DOWNLOAD_UBER}`,
	},
	{
		header: [
			"store name",
			"order id",
			["payout", "total payout", "**uber service fee**", "uber service fee", "order status"],
		],
		message: `This is a restaurant's statement from Uber Eats: its fees are the restaurant's, not drivers'. ${DOWNLOAD_UBER}`,
	},
	{
		header: ["trip/eats id", "transaction timestamp (utc)"],
		name: /^(daily_trips-\d{4}_\d\d_\d\d|monthly_statement-\d{4}_\d\d)/,
		message: `This is a statement from Uber for Business: it says what a company paid for rides, not what drivers are charged. ${DOWNLOAD_UBER}`,
	},
	{
		header: ["booking id", "tour value"],
		name: /^earnings_.*_with_vat/,
		message: `This is FreeNow's list of earnings: it states no fees. ${DOWNLOAD_EITHER}`,
	},
	{
		header: ["courier id", "courier name", "amount", "item"],
		name: /\bwolt\b/,
		message: `This is Wolt's statement for couriers, which Milepost doesn't read. ${DOWNLOAD_EITHER}`,
	},
	{
		name: /bolt[-_ ]?food/,
		message: `This is a statement from Bolt Food, for couriers, which Milepost doesn't read. ${DOWNLOAD_BOLT}`,
	},
	{
		name: /(?<![a-z])heetch/,
		message: `This is a statement from Heetch, which Milepost doesn't read. ${DOWNLOAD_EITHER}`,
	},
	{
		name: /(?<![a-z])careem/,
		message: `This is a statement from Careem, which Milepost doesn't read. ${DOWNLOAD_EITHER}`,
	},
	{
		header: ["doordash transaction id", "store name"],
		message: `This is a merchant's statement from DoorDash: its commission is the merchant's, not drivers'. ${DOWNLOAD_EITHER}`,
	},
	{
		header: ["ride id", "pickup date (utc)"],
		name: /(?<![a-z])lyft/,
		message: `This is a list of rides from Lyft: Lyft offers no file of what drivers are charged. ${DOWNLOAD_EITHER}`,
	},
	{
		header: ["kfz-kennzeichen", "fahrtpreis"],
		message: `This is Bolt's list of rides. It has no fees by driver. ${DOWNLOAD_BOLT}`,
	},
];

/** The known file without fees that a header belongs to. */
export function otherFileByHeader({ folded }: Header): RefusedFile | undefined {
	const names = new Set(folded);
	const found = OTHER_FILES.find(({ header }) =>
		header?.every((need) =>
			typeof need === "string" ? names.has(need) : need.some((name) => names.has(name)),
		),
	);
	return found && refuse(found.message);
}

/** The file that a name belongs to; used only when no header matched. */
export function otherFileByName(fileName: string): RefusedFile | undefined {
	const folded = foldHeading(fileName);
	const found = OTHER_FILES.find(({ name }) => name?.test(folded));
	return found && refuse(found.message);
}

const WORKBOOK = `This is an Excel workbook. If it is a fee statement, save it as 'CSV UTF-8' in Excel and choose that file. ${DOWNLOAD_EITHER}`;
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
	{
		starts: ["<!doctype html", "<html"],
		message: `This is a web page, perhaps the portal's sign-in screen instead of the download. ${DOWNLOAD_EITHER}`,
	},
];

/** What a zip contains, by the name of its first entry. */
function zipFile(start: string): RefusedFile {
	const length = (start.charCodeAt(26) || 0) + 256 * (start.charCodeAt(27) || 0);
	const entry = start.slice(30, 30 + length);
	if (/^(\[Content_Types\]|_rels\/|xl\/|docProps\/)/.test(entry)) return refuse(WORKBOOK);
	const known = otherFileByName(entry.replace(/^.*\//, ""));
	return (
		known ??
		refuse(
			`This is a zip archive. Unpack it and choose the CSV in it that lists payments by transaction. ${DOWNLOAD_EITHER}`,
		)
	);
}

/** A file that isn't text, by its first bytes. */
export function otherFileByBytes(bytes: Uint8Array): RefusedFile | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 512)).replace(/^\u00ef\u00bb\u00bf/, "");
	if (start.startsWith("PK\u0003\u0004")) return zipFile(start);
	if (/^(.{4}ftyp|RIFF.{4}WEBP)/s.test(start))
		return refuse(`This is an image or a video. ${DOWNLOAD_EITHER}`);
	const plain = start.trimStart().toLowerCase();
	const found = SIGNATURES.find(({ starts }) =>
		starts.some((each) => start.startsWith(each) || plain.startsWith(each.toLowerCase())),
	);
	return found && refuse(found.message);
}
