import { clsx } from "clsx";
import type { TextareaHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";

/** The textarea element, styled. */
export function Textarea({
	className,
	rows = 3,
	...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement>) {
	return <textarea rows={rows} className={clsx(CONTROL, className)} {...rest} />;
}
