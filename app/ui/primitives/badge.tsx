import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";
import { BADGE, TONES } from "../../class-names.ts";

const badgeVariants = cva(BADGE, {
	variants: { variant: { ...TONES, quiet: "" } },
	defaultVariants: { variant: "quiet" },
});

/** A status: its word, and a color beside it. */
export function Badge({
	variant,
	children,
}: VariantProps<typeof badgeVariants> & { children: ReactNode }) {
	return <span className={badgeVariants({ variant })}>{children}</span>;
}
