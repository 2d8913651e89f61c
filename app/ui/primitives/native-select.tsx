import { clsx } from "clsx";
import type { SelectHTMLAttributes } from "react";
import { CONTROL } from "../../class-names.ts";

/** The select element, styled; to CSS it is read-only, which it isn't. */
export function NativeSelect({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
	return <select className={clsx(CONTROL, "min-h-11 max-sm:px-2", className)} {...rest} />;
}
