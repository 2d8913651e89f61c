/** The mileage log of a tax year, for one driver. */
import { useForm } from "@conform-to/react";
import { LOG_FIELDS } from "../../domain/reports/fields.ts";
import { mileageLogInput } from "../../domain/reports/input.ts";
import { FORMAT_LABELS, PAPER_LABELS, PAPERS } from "../../domain/reports/rules.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { toOptions } from "../../ui/forms/options.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { ANY_DAY } from "../../values/date-input.ts";
import { FIND_DRIVER } from "./address.ts";
import type { ReportsData } from "./view.server.ts";

/** Built for any day: the limits of its fields don't depend on it. */
const INPUT = mileageLogInput(ANY_DAY);

const PROBLEMS = "log-problems";

export function LogForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.log;
	const [form, fields] = useForm<Record<keyof typeof LOG_FIELDS, string>>({
		id: "log",
		lastResult: { error: faults.fields },
		defaultValue: values,
		constraint: constraintOf(INPUT),
		defaultNoValidate: false,
	});
	return (
		<Card className="grid gap-4">
			<p className="text-quiet">
				Every trip in a calendar year with its odometer readings and when it was recorded, plus
				totals and a signature line. Suitable for IRS records. This is not tax advice.
			</p>
			<form
				method="post"
				action="/reports/mileage-log"
				data-download=""
				className="report-form grid gap-4"
			>
				<Problems
					id={PROBLEMS}
					problems={faults.problems}
					takesFocus={form.valid}
					isAtField={!form.valid}
				/>
				{/* Enter presses a form's first button: it downloads, and doesn't look for drivers again. */}
				{data.person.isSearch ? (
					<button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
						Download
					</button>
				) : null}
				<div className="grid items-start gap-4 sm:grid-cols-2">
					<PersonChoice
						name={fields.driverId.name}
						label={LOG_FIELDS.driverId.label}
						choice={data.person}
						nobody={{ value: "", label: "Select a driver" }}
						find={{ intent: FIND_DRIVER }}
						errors={fields.driverId.errors}
						isRequired={fields.driverId.required}
					/>
					<TextField
						field={fields.year}
						label={LOG_FIELDS.year.label}
						isOneOfTwo
						inputMode="numeric"
						maxLength={4}
					/>
					<SelectField
						field={fields.format}
						label={LOG_FIELDS.format.label}
						isOneOfTwo
						options={toOptions(["pdf", "excel"], FORMAT_LABELS)}
					/>
					<div className="paper-size">
						<SelectField
							field={fields.paper}
							label={LOG_FIELDS.paper.label}
							isOneOfTwo
							options={toOptions(PAPERS, PAPER_LABELS)}
						/>
					</div>
				</div>
				<Button variant="outline" size="wide" className="sm:justify-self-start">
					Download Mileage Log
				</Button>
			</form>
		</Card>
	);
}
