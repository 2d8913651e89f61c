/** 'Generate Reports' and the quick actions: forms that download a file, which an island makes livelier. */
import {
	FORMAT_LABELS,
	FORMATS,
	PAPER_LABELS,
	PAPERS,
	QUICK_REPORTS,
	RANGE_LABELS,
	RANGES,
	REPORT_TYPES,
	TYPE_LABELS,
} from "../../domain/reports/rules.ts";
import { Island } from "../../islands/island.tsx";
import ReportDownload from "../../islands/report-download.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Input, Select } from "../../ui/primitives/field.tsx";
import type { ReportsData } from "./route.tsx";
import type { Faults } from "./typed.server.ts";

/** What is wrong with a form, above it. */
export function Problems({ id, faults }: { id: string; faults: Faults }) {
	if (faults.problems.length === 0) return null;
	return (
		<Alert tone="bad" id={id} takesFocus>
			{faults.problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</Alert>
	);
}

type Choices = Readonly<Record<string, string>>;

/** A select of a form on this screen; ids differ from form to form, names do not. */
export function Choice(props: {
	form: string;
	name: string;
	label: string;
	values: readonly string[];
	labels: Choices;
	chosen: string;
	faults: Faults;
	className?: string;
}) {
	const { form, name, label, values, labels, chosen, faults } = props;
	const fault = faults.fields.includes(name) ? { "aria-invalid": true as const, "aria-describedby": `${form}-problems` } : {};
	return (
		<div className={props.className ?? ""}>
			<Field id={`${form}-${name}`} label={label}>
				{(control) => (
					<Select className="read-only:bg-surface" {...control} {...fault} name={name} defaultValue={chosen}>
						{values.map((value) => (
							<option key={value} value={value}>
								{labels[value]}
							</option>
						))}
					</Select>
				)}
			</Field>
		</div>
	);
}

function CustomDate({ name, label, data }: { name: "startDate" | "endDate"; label: string; data: ReportsData }) {
	const { values, faults } = data.report;
	const fault = faults.fields.includes(name) ? { "aria-invalid": true as const, "aria-describedby": "report-problems" } : {};
	return (
		<Field id={`report-${name}`} label={label}>
			{(control) => <Input {...control} {...fault} type="date" name={name} max={data.today} defaultValue={values[name]} />}
		</Field>
	);
}

export function ReportForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.report;
	const shared = { form: "report", faults };
	return (
		<Card>
			<Island name="report-download" component={ReportDownload} props={{ signIn: "/api/login?returnTo=/reports", ranges: data.ranges }} />
			<form method="post" action="/reports/generate" data-download="/api/reports/generate" className="report-form grid gap-4">
				<Problems id="report-problems" faults={faults} />
				<div className="grid gap-4 sm:grid-cols-2">
					<Choice {...shared} name="type" label="Report Type" values={REPORT_TYPES} labels={TYPE_LABELS} chosen={values.type} />
					<Choice {...shared} name="range" label="Date Range" values={RANGES} labels={RANGE_LABELS} chosen={values.range} />
					<fieldset className="custom-dates grid gap-4 sm:col-span-2 sm:grid-cols-2">
						<legend className="mb-2 text-sm text-quiet">For a custom range, at most 366 days</legend>
						<CustomDate name="startDate" label="Start Date" data={data} />
						<CustomDate name="endDate" label="End Date" data={data} />
					</fieldset>
					<Choice {...shared} name="format" label="Format" values={FORMATS} labels={FORMAT_LABELS} chosen={values.format} />
					<Choice
						{...shared}
						name="paper"
						label="Paper of a PDF"
						values={PAPERS}
						labels={PAPER_LABELS}
						chosen={values.paper}
						className="paper-size"
					/>
				</div>
				<Button width="full" className="sm:justify-self-start">
					Generate Report
				</Button>
			</form>
		</Card>
	);
}

export function QuickActions({ paper }: { paper: string }) {
	return (
		<ul className="grid gap-3">
			{QUICK_REPORTS.map(({ label, type, format, range }) => (
				<li key={label}>
					<form method="post" action="/reports/generate" data-download="/api/reports/generate" data-quick="" className="grid">
						{Object.entries({ type, format, range, paper }).map(([name, value]) => (
							<input key={name} type="hidden" name={name} value={value} />
						))}
						<Button look="plain">{label}</Button>
					</form>
				</li>
			))}
		</ul>
	);
}
