import type { InputHTMLAttributes } from "react";
import { cn } from "./cn.ts";

/** The checkbox element, large enough to see; its label is the touch target. */
export function Checkbox({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
	return <input type="checkbox" className={cn("size-5 shrink-0", className)} {...rest} />;
}
