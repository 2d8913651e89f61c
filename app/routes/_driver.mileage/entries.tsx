/** The driver's recent entries, with the actions still possible. */

import { clsx } from "clsx";
import { flagLabels, personalNote } from "../../domain/mileage/rules.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { LoggedBadges } from "../../ui/entry-status.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { formatDate } from "../../values/calendar-date.ts";
import { formatMiles } from "../../values/miles.ts";
import type { MileageData } from "./view.server.ts";

type Entry = MileageData["entries"][number];

const COLUMNS = [
	{ head: "Date" },
	{ head: "Start", isNumber: true },
	{ head: "End", isNumber: true },
	{ head: "Miles", isNumber: true },
	{ head: "Notes" },
	{ head: "Status" },
	{ head: "Actions", isHidden: true, isControl: true },
];
const rowLink = "inline-flex min-h-11 items-center px-2 font-semibold text-accent";

/** Voided by the driver, or by an administrator with a reason. */
function Voided({ entry: { voidedBy, driverId, voidReason } }: { entry: Entry }) {
	if (voidedBy === driverId) return <Badge>{voidReason ?? "Voided"}</Badge>;
	return (
		<span className="grid gap-1">
			<Badge>Voided</Badge>
			<span className="max-w-56 text-sm wrap-anywhere whitespace-pre-line">{`Administrator's reason: ${voidReason}`}</span>
		</span>
	);
}

function EntryRow({ entry }: { entry: Entry }) {
	const trip = `trip on ${formatDate(entry.drivenOn)}, ${formatMiles(entry.startMiles)} to ${formatMiles(entry.endMiles)}`;
	const flags = entry.voidedAt === null ? flagLabels(entry) : [];
	const strikeVoided = (text: string) => (entry.voidedAt === null ? text : <s>{text}</s>);
	const { purpose, notes, captured } = entry;
	const personal = personalNote(entry.personalMiles);
	return (
		<tr
			id={`log-${entry.id}`}
			className={clsx(
				entry.voidedAt !== null && "text-quiet",
				// Whatever leaves no room for the miles beside the status.
				(flags.length > 1 || personal) && "several-flags",
			)}
		>
			<TableRowHead label="Date" className="font-normal whitespace-nowrap">
				{strikeVoided(formatDate(entry.drivenOn))}
				{entry.isToday ? <span className="block text-sm text-quiet">Today</span> : null}
			</TableRowHead>
			<TableCell label="Start" isNumber>
				{strikeVoided(formatMiles(entry.startMiles))}
			</TableCell>
			<TableCell label="End" isNumber>
				{strikeVoided(formatMiles(entry.endMiles))}
			</TableCell>
			<TableCell label="Miles" isNumber>
				<span className="grid">
					<span className="distance">{strikeVoided(formatMiles(entry.miles))}</span>
					{personal ? <span className="text-sm font-normal">{strikeVoided(personal)}</span> : null}
				</span>
			</TableCell>
			<TableCell
				label="Notes"
				className={clsx(
					"wrap-anywhere whitespace-pre-line",
					notes === null && purpose === null && !captured && "not-print:max-xl:hidden!",
				)}
			>
				<span className="grid">
					{purpose === null ? null : <span className="font-semibold">{strikeVoided(purpose)}</span>}
					{notes === null && purpose !== null ? null : strikeVoided(notes ?? "-")}
					{captured ? <span className="text-sm text-quiet">{captured}</span> : null}
				</span>
			</TableCell>
			<TableCell label="Status">
				<span className="flex flex-wrap gap-1">
					{entry.voidedAt === null ? <LoggedBadges flags={flags} /> : <Voided entry={entry} />}
				</span>
			</TableCell>
			<TableCell isControl>
				{entry.canEdit ? (
					<span className="-me-1.5 flex flex-1 justify-end">
						<a className={rowLink} href={entry.correctHref}>
							Correct<span className="sr-only">{` the ${trip}`}</span>
						</a>
						<a className={rowLink} href={entry.voidHref}>
							Void<span className="sr-only">{` the ${trip}`}</span>
						</a>
					</span>
				) : null}
			</TableCell>
		</tr>
	);
}

export function Entries({
	entries,
	caption,
	empty,
}: {
	entries: readonly Entry[];
	caption: string;
	empty: string;
}) {
	if (entries.length === 0) return <Empty>{empty}</Empty>;
	return (
		<DataTable caption={caption} columns={COLUMNS} isDense lines="entries" phone="trips">
			{entries.map((entry) => (
				<EntryRow key={entry.id} entry={entry} />
			))}
		</DataTable>
	);
}
