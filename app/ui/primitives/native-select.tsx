import type { SelectHTMLAttributes } from "react";
import { cn } from "./cn.ts";
import { CONTROL, FAULTY } from "./control-classes.ts";

/** The select element, styled; a browser counts it as read-only, which it is not. */
export function NativeSelect({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
	return <select className={cn(CONTROL, FAULTY, "min-h-11 max-sm:px-2", className)} {...rest} />;
}
