import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { TONES } from "../../class-names.ts";

const alertVariants = cva("grid gap-2 rounded-md border-s-4 p-3 font-semibold", {
	variants: {
		variant: { bad: TONES.bad, wait: TONES.wait, info: "border-accent bg-accent-soft text-ink" },
	},
	defaultVariants: { variant: "info" },
});

/**
 * A message about a form or a screen. `role="alert"` only for errors, unless the focus has it read
 * out already.
 */
export function Alert({
	variant,
	id,
	className,
	takesFocus = false,
	isAtField = false,
	children,
}: VariantProps<typeof alertVariants> & {
	id?: string;
	className?: string;
	/** Whether the page scrolls to it and focuses it, because it is why the page came back. */
	takesFocus?: boolean;
	/** Whether the focused field says it too. */
	isAtField?: boolean;
	children: ReactNode;
}) {
	return (
		<div
			{...(id ? { id } : {})}
			{...(takesFocus
				? { tabIndex: -1, autoFocus: true }
				: variant === "bad" && !isAtField
					? { role: "alert" }
					: {})}
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
