/** The page that explains the archive. */
import { pluralize } from "../../values/count.ts";
import { fleetUnits, inUnits } from "../../values/fleet-units.ts";

/** What an archive contains. */
export type ArchiveContents = {
	/** The person's name, as on our pages. */
	readonly person: string;
	readonly appName: string;
	/** Who made it, and when, in UTC. */
	readonly madeBy: string;
	readonly madeAt: string;
	readonly part: number;
	readonly parts: number;
	/** Where further parts can be downloaded. */
	readonly address: string;
	readonly files: readonly {
		readonly name: string;
		readonly about: string;
		readonly rows: number;
	}[];
	readonly receipts: number;
	/** Receipts whose file is missing from the store. */
	readonly missing: readonly string[];
};

const list = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join("\r\n");

/** The index, in plain text. */
export function indexText(contents: ArchiveContents): string {
	const { person, appName, madeBy, madeAt, part, parts, address, files, receipts, missing } =
		contents;
	const others = Array.from({ length: parts }, (_, position) => position + 1)
		.filter((each) => each !== part)
		.map((each) => `${address}?part=${each}`);
	const paragraphs = [
		`${appName}: everything that is held about ${person}`,
		`Downloaded by ${madeBy} on ${madeAt}, which is recorded in the audit.`,
		...(parts > 1
			? [
					`This is part ${part} of ${parts}. The records are in part 1, and the receipts are spread over all parts. The other parts:\r\n${list(others)}`,
				]
			: []),
		...(files.length > 0
			? [
					`Each kind of record is there twice, with the same rows: .json for programs, .csv for a spreadsheet.\r\n${list(
						files.map(({ name, about, rows }) => `${name} (${rows}): ${about}`),
					)}`,
				]
			: []),
		`receipts: ${pluralize(receipts, "file")} in this part, named after their fund requests or by their ID.`,
		...(missing.length > 0
			? [`These receipts are missing from the file store:\r\n${list(missing)}`]
			: []),
		inUnits("Times are in UTC, and dates are in the fleet's time zone. Amounts are US dollars."),
		...(fleetUnits().distanceUnit === "km"
			? ["Distances are kilometers, whatever their names in the files say."]
			: []),
		"Not included: what only tells sessions, submissions and lines of statements apart (hashes and keys), digests to administrators, which are made of the notices and name others as well, webhooks, which are told ids and numbers only, totals that are calculated from these records, log lines, and backups. Backups hold the same records as they were on their day.",
	];
	return `${paragraphs.join("\r\n\r\n")}\r\n`;
}
