import type { ReactNode } from "react";
import { cn } from "./cn.ts";

const tones = {
	bad: "border-bad bg-bad-soft text-bad",
	wait: "border-wait bg-wait-soft text-wait",
	info: "border-accent bg-accent-soft text-ink",
} as const;

/** A message that belongs to a form or a screen. `role="alert"` only for what went wrong. */
export function Alert({
	tone,
	id,
	className,
	takesFocus = false,
	children,
}: {
	tone: keyof typeof tones;
	id?: string;
	className?: string;
	/** The page opens with it in sight and in focus: what it says is why the page came back. */
	takesFocus?: boolean;
	children: ReactNode;
}) {
	return (
		<div
			{...(id ? { id } : {})}
			{...(tone === "bad" ? { role: "alert" } : {})}
			{...(takesFocus ? { tabIndex: -1, autoFocus: true } : {})}
			className={cn("grid gap-2 rounded-md border-s-4 p-3 font-semibold", tones[tone], className)}
		>
			{children}
		</div>
	);
}
