/** The toast: server-rendered, five seconds, one at a time; `method="dialog"` closes it without a script. */
import type { Toast as ToastWords } from "../messages.ts";
import { Icon } from "./icons.tsx";
import { classes } from "./primitives/classes.ts";

const tones = {
	good: "border-good bg-good-soft text-good",
	bad: "border-bad bg-bad-soft text-bad",
	info: "border-accent bg-accent-soft text-accent",
} as const;

/** @param isLasting it is all the page says, so it stays */
export function Toast({ toast, isLasting = false }: { toast: ToastWords; isLasting?: boolean }) {
	return (
		<div role={toast.tone === "bad" ? "alert" : "status"}>
			<dialog
				open
				aria-label="Notification"
				className={classes(
					"fixed inset-x-3 top-18 bottom-auto z-50 mx-auto flex w-auto max-w-md items-center justify-between gap-3 rounded-md border p-3 not-open:hidden print:hidden",
					// Beside the screen's title where there is room for both.
					!isLasting && "toast sm:me-0",
					tones[toast.tone],
				)}
			>
				<div>
					<p className="font-semibold">{toast.title}</p>
					{toast.text ? <p>{toast.text}</p> : null}
				</div>
				<form method="dialog">
					<button type="submit" className="grid size-11 place-items-center rounded-md" aria-label="Dismiss">
						<Icon name="close" />
					</button>
				</form>
			</dialog>
		</div>
	);
}
