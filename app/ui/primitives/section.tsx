import { clsx } from "clsx";
import type { ReactNode } from "react";

/**
 * A section with a heading and, beside it, its actions.
 * @param isRegion off if the heading starts with the label of a field on the screen: assistive
 * technology finds both by name
 * @param className of the whole section
 */
export function Section({
	id,
	title,
	actions,
	isRegion = true,
	className,
	children,
}: {
	id: string;
	title: ReactNode;
	actions?: ReactNode;
	isRegion?: boolean;
	className?: string;
	children: ReactNode;
}) {
	return (
		<section
			{...(isRegion ? { "aria-labelledby": id } : {})}
			className={clsx("grid gap-4", className)}
		>
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
