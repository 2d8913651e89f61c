import type { TextareaHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";
import { cn } from "./cn.ts";
import { INVALID } from "./invalid.ts";

/** The textarea element, styled. */
export function Textarea({
	className,
	rows = 3,
	...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement>) {
	return <textarea rows={rows} className={cn(CONTROL, INVALID, className)} {...rest} />;
}
