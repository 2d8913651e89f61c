/** The toast: server-rendered, five seconds, one at a time; a disclosure that folds away closes it without a script. */
import type { ReactNode } from "react";
import type { Toast as ToastWords } from "../messages.ts";
import { Icon } from "./icons.tsx";
import { cn } from "./primitives/cn.ts";

const tones = {
	good: "border-good bg-good-soft text-good",
	bad: "border-bad bg-bad-soft text-bad",
	info: "border-accent bg-accent-soft text-accent",
} as const;

/**
 * @param isLasting it is all the page says, so it stays, and its title is the page's heading
 * @param children what can be done about what it says
 */
export function Toast({ toast, isLasting = false, children }: { toast: ToastWords; isLasting?: boolean; children?: ReactNode }) {
	const Title = isLasting ? "h1" : "p";
	return (
		<div role={toast.tone === "bad" ? "alert" : "status"}>
			<details
				open
				className={cn(
					"fixed inset-x-3 top-18 bottom-auto z-50 mx-auto max-w-md rounded-md border p-3 pe-16 not-open:hidden print:hidden",
					// Beside the screen's title where there is room for both.
					!isLasting && "toast sm:me-0",
					tones[toast.tone],
				)}
			>
				<summary className="absolute end-2 top-2 grid size-11 list-none place-items-center rounded-md" aria-label="Dismiss">
					<Icon name="close" />
				</summary>
				<Title className="font-semibold">{toast.title}</Title>
				{toast.text ? <p>{toast.text}</p> : null}
				{toast.detail ? <p>{toast.detail}</p> : null}
				{children}
			</details>
		</div>
	);
}
