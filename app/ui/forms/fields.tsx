/** The labeled fields of a conform form: names, limits and errors come from its schema. */
import {
	type FieldMetadata,
	getInputProps,
	getSelectProps,
	getTextareaProps,
} from "@conform-to/react";
import type {
	InputHTMLAttributes,
	ReactNode,
	SelectHTMLAttributes,
	TextareaHTMLAttributes,
} from "react";
import { inUnits } from "../../values/fleet-units.ts";
import { Field, FieldDescription, FieldError, FieldLabel } from "../primitives/field.tsx";
import { Input } from "../primitives/input.tsx";
import { NativeSelect } from "../primitives/native-select.tsx";
import { Textarea } from "../primitives/textarea.tsx";
import type { Option } from "./options.ts";

type Labels = {
	readonly field: FieldMetadata<string>;
	readonly label: string;
	readonly hint?: ReactNode;
	/**
	 * Prefixes the control's id with that of its form, if the page has two forms with such a field.
	 */
	readonly isOneOfTwo?: boolean;
	/** Whether it is marked as optional; by default, the schema decides. */
	readonly saysOptional?: boolean;
	/** Classes of the whole field. */
	readonly className?: string;
};

type Checks = {
	/** Whether the browser checks it before sending; otherwise the server says what is wrong. */
	readonly isCheckedByBrowser?: boolean;
};

/** A field whose id is just its name, since its page has no other field with that name. */
function withPlainIds(field: FieldMetadata<string>): FieldMetadata<string> {
	const own: Readonly<Record<string | symbol, string>> = {
		id: field.name,
		errorId: `${field.name}-error`,
		descriptionId: `${field.name}-hint`,
	};
	return new Proxy(field, { get: (target, key) => own[key] ?? Reflect.get(target, key) });
}

/** A control with its label above, and its errors and description below. */
function Labeled({
	field: given,
	label,
	hint,
	isOneOfTwo = false,
	saysOptional,
	className,
	children,
}: Labels & {
	children: (field: FieldMetadata<string>, described: { ariaDescribedBy?: string }) => ReactNode;
}) {
	const field = isOneOfTwo ? given : withPlainIds(given);
	return (
		<Field className={className}>
			<FieldLabel htmlFor={field.id} isOptional={saysOptional ?? !field.required}>
				{label}
			</FieldLabel>
			{children(field, hint ? { ariaDescribedBy: field.descriptionId } : {})}
			<FieldError id={field.errorId} errors={field.errors} />
			<FieldDescription id={field.descriptionId}>{hint}</FieldDescription>
		</Field>
	);
}

type FromConform = {
	readonly form: string;
	readonly required?: boolean;
	readonly maxLength?: number;
	readonly "aria-invalid"?: boolean;
};

/**
 * conform's attributes for a control, adapted to our pages. No `form`: every control is inside its
 * own. What the browser doesn't check is only announced, and left to the server, which says how
 * long a text may be; browsers silently cut pasted text. The page focuses an invalid control.
 */
function cleanProps<Props extends FromConform>(props: Props, isCheckedByBrowser = false) {
	const { form: _, required, maxLength, ...rest } = props;
	return {
		...rest,
		...(isCheckedByBrowser ? { required, maxLength } : {}),
		...(required && !isCheckedByBrowser ? { "aria-required": true } : {}),
		...(props["aria-invalid"] ? { autoFocus: true } : {}),
	};
}

type TextFieldProps = Labels &
	Checks &
	Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "name" | "required" | "className"> & {
		readonly type?: "text" | "date" | "email";
	};

/** A labeled single-line text or date. */
export function TextField({
	field,
	label,
	hint,
	isOneOfTwo,
	saysOptional,
	className,
	isCheckedByBrowser,
	type = "text",
	...rest
}: TextFieldProps) {
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, saysOptional, className }}>
			{(known, described) => {
				const input = getInputProps(known, { type, ...described });
				return <Input autoComplete="off" {...cleanProps(input, isCheckedByBrowser)} {...rest} />;
			}}
		</Labeled>
	);
}

type TextareaFieldProps = Labels &
	Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "name" | "required" | "className">;

/** A labeled multi-line text. */
export function TextareaField({
	field,
	label,
	hint,
	isOneOfTwo,
	saysOptional,
	className,
	...rest
}: TextareaFieldProps) {
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, saysOptional, className }}>
			{(known, described) => {
				const textarea = getTextareaProps(known, described);
				return <Textarea {...cleanProps(textarea)} {...rest} />;
			}}
		</Labeled>
	);
}

type SelectFieldProps = Labels &
	Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "name" | "required" | "className"> & {
		readonly options: readonly Option[];
		/** Classes of each option with a value. */
		readonly optionClassName?: string;
	};

/** A labeled select. It is marked as required if it starts without a choice. */
export function SelectField({
	field,
	label,
	hint,
	isOneOfTwo,
	className,
	options,
	optionClassName,
	...rest
}: SelectFieldProps) {
	const isOpen = options[0]?.[0] === "";
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, className, saysOptional: false }}>
			{(known, described) => {
				const { required, ...select } = getSelectProps(known, described);
				return (
					<NativeSelect {...cleanProps({ ...select, ...(isOpen ? { required } : {}) })} {...rest}>
						{options.map(([value, words]) => (
							<option key={value} value={value} {...(value ? { className: optionClassName } : {})}>
								{words}
							</option>
						))}
					</NativeSelect>
				);
			}}
		</Labeled>
	);
}

/**
 * An amount in the fleet's currency. A number field would turn a typed 12,50 into 1250 (docs/product.md, 'Numbers, money and
 * dates').
 */
export function AmountField({
	isFirst = false,
	...labels
}: Pick<Labels, "field" | "label" | "className"> & {
	/** Whether the page focuses it. */
	readonly isFirst?: boolean;
}) {
	return (
		<TextField
			{...labels}
			hint={inUnits("In dollars, such as 45.50")}
			inputMode="decimal"
			{...(isFirst ? { autoFocus: true } : {})}
		/>
	);
}
