import type { TextareaHTMLAttributes } from "react";
import { cn } from "./cn.ts";
import { CONTROL, FAULTY } from "./control-classes.ts";

/** The textarea element, styled. */
export function Textarea({ className, rows = 3, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
	return <textarea rows={rows} className={cn(CONTROL, FAULTY, className)} {...rest} />;
}
