/** 'Generate Reports' and the quick actions: forms that download a file, enhanced by an island. */
import { useForm } from "@conform-to/react";
import { REPORT_FIELDS } from "../../domain/reports/fields.ts";
import { reportInput } from "../../domain/reports/input.ts";
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
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import type { ReportsData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = reportInput(ANY_DAY);

const PROBLEMS = "report-problems";

export function ReportForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.report;
	const [form, fields] = useForm<Record<keyof typeof REPORT_FIELDS, string>>({
		id: "report",
		lastResult: { error: faults.fields },
		defaultValue: values,
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	const fieldProps = <Name extends keyof typeof REPORT_FIELDS>(name: Name) => ({
		field: fields[name],
		label: REPORT_FIELDS[name].label,
		isOneOfTwo: true,
	});
	const date = {
		type: "date",
		max: data.today,
		autoComplete: undefined,
		saysOptional: false,
	} as const;
	return (
		<Card>
			<Island
				name="report-download"
				component={ReportDownload}
				props={{ signIn: "/api/login?returnTo=/reports", ranges: data.ranges }}
			/>
			<form
				method="post"
				action="/reports/generate"
				data-download="/api/reports/generate"
				className="report-form grid gap-4"
			>
				<Problems
					id={PROBLEMS}
					problems={faults.problems}
					takesFocus={form.valid}
					isAtField={!form.valid}
				/>
				<div className="grid gap-4 sm:grid-cols-2">
					<SelectField {...fieldProps("type")} options={toOptions(REPORT_TYPES, TYPE_LABELS)} />
					<SelectField {...fieldProps("range")} options={toOptions(RANGES, RANGE_LABELS)} />
					<fieldset className="custom-dates grid gap-4 sm:col-span-2 sm:grid-cols-2">
						<legend className="mb-2 text-sm text-quiet">Custom range (up to 366 days)</legend>
						<TextField {...fieldProps("startDate")} {...date} />
						<TextField {...fieldProps("endDate")} {...date} />
					</fieldset>
					<SelectField {...fieldProps("format")} options={toOptions(FORMATS, FORMAT_LABELS)} />
					<div className="paper-size">
						<SelectField {...fieldProps("paper")} options={toOptions(PAPERS, PAPER_LABELS)} />
					</div>
				</div>
				<Button size="wide" className="sm:justify-self-start">
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
					<form
						method="post"
						action="/reports/generate"
						data-download="/api/reports/generate"
						data-quick=""
						className="grid"
					>
						{Object.entries({ type, format, range, paper }).map(([name, value]) => (
							<input key={name} type="hidden" name={name} value={value} />
						))}
						<Button variant="outline">{label}</Button>
					</form>
				</li>
			))}
		</ul>
	);
}
