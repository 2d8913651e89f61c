/**
 * The entries of the window: the fleet's flagged ones, or all of one driver's; each live one can be
 * voided.
 */
import { DataTable, DriverCell } from "../../ui/data-table.tsx";
import { LoggedBadges } from "../../ui/entry-status.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Badge } from "../../ui/primitives/badge.tsx";
import { ButtonLink } from "../../ui/primitives/button.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { TableCell, TableRowHead } from "../../ui/primitives/table.tsx";
import { useMay } from "../../ui/use-may.ts";
import type { EntryView } from "./row.server.ts";
import type { ReportData } from "./view.server.ts";
import { voidDialogUrl } from "./void-dialog.tsx";

const COLUMNS = [
	{ head: "Date" },
	{ head: "Driver" },
	{ head: "Start", isNumber: true },
	{ head: "End", isNumber: true },
	{ head: "Miles", isNumber: true },
	{ head: "Notes" },
	{ head: "Status" },
	{ head: "Actions", isHidden: true, isControl: true },
];
const rowLink =
	"inline-flex min-h-11 min-w-11 items-center justify-center px-2 font-semibold text-bad";

function Status({ entry }: { entry: EntryView }) {
	const { voided, flags } = entry;
	if (voided)
		return (
			<span className="grid justify-items-end gap-1 sm:justify-items-start">
				<Badge>Voided</Badge>
				<span className="text-sm wrap-anywhere">{`${voided.on} by ${voided.by}`}</span>
				{voided.reason ? (
					<span className="max-w-56 text-sm wrap-anywhere whitespace-pre-line">{`Reason: ${voided.reason}`}</span>
				) : null}
			</span>
		);
	return (
		<span className="flex flex-wrap justify-end gap-1 sm:justify-start">
			<LoggedBadges flags={flags} />
		</span>
	);
}

function EntryRow({
	entry,
	query,
	hasDriver,
}: {
	entry: EntryView;
	query: string;
	hasDriver: boolean;
}) {
	const mayVoid = useMay()("POST", "/mileage-reports");
	const strikeVoided = (text: string) => (entry.voided ? <s>{text}</s> : text);
	return (
		<tr id={`log-${entry.id}`} className={entry.voided ? "text-quiet" : undefined}>
			<TableRowHead label="Date" className="font-normal sm:whitespace-nowrap">
				{strikeVoided(entry.date)}
			</TableRowHead>
			{hasDriver ? <DriverCell id={entry.driverId} code={entry.driver} name={entry.name} /> : null}
			<TableCell label="Start" isNumber>
				{strikeVoided(entry.start)}
			</TableCell>
			<TableCell label="End" isNumber>
				{strikeVoided(entry.end)}
			</TableCell>
			<TableCell label="Miles" isNumber>
				<span className="grid">
					{strikeVoided(entry.miles)}
					{entry.personal ? <span className="text-sm">{strikeVoided(entry.personal)}</span> : null}
				</span>
			</TableCell>
			<TableCell
				label="Notes"
				className={
					entry.notes === null && entry.purpose === null ? "not-print:sm:max-xl:hidden" : undefined
				}
			>
				<span className="grid max-w-56 wrap-anywhere whitespace-pre-line">
					{entry.purpose === null ? null : <span className="font-semibold">{entry.purpose}</span>}
					{entry.notes === null && entry.purpose !== null ? null : (entry.notes ?? "-")}
				</span>
			</TableCell>
			<TableCell label="Status">
				<Status entry={entry} />
			</TableCell>
			{mayVoid ? (
				<TableCell isControl className="sm:py-1">
					{entry.isVoidable ? (
						<span className="flex flex-1 justify-end">
							<a className={rowLink} href={voidDialogUrl(query, entry.id)}>
								Void
								<span className="sr-only">{` ${entry.name}'s trip on ${entry.date}, ${entry.start} to ${entry.end}`}</span>
							</a>
						</span>
					) : null}
				</TableCell>
			) : null}
		</tr>
	);
}

/** The message of an empty list. */
function emptyWords({ whose, view, entriesRead }: ReportData): string {
	if (view.entry && entriesRead === 0) return "No entries on this page";
	if (whose && entriesRead === 1) return "The only entry isn't flagged";
	if (whose && entriesRead > 0) return `None of these ${entriesRead} entries are flagged`;
	return whose ? "No entries in this period" : "No flagged entries in this period";
}

export function Entries({ data }: { data: ReportData }) {
	const mayVoid = useMay()("POST", "/mileage-reports");
	const { whose, entries, view } = data;
	const what = whose ? `Entries for ${whose}` : "Flagged entries";
	return (
		<Section
			id="entries"
			title={what}
			actions={
				whose ? (
					<ButtonLink variant="outline" href={`/mileage-reports${data.flagToggle}#entries`}>
						{view.isFlaggedOnly ? "Show all entries" : "Show flagged only"}
					</ButtonLink>
				) : null
			}
		>
			<p className="text-quiet">
				{whose
					? `${data.window}, newest first${view.isFlaggedOnly ? `: flagged entries out of ${data.entriesRead}` : ""}.`
					: `${data.window}: gaps, overlaps, out-of-order entries and long trips, newest first. Select a driver to see all entries.`}
			</p>
			{entries.length === 0 ? (
				<Empty>{emptyWords(data)}</Empty>
			) : (
				<DataTable
					caption={what}
					columns={COLUMNS.filter(
						({ head, isControl }) => (!whose || head !== "Driver") && (!isControl || mayVoid),
					)}
					isDense
					lines="entries"
				>
					{entries.map((entry) => (
						<EntryRow key={entry.id} entry={entry} query={data.query} hasDriver={!whose} />
					))}
				</DataTable>
			)}
			<Pages label="Entries pagination" links={data.entryPages} anchor="entries" />
		</Section>
	);
}
