import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const badge = cva("inline-flex items-center rounded-full border px-2 py-0.5 text-sm font-semibold whitespace-nowrap", {
	variants: {
		tone: {
			good: "border-good bg-good-soft text-good",
			wait: "border-wait bg-wait-soft text-wait",
			bad: "border-bad bg-bad-soft text-bad",
			info: "border-accent bg-accent-soft text-accent",
			quiet: "border-field bg-sunken text-quiet",
		},
	},
	defaultVariants: { tone: "quiet" },
});

/** A status: its word, and a colour beside it. */
export function Badge({ tone, children }: VariantProps<typeof badge> & { children: ReactNode }) {
	return <span className={badge({ tone })}>{children}</span>;
}
