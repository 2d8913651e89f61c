/** The form of the fleet's currency and distance: plain HTML, disabled once fixed. */
import { getFormProps, useForm } from "@conform-to/react";
import { UNIT_FIELDS } from "../../domain/settings/fields.ts";
import { unitsInput } from "../../domain/settings/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { SelectField, TextField } from "../../ui/forms/fields.tsx";
import { DISTANCES } from "../../ui/forms/options.ts";
import { Button } from "../../ui/primitives/button.tsx";
import { namesOf } from "../../values/fleet-units.ts";
import type { SettingsAnswer } from "./actions.server.ts";
import { Seen } from "./seen.tsx";
import type { SettingsData } from "./view.server.ts";

export function UnitsForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const { currency, distanceUnit } = data.settings;
	const [form, fields] = useForm<Record<keyof typeof UNIT_FIELDS, string>>({
		id: "units-form",
		lastResult: answer?.section === "units" ? answer.form : null,
		defaultValue: { currency, distanceUnit },
		constraint: constraintOf(unitsInput),
		defaultNoValidate: false,
	});
	const disabled = !data.areUnitsOpen;
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="units" />
			<Seen section="units" names={["currency", "distanceUnit"]} data={data} answer={answer} />
			<div className="grid items-start gap-4 sm:grid-cols-2">
				<TextField
					field={fields.currency}
					label={UNIT_FIELDS.currency.label}
					hint={
						disabled
							? `All amounts are in ${namesOf(currency)}.`
							: "Its code, such as USD, EUR or PLN. It needs two decimals."
					}
					saysOptional={false}
					autoCapitalize="characters"
					disabled={disabled}
				/>
				<SelectField
					field={fields.distanceUnit}
					label={UNIT_FIELDS.distanceUnit.label}
					options={DISTANCES}
					disabled={disabled}
				/>
			</div>
			{disabled ? (
				<p className="text-quiet">
					They've been fixed since the first amount or trip, because nothing is ever converted.
				</p>
			) : null}
			<div>
				<Button variant="outline" pending="Saving..." size="wide" disabled={disabled}>
					Save currency and distance
				</Button>
			</div>
		</form>
	);
}
