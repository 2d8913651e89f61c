import type { ReactNode } from "react";
import { Checkbox } from "../primitives/checkbox.tsx";
import { FieldDescription } from "../primitives/field.tsx";
import { Label } from "../primitives/label.tsx";

/** A labeled switch with a description. It is sent as `on` or not at all. */
export function SwitchField({
	name,
	label,
	hint,
	isOn,
}: {
	name: string;
	label: string;
	hint: ReactNode;
	isOn: boolean;
}) {
	const hintId = `${name}-hint`;
	return (
		<div className="grid grid-cols-[auto_1fr] items-center gap-x-3">
			<Checkbox id={name} name={name} value="on" defaultChecked={isOn} aria-describedby={hintId} />
			<Label htmlFor={name} className="flex min-h-11 items-center">
				{label}
			</Label>
			<div className="col-start-2 -mt-2">
				<FieldDescription id={hintId}>{hint}</FieldDescription>
			</div>
		</div>
	);
}
