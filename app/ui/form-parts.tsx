/** What the forms that fill in a record share: the list of what is wrong, and the fields that point to it. */
import type { InputHTMLAttributes, ReactNode } from "react";
import { Alert } from "./primitives/alert.tsx";
import { Field, Input } from "./primitives/field.tsx";

const PROBLEMS = "problems";

/** Everything that is wrong with what was sent, above the form; nothing when all is well. */
export function Problems({ problems }: { problems: readonly string[] }) {
	if (problems.length === 0) return null;
	return (
		<Alert tone="bad" id={PROBLEMS}>
			{problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</Alert>
	);
}

/** What marks a control as faulty and leads to the list of problems; nothing on one that is right. */
export type Fault = { readonly "aria-invalid"?: true; readonly "aria-describedby"?: string };

export function faultIf(isFaulty: unknown): Fault {
	return isFaulty ? { "aria-invalid": true, "aria-describedby": PROBLEMS } : {};
}

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "name"> & {
	/** The field's name, and the control's id. */
	readonly name: string;
	readonly label: string;
	readonly hint?: ReactNode;
	readonly optional?: boolean;
	readonly fault: Fault;
};

/** A labelled line of text; required unless it says that it is optional. */
export function TextField({ name, label, hint, optional = false, fault, ...input }: Props) {
	return (
		<Field id={name} label={label} hint={hint} optional={optional}>
			{(control) => {
				const described = [control["aria-describedby"], fault["aria-describedby"]].filter(Boolean).join(" ");
				return (
					<Input
						autoComplete="off"
						{...control}
						{...fault}
						{...(described ? { "aria-describedby": described } : {})}
						name={name}
						{...(optional ? {} : { "aria-required": "true" })}
						{...input}
					/>
				);
			}}
		</Field>
	);
}

/** Dollars. A number field would turn a typed 12,50 into 1250 (decisions.md, 'Numbers'). */
export function AmountField(props: Pick<Props, "defaultValue" | "fault">) {
	return <TextField name="amount" label="Amount" hint="In dollars, such as 45.50" inputMode="decimal" {...props} />;
}
