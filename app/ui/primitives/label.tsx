import type { LabelHTMLAttributes } from "react";
import { cn } from "./cn.ts";

type Props = LabelHTMLAttributes<HTMLLabelElement> & { htmlFor: string };

/** The label of a control. */
export function Label({ htmlFor, className, children, ...rest }: Props) {
	return (
		<label htmlFor={htmlFor} className={cn("font-semibold", className)} {...rest}>
			{children}
		</label>
	);
}
