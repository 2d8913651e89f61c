import type { InputHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";
import { cn } from "./cn.ts";
import { INVALID } from "./invalid.ts";

/** The input element, styled. */
export function Input({
	type = "text",
	className,
	...rest
}: InputHTMLAttributes<HTMLInputElement>) {
	const classes = cn(CONTROL, INVALID, "min-h-11 [[readonly]]:bg-sunken", className);
	return <input type={type} className={classes} {...rest} />;
}
