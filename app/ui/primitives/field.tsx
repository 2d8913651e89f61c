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

/** What is wrong with a field, sentence by sentence; nothing when it is right. */
export type FieldErrors = readonly string[] | null | undefined;

/** What ties a control to its label, hint and errors. A faulty one is where the page opens. */
export type Control = {
	readonly id: string;
	readonly "aria-describedby"?: string;
	readonly "aria-invalid"?: true;
	readonly autoFocus?: true;
};

/** The attributes of a control and, under it, what is wrong with it. */
export function controlOf(id: string, errors: FieldErrors, hasHint: boolean): Control {
	const isFaulty = Boolean(errors?.length);
	const described = [isFaulty && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(" ");
	return {
		id,
		...(described ? { "aria-describedby": described } : {}),
		...(isFaulty ? { "aria-invalid": true as const, autoFocus: true as const } : {}),
	};
}

/** The words under a faulty control; nothing under one that is right. */
export function ErrorWords({ id, errors }: { id: string; errors: FieldErrors }) {
	if (!errors?.length) return null;
	return (
		<p id={`${id}-error`} className="text-sm font-semibold wrap-anywhere text-bad">
			{errors.join(". ")}
		</p>
	);
}

type FieldProps = {
	id: string;
	label: string;
	/** Said under the control before anything is wrong. */
	hint?: ReactNode;
	errors?: FieldErrors;
	optional?: boolean;
	children: (control: Control) => ReactNode;
};

/** A labelled control with its hint and its errors. */
export function Field({ id, label, hint, errors, optional = false, children }: FieldProps) {
	return (
		<div className="grid content-start gap-1">
			<span>
				<label htmlFor={id} className="font-semibold">
					{label}
				</label>
				{optional ? <span className="text-quiet"> (optional)</span> : null}
			</span>
			{children(controlOf(id, errors, Boolean(hint)))}
			<ErrorWords id={id} errors={errors} />
			{hint ? (
				<p id={`${id}-hint`} className="text-sm text-quiet">
					{hint}
				</p>
			) : null}
		</div>
	);
}
