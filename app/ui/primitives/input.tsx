import { clsx } from "clsx";
import type { InputHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";

/** The input element, styled. */
export function Input({
	type = "text",
	className,
	...rest
}: InputHTMLAttributes<HTMLInputElement>) {
	const classes = clsx(CONTROL, "min-h-11 [[readonly]]:bg-sunken", className);
	return <input type={type} className={classes} {...rest} />;
}
