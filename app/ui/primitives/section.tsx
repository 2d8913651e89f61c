import type { ReactNode } from "react";
import { cn } from "./cn.ts";

/**
 * A section with a heading and, beside it, what can be done there.
 * @param className of the whole section
 */
export function Section({
	id,
	title,
	actions,
	className,
	children,
}: {
	id: string;
	title: ReactNode;
	actions?: ReactNode;
	className?: string;
	children: ReactNode;
}) {
	return (
		<section aria-labelledby={id} className={cn("grid gap-4", className)}>
			<div className="flex flex-wrap items-center justify-between gap-2">
				<h2 id={id} className="min-w-0 text-lg font-semibold">
					{title}
				</h2>
				{actions}
			</div>
			{children}
		</section>
	);
}
