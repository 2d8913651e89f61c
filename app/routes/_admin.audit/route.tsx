/** The audit: who did what to what, and when. Entries are only ever added. */

import type { ReactNode } from "react";
import { DataTable } from "../../ui/data-table.tsx";
import { FilterButtons } from "../../ui/forms/filter-buttons.tsx";
import { PlainField, PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Pages } from "../../ui/pages.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import { TableCell } from "../../ui/primitives/table.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useView } from "../../ui/use-view.ts";
import type { EntryView } from "./entry.server.ts";
import { type AuditData, auditView } from "./view.server.ts";

export const handle = { title: "Audit" };

export const loader = auditView;

function Filters({ data }: { data: AuditData }) {
	const errors = data.problem ? [data.problem] : undefined;
	const meanwhile = `The entries below aren't filtered yet. They're for ${data.person.chosen?.label ?? "everyone"}.`;
	return (
		<Card className="print:hidden">
			<form method="get" action="/audit" className="grid gap-4">
				{data.problem ? (
					<Alert variant="wait" id="problem">
						<p>{`${data.problem}. The date filter wasn't applied.`}</p>
					</Alert>
				) : null}
				<div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[1fr_1fr_auto_auto_auto]">
					<PersonChoice
						name="person"
						label="Person"
						choice={data.person}
						nobody={{ value: "all", label: "Everyone" }}
						meanwhile={meanwhile}
					/>
					<PlainSelect
						name="kind"
						label="Event"
						options={[["all", "All events"], ...data.kinds]}
						chosen={data.kind}
					/>
					<PlainField id="startDate" label="From" errors={errors}>
						{(control) => (
							<Input
								{...control}
								type="date"
								name="startDate"
								max={data.today}
								defaultValue={data.from}
							/>
						)}
					</PlainField>
					<PlainField id="endDate" label="To" errors={errors}>
						{(control) => (
							<Input
								{...control}
								type="date"
								name="endDate"
								max={data.today}
								defaultValue={data.to}
							/>
						)}
					</PlainField>
					{/* Level with the fields, whose labels are above. */}
					<div className="max-xl:col-span-full xl:mt-7">
						<FilterButtons clear={data.isFiltered ? "/audit" : undefined} />
					</div>
				</div>
			</form>
		</Card>
	);
}

const COLUMNS = [{ head: "When" }, { head: "Event" }, { head: "Details" }];

/** What stays on one line: a driver code, a request or payout number, an amount, a count. */
const UNBROKEN = /\(?(?:DRV|FR|PO)-\d+\)?|-?\$?\d{1,3}(?:,\d{3}){1,3}(?:\.\d\d)?|-?\$\d{1,3}\.\d\d/;

/** The text, with everything that a column shouldn't break kept on one line. */
function withoutBreaks(words: string): ReactNode {
	const whole = UNBROKEN.exec(words);
	if (!whole) return words;
	return (
		<>
			{words.slice(0, whole.index)}
			<span className="whitespace-nowrap">{whole[0]}</span>
			{withoutBreaks(words.slice(whole.index + whole[0].length))}
		</>
	);
}

/** A person or thing, with its link. */
function Named({
	words,
	href,
	isActor = false,
}: {
	words: string;
	href: string | undefined;
	isActor?: boolean;
}) {
	const may = useMay();
	if (!words) return null;
	const name = (
		<bdi {...(isActor ? { className: "font-semibold" } : {})}>{withoutBreaks(words)}</bdi>
	);
	if (!href || !may("GET", href)) return name;
	return (
		<a
			className={
				isActor
					? "inline-block max-w-full align-top text-ink no-underline hover:underline"
					: "inline-block max-w-full align-top font-semibold text-accent no-underline hover:underline"
			}
			href={href}
		>
			{name}
		</a>
	);
}

function Entry({ entry }: { entry: EntryView }) {
	return (
		<tr id={`entry-${entry.id}`}>
			<TableCell className="align-top text-sm xl:py-3 max-sm:block max-sm:text-start max-sm:text-quiet sm:whitespace-nowrap">
				{entry.when}
			</TableCell>
			<TableCell className="align-top max-sm:block max-sm:text-start sm:w-1/2 xl:py-3">
				<p className="wrap-anywhere">
					<Named words={entry.actor} href={entry.actorHref} isActor />
					{entry.byToken ? (
						<>
							{" by token "}
							<bdi>{entry.byToken}</bdi>
						</>
					) : null}
					{` ${entry.verb}${entry.thing ? " " : ""}`}
					<Named words={entry.thing} href={entry.href} />
					{entry.owner ? (
						<>
							{" for "}
							<Named {...entry.owner} />
						</>
					) : null}
					{entry.rest ? ` ${entry.rest}` : ""}
				</p>
			</TableCell>
			<TableCell className="align-top max-sm:block max-sm:text-start max-sm:empty:hidden xl:py-3">
				<span className="grid gap-0.5 text-sm">
					{entry.changes.map(({ label, text }) => (
						<span key={label} className="wrap-anywhere whitespace-pre-line">
							<span className="text-quiet">{label}: </span>
							<bdi>{withoutBreaks(text)}</bdi>
						</span>
					))}
				</span>
			</TableCell>
		</tr>
	);
}

export default function Audit() {
	const data = useView<AuditData>();
	const { entries, pages, isFurtherBack } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/audit"
			title="Audit"
			subtitle="Who did what, and when. Entries can't be changed or deleted."
			listed={data.listed}
		>
			<Filters data={data} />
			{entries.length > 0 ? (
				<DataTable caption="Audit entries" columns={COLUMNS} isDense>
					{entries.map((entry) => (
						<Entry key={entry.id} entry={entry} />
					))}
				</DataTable>
			) : (
				<Empty {...(isFurtherBack ? {} : { pages })}>
					{isFurtherBack
						? "No matching entries in this person's latest activity"
						: "No entries found"}
				</Empty>
			)}
			<Pages links={pages} words={isFurtherBack ? { next: "Search further back" } : {}} />
		</Portal>
	);
}
