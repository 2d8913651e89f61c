import type { HTMLAttributes, ReactNode } from "react";
import { cn } from "./cn.ts";
import { Label } from "./label.tsx";

/** What is wrong with a field, sentence by sentence; nothing when it is right. */
export type FieldErrors = readonly string[] | null | undefined;

/** Holds a control, what names it and what is said about it. */
export function Field({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
	return <div className={cn("grid content-start gap-1", className)} {...rest} />;
}

/** Names a control, and says so where it may stay empty. */
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

/** What is said of a control before anything is wrong; nothing where there is nothing to say. */
export function FieldDescription({ id, children }: { id: string; children: ReactNode }) {
	if (!children) return null;
	return (
		<p id={id} className="text-sm text-quiet">
			{children}
		</p>
	);
}

/** The words under a faulty control; nothing under one that is right. */
export function FieldError({ id, errors }: { id: string; errors: FieldErrors }) {
	if (!errors?.length) return null;
	return (
		<p id={id} className="text-sm font-semibold wrap-anywhere text-bad">
			{errors.join(". ")}
		</p>
	);
}
