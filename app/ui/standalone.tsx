/** A screen outside the portal: landing, gates, refusals. */
import type { ReactNode } from "react";
import type { Toast as ToastWords } from "../messages.ts";
import { Icon, type IconName } from "./icons.tsx";
import { usePageContext } from "./page-context.tsx";
import { Toast } from "./toast.tsx";

export function Standalone({
	title,
	icon,
	toast,
	children,
}: {
	title: string;
	icon: IconName;
	toast?: ToastWords | undefined;
	children: ReactNode;
}) {
	const frame = usePageContext();
	const shown = toast ?? frame.toast;
	return (
		<>
			{shown ? <Toast toast={shown} /> : null}
			<main
				id="main"
				className="mx-auto grid min-h-dvh max-w-lg grid-cols-1 content-center gap-6 px-4 py-10"
			>
				<p className="flex items-center gap-3 font-semibold text-quiet">
					<span className="grid size-14 shrink-0 place-items-center rounded-lg bg-accent text-on-accent">
						<Icon name={icon} className="size-8" />
					</span>
					{/* Whose screen this is, if its title says something else. */}
					{title === frame.appName ? null : <span className="min-w-0">{frame.appName}</span>}
				</p>
				<h1 className="text-[min(var(--text-2xl),12vw)] leading-[1.15] font-semibold text-balance">
					{title}
				</h1>
				{children}
			</main>
		</>
	);
}
