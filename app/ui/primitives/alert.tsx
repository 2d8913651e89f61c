import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { TONES } from "../../class-names.ts";

const alertVariants = cva("grid gap-2 rounded-md border-s-4 p-3 font-semibold", {
	variants: {
		variant: { bad: TONES.bad, wait: TONES.wait, info: "border-accent bg-accent-soft text-ink" },
	},
	defaultVariants: { variant: "info" },
});

/** A message that belongs to a form or a screen. `role="alert"` only for what went wrong. */
export function Alert({
	variant,
	id,
	className,
	takesFocus = false,
	children,
}: VariantProps<typeof alertVariants> & {
	id?: string;
	className?: string;
	/** The page opens with it in sight and in focus: what it says is why the page came back. */
	takesFocus?: boolean;
	children: ReactNode;
}) {
	return (
		<div
			{...(id ? { id } : {})}
			{...(variant === "bad" ? { role: "alert" } : {})}
			{...(takesFocus ? { tabIndex: -1, autoFocus: true } : {})}
			// An island draws it too: without `cn`, whose tables of classes no browser should fetch.
			className={alertVariants({ variant, className })}
		>
			{children}
		</div>
	);
}

/** What an alert says beyond its first sentence. */
export function AlertDescription({ children }: { children: ReactNode }) {
	return <p className="font-normal">{children}</p>;
}
