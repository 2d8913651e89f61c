import { clsx } from "clsx";
import type { HTMLAttributes, ReactNode } from "react";
import { Label } from "./label.tsx";

/** The errors of a field; nothing if it is valid. */
export type FieldErrors = readonly string[] | null | undefined;

/** Contains a control, its label, description and errors. */
export function Field({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
	return <div className={clsx("grid content-start gap-1", className)} {...rest} />;
}

/** The label of a control, which says if it is optional. */
export function FieldLabel({
	htmlFor,
	isOptional = false,
	children,
}: {
	htmlFor: string;
	isOptional?: boolean;
	children: ReactNode;
}) {
	return (
		<span>
			<Label htmlFor={htmlFor}>{children}</Label>
			{isOptional ? <span className="text-quiet"> (optional)</span> : null}
		</span>
	);
}

/** The description of a control; nothing if there is none. */
export function FieldDescription({ id, children }: { id: string; children: ReactNode }) {
	if (!children) return null;
	return (
		<p id={id} className="text-sm text-quiet">
			{children}
		</p>
	);
}

/** The message under an invalid control; nothing under a valid one. */
export function FieldError({ id, errors }: { id: string; errors: FieldErrors }) {
	if (!errors?.length) return null;
	return (
		<p id={id} className="text-sm font-semibold wrap-anywhere text-bad">
			{errors.join(". ")}
		</p>
	);
}
