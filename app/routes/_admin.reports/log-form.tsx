/** The mileage log of a tax year, for one driver. */
import { FORMAT_LABELS, PAPER_LABELS, PAPERS } from "../../domain/reports/rules.ts";
import { Problems, SelectField, worded } from "../../ui/form-parts.tsx";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Input } from "../../ui/primitives/field.tsx";
import { FIND_DRIVER } from "./address.ts";
import { hasFields } from "./faults.ts";
import type { ReportsData } from "./view.server.ts";

const PROBLEMS = "log-problems";

export function LogForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.log;
	return (
		<Card className="grid gap-4">
			<p className="text-quiet">
				Every trip of a calendar year with its readings, when it was recorded, the totals and a line to sign: what a tax office asks for.
			</p>
			<form method="post" action="/reports/mileage-log" data-download="" className="report-form grid gap-4">
				<Problems id={PROBLEMS} problems={faults.problems} takesFocus={!hasFields(faults)} />
				<div className="grid items-start gap-4 sm:grid-cols-2">
					<PersonChoice
						name="driverId"
						label="Driver"
						choice={data.person}
						nobody={{ value: "", label: "Select a driver" }}
						find={{ intent: FIND_DRIVER }}
						errors={faults.fields.driverId}
						isRequired
					/>
					<Field id="log-year" label="Tax Year" errors={faults.fields.year}>
						{(control) => (
							<Input {...control} name="year" inputMode="numeric" autoComplete="off" maxLength={4} defaultValue={values.year} />
						)}
					</Field>
					<SelectField
						name="format"
						id="log-format"
						label="Format"
						options={worded(["pdf", "excel"], FORMAT_LABELS)}
						chosen={values.format}
						errors={faults.fields.format}
					/>
					<div className="paper-size">
						<SelectField
							name="paper"
							id="log-paper"
							label="Paper of a PDF"
							options={worded(PAPERS, PAPER_LABELS)}
							chosen={values.paper}
							errors={faults.fields.paper}
						/>
					</div>
				</div>
				<Button width="full" className="sm:justify-self-start">
					Download Mileage Log
				</Button>
			</form>
		</Card>
	);
}
