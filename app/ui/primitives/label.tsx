import { clsx } from "clsx";
import type { LabelHTMLAttributes } from "react";

type Props = LabelHTMLAttributes<HTMLLabelElement> & { htmlFor: string };

/** The label of a control. */
export function Label({ htmlFor, className, children, ...rest }: Props) {
	return (
		<label htmlFor={htmlFor} className={clsx("font-semibold", className)} {...rest}>
			{children}
		</label>
	);
}
