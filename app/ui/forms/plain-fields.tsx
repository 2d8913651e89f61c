/** Labeled fields without a schema: a file, a filter, a search, a read-only value. */
import type { ReactNode } from "react";
import {
	Field,
	FieldDescription,
	FieldError,
	type FieldErrors,
	FieldLabel,
} from "../primitives/field.tsx";
import { NativeSelect } from "../primitives/native-select.tsx";
import type { Option } from "./options.ts";

/** Connects a control with its label, hint and errors. The page focuses an invalid one. */
type Control = {
	readonly id: string;
	readonly "aria-describedby"?: string;
	readonly "aria-invalid"?: true;
	readonly autoFocus?: true;
};

/** The attributes of a control that may have a hint and errors. */
export function controlProps(id: string, errors: FieldErrors, hasHint: boolean): Control {
	const isFaulty = Boolean(errors?.length);
	const described = [isFaulty && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(" ");
	return {
		id,
		...(described ? { "aria-describedby": described } : {}),
		...(isFaulty ? { "aria-invalid": true as const, autoFocus: true as const } : {}),
	};
}

type PlainFieldProps = {
	readonly id: string;
	readonly label: string;
	/** The hint under the control. */
	readonly hint?: ReactNode;
	readonly errors?: FieldErrors;
	readonly isOptional?: boolean;
	readonly children: (control: Control) => ReactNode;
};

/** A labeled control with its hint and its errors. */
export function PlainField({
	id,
	label,
	hint,
	errors,
	isOptional = false,
	children,
}: PlainFieldProps) {
	return (
		<Field>
			<FieldLabel htmlFor={id} isOptional={isOptional}>
				{label}
			</FieldLabel>
			{children(controlProps(id, errors, Boolean(hint)))}
			<FieldError id={`${id}-error`} errors={errors} />
			<FieldDescription id={`${id}-hint`}>{hint}</FieldDescription>
		</Field>
	);
}

type PlainSelectProps = Pick<PlainFieldProps, "label" | "hint"> & {
	/** The field's name and the control's id. */
	readonly name: string;
	readonly options: readonly Option[];
	readonly chosen: string | undefined;
};

/** A labeled select, such as a filter's. */
export function PlainSelect({ name, label, hint, options, chosen }: PlainSelectProps) {
	return (
		<PlainField id={name} label={label} hint={hint}>
			{(control) => (
				<NativeSelect {...control} name={name} defaultValue={chosen}>
					{options.map(([value, words]) => (
						<option key={value} value={value}>
							{words}
						</option>
					))}
				</NativeSelect>
			)}
		</PlainField>
	);
}
