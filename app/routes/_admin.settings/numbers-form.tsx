/** A form of numeric settings: plain HTML. Amounts are typed in the fleet's currency. */
import { getFormProps, useForm } from "@conform-to/react";
import { DEFAULT_SETTINGS, type FleetSettings } from "../../domain/kernel/fleet-settings.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { formatCount } from "../../values/count.ts";
import type { InputSchema } from "../../values/fields.ts";
import { fleetUnits, inUnits, isDefaultUnits } from "../../values/fleet-units.ts";
import type { FormField } from "../../values/form-field.ts";
import { formatDollars, toDecimal } from "../../values/money.ts";
import type { SettingsAnswer } from "./actions.server.ts";
import { Seen } from "./seen.tsx";
import type { SettingsData } from "./view.server.ts";

/** The numeric settings. */
type NumberName = {
	[Name in keyof FleetSettings]: FleetSettings[Name] extends number ? Name : never;
}[keyof FleetSettings];

const isMoney = (name: string) => name.endsWith("Cents");

/** The value for the input. */
const formatForInput = (name: string, value: number) =>
	isMoney(name) ? toDecimal(value) : String(value);

/** The value for text. */
const formatForText = (name: string, value: number) =>
	isMoney(name) ? formatDollars(value) : formatCount(value);

/** What it does and its default, unless that is dollars in a fleet without them. */
function hintOf(name: NumberName, hint: string): string {
	const hasNoDefault = isMoney(name) && !isDefaultUnits(fleetUnits());
	return hasNoDefault
		? inUnits(hint)
		: `${inUnits(hint)} Default: ${formatForText(name, DEFAULT_SETTINGS[name])}.`;
}

export function NumbersForm<Name extends NumberName>({
	section,
	button,
	fields,
	hints,
	schema,
	data,
	answer,
}: {
	section: string;
	button: string;
	fields: Readonly<Record<Name, FormField>>;
	hints: Readonly<Record<Name, string>>;
	schema: InputSchema;
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const names = Object.keys(fields) as Name[];
	const [form, controls] = useForm<Record<string, string>>({
		id: `${section}-form`,
		lastResult: answer?.section === section ? answer.form : null,
		defaultValue: Object.fromEntries(
			names.map((name) => [name, formatForInput(name, data.settings[name])]),
		),
		constraint: constraintOf(schema),
		defaultNoValidate: false,
	});
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value={section} />
			<Seen section={section} names={names} data={data} answer={answer} />
			<div className="grid items-start gap-4 sm:grid-cols-2">
				{names.map((name) => {
					const control = controls[name];
					return control ? (
						<TextField
							key={name}
							field={control}
							label={fields[name].label}
							hint={hintOf(name, hints[name])}
							inputMode={isMoney(name) ? "decimal" : "numeric"}
						/>
					) : null;
				})}
			</div>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					{button}
				</Button>
			</div>
		</form>
	);
}
