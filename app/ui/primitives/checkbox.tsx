import { clsx } from "clsx";
import type { InputHTMLAttributes } from "react";

/** The checkbox element, large enough to see; its label is the touch target. */
export function Checkbox({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
	return <input type="checkbox" className={clsx("size-5 shrink-0", className)} {...rest} />;
}
