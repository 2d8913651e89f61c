/** The fleet's units: a form of the first steps, as long as they can be chosen. */
import { UNIT_FIELDS } from "../../domain/settings/fields.ts";
import { toSeen } from "../../domain/settings/shown.ts";
import { DISTANCES } from "../../ui/forms/options.ts";
import { PlainField, PlainSelect } from "../../ui/forms/plain-fields.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Input } from "../../ui/primitives/input.tsx";
import type { FirstSteps } from "./first-steps.server.ts";

export function UnitsForm({ currency, distanceUnit, isAtWork }: FirstSteps) {
	return (
		<details open={isAtWork}>
			<summary className="py-2.5 font-semibold text-accent">Currency and distance</summary>
			<form method="post" action="/settings" className="grid gap-4 pt-2 sm:max-w-lg sm:grid-cols-2">
				<input type="hidden" name="intent" value="units" />
				<input
					type="hidden"
					name="seen"
					value={toSeen({ currency, distanceUnit }, ["currency", "distanceUnit"])}
				/>
				<PlainField
					id="setup-currency"
					label={UNIT_FIELDS.currency.label}
					hint="Its code, such as USD, EUR or PLN"
				>
					{(control) => (
						<Input
							{...control}
							name="currency"
							defaultValue={currency}
							autoCapitalize="characters"
							required
						/>
					)}
				</PlainField>
				<PlainSelect
					name="distanceUnit"
					label={UNIT_FIELDS.distanceUnit.label}
					options={DISTANCES}
					chosen={distanceUnit}
				/>
				<div>
					<Button variant="outline" pending="Saving...">
						Save currency and distance
					</Button>
				</div>
			</form>
		</details>
	);
}
