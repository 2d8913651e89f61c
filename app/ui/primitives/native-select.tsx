import type { SelectHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";
import { cn } from "./cn.ts";
import { INVALID } from "./invalid.ts";

/** The select element, styled; a browser counts it as read-only, which it is not. */
export function NativeSelect({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
	return <select className={cn(CONTROL, INVALID, "min-h-11 max-sm:px-2", className)} {...rest} />;
}
