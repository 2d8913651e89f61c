/**
 * The toast: server-rendered, shown for five seconds, one at a time; without a script, a disclosure
 * closes it.
 */
import { cva } from "class-variance-authority";
import type { ReactNode } from "react";
import { TONES } from "../class-names.ts";
import type { Toast as ToastWords } from "../messages.ts";
import { Icon } from "./icons.tsx";

const toastVariants = cva(
	"fixed inset-x-3 top-18 bottom-auto z-50 mx-auto max-w-md rounded-md border p-3 pe-16 not-open:hidden print:hidden",
	{
		variants: {
			// Beside the screen's title if there is room for both.
			isLasting: { true: "", false: "toast sm:me-0" },
			variant: { good: TONES.good, bad: TONES.bad, info: TONES.info },
		},
	},
);

/**
 * @param isLasting if it is the page's only content, so it stays, and its title is the page's
 * heading
 * @param children what can be done about it
 */
export function Toast({
	toast,
	isLasting = false,
	children,
}: {
	toast: ToastWords;
	isLasting?: boolean;
	children?: ReactNode;
}) {
	const Title = isLasting ? "h1" : "p";
	return (
		<div role={toast.tone === "bad" ? "alert" : "status"}>
			<details
				open
				// Islands render it too, so without `cn`, whose class tables no browser should have to
				// load.
				className={toastVariants({ isLasting, variant: toast.tone })}
			>
				<summary
					className="absolute end-2 top-2 grid size-11 list-none place-items-center rounded-md"
					aria-label="Dismiss"
				>
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
