import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { classes } from "./classes.ts";

const box = "w-full rounded-md border border-field bg-surface px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad";

/** The input element, styled. */
export function Input({ className, type = "text", ...rest }: InputHTMLAttributes<HTMLInputElement>) {
	return <input type={type} className={classes(box, "min-h-11 [[readonly]]:bg-sunken", className)} {...rest} />;
}

/** The textarea element, styled. */
export function Textarea({ className, rows = 3, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
	return <textarea rows={rows} className={classes(box, className)} {...rest} />;
}

/** The select element, styled; a browser counts it as read-only, which it is not. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
	return <select className={classes(box, "min-h-11 max-sm:px-2", className)} {...rest} />;
}

type FieldProps = {
	id: string;
	label: string;
	/** Said under the control before anything is wrong. */
	hint?: ReactNode;
	errors?: readonly string[] | undefined;
	optional?: boolean;
	/** The control, given what ties it to its label, hint and errors. */
	children: (control: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
};

/** A labelled control with its hint and its errors. */
export function Field({ id, label, hint, errors, optional = false, children }: FieldProps) {
	const hasErrors = errors !== undefined && errors.length > 0;
	const described = [hint ? `${id}-hint` : "", hasErrors ? `${id}-error` : ""].filter(Boolean).join(" ");
	return (
		<div className="grid content-start gap-1">
			<span>
				<label htmlFor={id} className="font-semibold">
					{label}
				</label>
				{optional ? <span className="text-quiet"> (optional)</span> : null}
			</span>
			{children({ id, ...(described ? { "aria-describedby": described } : {}), ...(hasErrors ? { "aria-invalid": true as const } : {}) })}
			{hint ? (
				<p id={`${id}-hint`} className="text-sm text-quiet">
					{hint}
				</p>
			) : null}
			{hasErrors ? (
				<p id={`${id}-error`} className="text-sm font-semibold text-bad">
					{errors.join(". ")}
				</p>
			) : null}
		</div>
	);
}
