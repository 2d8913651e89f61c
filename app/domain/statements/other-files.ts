/** Files that platforms offer but that have no fees a fleet could record, by name. */
import { foldHeading } from "./heading.ts";
import type { Header } from "./layout.ts";
import type { RefusedFile } from "./statement.ts";

/** Where to find the right file. */
export const DOWNLOAD_UBER =
	"In Uber's fleet portal, open Payments, download the CSV of all transactions (its name has 'payments_order' in it) and choose that file.";
const DOWNLOAD_BOLT =
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
