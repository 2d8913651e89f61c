/** What forms share: the list of what is wrong, and the labelled fields. */
import type { InputHTMLAttributes, ReactNode } from "react";
import { Alert } from "./primitives/alert.tsx";
import { Field, type FieldErrors, Input, Select } from "./primitives/field.tsx";

const PROBLEMS = "problems";

/**
 * Everything that is wrong with what was sent, above the form; nothing when all is well.
 * @param id where a screen has more forms than one
 * @param takesFocus where the form is not what its screen begins with
 */
export function Problems({
	problems,
	id = PROBLEMS,
	takesFocus = false,
}: {
	problems: readonly string[];
	id?: string;
	takesFocus?: boolean;
}) {
	if (problems.length === 0) return null;
	return (
		<Alert tone="bad" id={id} takesFocus={takesFocus}>
			{problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</Alert>
	);
}

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "name"> & {
	/** The field's name, and the control's id unless that is given. */
	readonly name: string;
	readonly id?: string;
	readonly label: string;
	readonly hint?: ReactNode;
	readonly optional?: boolean;
	readonly errors: FieldErrors;
};

/** A labelled line of text; required unless it says that it is optional. */
export function TextField({ name, id = name, label, hint, optional = false, errors, ...input }: Props) {
	return (
		<Field id={id} label={label} hint={hint} errors={errors} optional={optional}>
			{(control) => <Input autoComplete="off" {...control} name={name} {...(optional ? {} : { "aria-required": "true" })} {...input} />}
		</Field>
	);
}

export type Option = readonly [value: string, words: string];

/** Values with the words that they are shown by. */
export const worded = <Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>): Option[] =>
	values.map((value) => [value, words[value]]);

/**
 * A labelled choice of one.
 * @param id where it differs from the name: a screen with two forms
 */
export function SelectField(props: {
	readonly name: string;
	readonly id?: string;
	readonly label: string;
	readonly hint?: ReactNode;
	readonly options: readonly Option[];
	readonly chosen: string | undefined;
	readonly errors?: FieldErrors;
	readonly isRequired?: boolean;
}) {
	const { name, id = name, label, hint, options, chosen, errors, isRequired = false } = props;
	return (
		<Field id={id} label={label} hint={hint} errors={errors}>
			{(control) => (
				<Select {...control} name={name} defaultValue={chosen} {...(isRequired ? { "aria-required": "true" as const } : {})}>
					{options.map(([value, words]) => (
						<option key={value} value={value}>
							{words}
						</option>
					))}
				</Select>
			)}
		</Field>
	);
}

/** Dollars. A number field would turn a typed 12,50 into 1250 (docs/product.md, 'Numbers, money and dates'). */
export function AmountField(props: Pick<Props, "defaultValue" | "errors">) {
	return <TextField name="amount" label="Amount" hint="In dollars, such as 45.50" inputMode="decimal" {...props} />;
}
