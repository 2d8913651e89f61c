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
import { Problems, SelectField, worded } from "../../ui/form-parts.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Input } from "../../ui/primitives/field.tsx";
import { hasFields } from "./faults.ts";
import type { ReportsData } from "./view.server.ts";

const PROBLEMS = "report-problems";

function CustomDate({ name, label, data }: { name: "startDate" | "endDate"; label: string; data: ReportsData }) {
	const { values, faults } = data.report;
	return (
		<Field id={`report-${name}`} label={label} errors={faults.fields[name]}>
			{(control) => <Input {...control} type="date" name={name} max={data.today} defaultValue={values[name]} />}
		</Field>
	);
}

export function ReportForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.report;
	const choice = (name: "type" | "range" | "format" | "paper") => ({
		name,
		id: `report-${name}`,
		chosen: values[name],
		errors: faults.fields[name],
	});
	return (
		<Card>
			<Island name="report-download" component={ReportDownload} props={{ signIn: "/api/login?returnTo=/reports", ranges: data.ranges }} />
			<form method="post" action="/reports/generate" data-download="/api/reports/generate" className="report-form grid gap-4">
				<Problems id={PROBLEMS} problems={faults.problems} takesFocus={!hasFields(faults)} />
				<div className="grid gap-4 sm:grid-cols-2">
					<SelectField {...choice("type")} label="Report Type" options={worded(REPORT_TYPES, TYPE_LABELS)} />
					<SelectField {...choice("range")} label="Date Range" options={worded(RANGES, RANGE_LABELS)} />
					<fieldset className="custom-dates grid gap-4 sm:col-span-2 sm:grid-cols-2">
						<legend className="mb-2 text-sm text-quiet">For a custom range, at most 366 days</legend>
						<CustomDate name="startDate" label="Start Date" data={data} />
						<CustomDate name="endDate" label="End Date" data={data} />
					</fieldset>
					<SelectField {...choice("format")} label="Format" options={worded(FORMATS, FORMAT_LABELS)} />
					<div className="paper-size">
						<SelectField {...choice("paper")} label="Paper of a PDF" options={worded(PAPERS, PAPER_LABELS)} />
					</div>
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
