import type { InputHTMLAttributes } from "react";
import { cn } from "./cn.ts";
import { CONTROL, FAULTY } from "./control-classes.ts";

/** The input element, styled. */
export function Input({ type = "text", className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
	const classes = cn(CONTROL, FAULTY, "min-h-11 [[readonly]]:bg-sunken", className);
	return <input type={type} className={classes} {...rest} />;
}
