import type { ReactNode } from "react";
import { Checkbox } from "../primitives/checkbox.tsx";
import { FieldDescription } from "../primitives/field.tsx";

/** Something that is on or off, and what it does. It is sent as `on` or not at all. */
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
	return (
		<div className="grid">
			<label htmlFor={name} className="flex min-h-11 items-center gap-3 font-semibold">
				<Checkbox
					id={name}
					name={name}
					value="on"
					defaultChecked={isOn}
					aria-describedby={`${name}-hint`}
				/>
				{label}
			</label>
			<div className="-mt-2 ps-8">
				<FieldDescription id={`${name}-hint`}>{hint}</FieldDescription>
			</div>
		</div>
	);
}
