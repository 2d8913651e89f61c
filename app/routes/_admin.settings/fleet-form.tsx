/** The form of the fleet's name: plain HTML. */
import { getFormProps, useForm } from "@conform-to/react";
import { FLEET_FIELDS } from "../../domain/settings/fields.ts";
import { fleetInput } from "../../domain/settings/input.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import type { SettingsAnswer } from "./actions.server.ts";
import { Seen } from "./seen.tsx";
import type { SettingsData } from "./view.server.ts";

export function FleetForm({
	data,
	answer,
}: {
	data: SettingsData;
	answer: SettingsAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<keyof typeof FLEET_FIELDS, string>>({
		id: "fleet-form",
		lastResult: answer?.section === "fleet" ? answer.form : null,
		defaultValue: { fleetName: data.settings.fleetName },
		constraint: constraintOf(fleetInput),
		defaultNoValidate: false,
	});
	return (
		<form {...getFormProps(form)} method="post" action="/settings" className="grid gap-4">
			<input type="hidden" name="intent" value="fleet" />
			<Seen section="fleet" names={["fleetName"]} data={data} answer={answer} />
			<TextField
				field={fields.fleetName}
				label={FLEET_FIELDS.fleetName.label}
				hint={`On screens, in emails and on reports. Leave it empty for '${data.appName}', the deployment's name, which the sign-in screen and the app on phones always have.`}
			/>
			<div>
				<Button variant="outline" pending="Saving..." size="wide">
					Save name
				</Button>
			</div>
		</form>
	);
}
