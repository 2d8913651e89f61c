/** The labeled fields of a form that conform knows: named, limited and faulted by its schema. */
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
import { Field, FieldDescription, FieldError, FieldLabel } from "../primitives/field.tsx";
import { Input } from "../primitives/input.tsx";
import { NativeSelect } from "../primitives/native-select.tsx";
import { Textarea } from "../primitives/textarea.tsx";
import type { Option } from "./options.ts";

type Labels = {
	readonly field: FieldMetadata<string>;
	readonly label: string;
	readonly hint?: ReactNode;
	/** Begins the control's id with that of its form: the page has two forms with such a field. */
	readonly isOneOfTwo?: boolean;
	/** Whether it says that it may stay empty; where this is left out, the schema decides. */
	readonly saysOptional?: boolean;
};

type Checks = {
	/** The browser checks it before the form is sent; otherwise the server says what is wrong. */
	readonly isCheckedByBrowser?: boolean;
};

/** A field whose id is its name alone, since its page has no other field of that name. */
function underItsName(field: FieldMetadata<string>): FieldMetadata<string> {
	const own: Readonly<Record<string | symbol, string>> = {
		id: field.name,
		errorId: `${field.name}-error`,
		descriptionId: `${field.name}-hint`,
	};
	return new Proxy(field, { get: (target, key) => own[key] ?? Reflect.get(target, key) });
}

/** A control with its label above it, and what is wrong with it and what it is for below. */
function Labeled({
	field: given,
	label,
	hint,
	isOneOfTwo = false,
	saysOptional,
	children,
}: Labels & {
	children: (field: FieldMetadata<string>, described: { ariaDescribedBy?: string }) => ReactNode;
}) {
	const field = isOneOfTwo ? given : underItsName(given);
	return (
		<Field>
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
 * What conform says of a control, as our pages send it. No `form`: every control stands in its own.
 * What the browser does not check is told to people and left to the server, which says how long a
 * text may be; a browser cuts what is pasted without a word. A faulty control is where the page
 * opens.
 */
function sent<Props extends FromConform>(props: Props, isCheckedByBrowser = false) {
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
	Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "name" | "required"> & {
		readonly type?: "text" | "date" | "email";
	};

/** A labeled line of text, or a date. */
export function TextField({
	field,
	label,
	hint,
	isOneOfTwo,
	saysOptional,
	isCheckedByBrowser,
	type = "text",
	...rest
}: TextFieldProps) {
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, saysOptional }}>
			{(known, described) => {
				const input = getInputProps(known, { type, ...described });
				return <Input autoComplete="off" {...sent(input, isCheckedByBrowser)} {...rest} />;
			}}
		</Labeled>
	);
}

type TextareaFieldProps = Labels &
	Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "name" | "required">;

/** A labeled text of some lines. */
export function TextareaField({
	field,
	label,
	hint,
	isOneOfTwo,
	saysOptional,
	...rest
}: TextareaFieldProps) {
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, saysOptional }}>
			{(known, described) => {
				const textarea = getTextareaProps(known, described);
				return <Textarea {...sent(textarea)} {...rest} />;
			}}
		</Labeled>
	);
}

type SelectFieldProps = Labels &
	Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "name" | "required"> & {
		readonly options: readonly Option[];
		/** Classes of each option that stands for something. */
		readonly optionClassName?: string;
	};

/** A labeled choice of one. It is said to be required where it begins with no choice at all. */
export function SelectField({
	field,
	label,
	hint,
	isOneOfTwo,
	options,
	optionClassName,
	...rest
}: SelectFieldProps) {
	const isOpen = options[0]?.[0] === "";
	return (
		<Labeled {...{ field, label, hint, isOneOfTwo, saysOptional: false }}>
			{(known, described) => {
				const { required, ...select } = getSelectProps(known, described);
				return (
					<NativeSelect {...sent({ ...select, ...(isOpen ? { required } : {}) })} {...rest}>
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
 * Dollars. A number field would turn a typed 12,50 into 1250 (docs/product.md, 'Numbers, money and
 * dates').
 */
export function AmountField({
	isFirst = false,
	...labels
}: Pick<Labels, "field" | "label"> & {
	/** The form opens on it. */
	readonly isFirst?: boolean;
}) {
	return (
		<TextField
			{...labels}
			hint="In dollars, such as 45.50"
			inputMode="decimal"
			{...(isFirst ? { autoFocus: true } : {})}
		/>
	);
}
