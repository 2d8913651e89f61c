/** The mileage log of a tax year, for one driver. */
import { FORMAT_LABELS, PAPER_LABELS, PAPERS } from "../../domain/reports/rules.ts";
import { PersonChoice } from "../../ui/person-choice.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Field, Input } from "../../ui/primitives/field.tsx";
import { FIND_DRIVER } from "./address.ts";
import { Choice, Problems } from "./report-form.tsx";
import type { ReportsData } from "./route.tsx";

export function LogForm({ data }: { data: ReportsData }) {
	const { values, faults } = data.log;
	const fault = (name: string) =>
		faults.fields.includes(name) ? { "aria-invalid": true as const, "aria-describedby": "log-problems" } : {};
	return (
		<Card className="grid gap-4">
			<p className="text-quiet">
				Every trip of a calendar year with its readings, when it was recorded, the totals and a line to sign: what a tax office asks for.
			</p>
			<form method="post" action="/reports/mileage-log" data-download="" className="report-form grid gap-4">
				<Problems id="log-problems" faults={faults} />
				<div className="grid items-start gap-4 sm:grid-cols-2">
					<PersonChoice
						name="driverId"
						label="Driver"
						choice={data.person}
						nobody={{ value: "", label: "Select a driver" }}
						find={{ intent: FIND_DRIVER }}
						fault={fault("driverId")}
						isRequired
					/>
					<Field id="log-year" label="Tax Year">
						{(control) => (
							<Input
								{...control}
								{...fault("year")}
								name="year"
								inputMode="numeric"
								autoComplete="off"
								maxLength={4}
								defaultValue={values.year}
							/>
						)}
					</Field>
					<Choice
						form="log"
						name="format"
						label="Format"
						values={["pdf", "excel"]}
						labels={FORMAT_LABELS}
						chosen={values.format}
						faults={faults}
					/>
					<Choice
						form="log"
						name="paper"
						label="Paper of a PDF"
						values={PAPERS}
						labels={PAPER_LABELS}
						chosen={values.paper}
						faults={faults}
						className="paper-size"
					/>
				</div>
				<Button width="full" className="sm:justify-self-start">
					Download Mileage Log
				</Button>
			</form>
		</Card>
	);
}
