import type { HTMLAttributes, ReactNode } from "react";
import { classes } from "./classes.ts";

/** A bordered surface. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
	return <div className={classes("rounded-lg border border-line bg-surface p-4 sm:p-6", className)} {...rest} />;
}

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
		<section aria-labelledby={id} className={classes("grid gap-4", className)}>
			<div className="flex flex-wrap items-center justify-between gap-2">
				<h2 id={id} className="text-lg font-semibold">
					{title}
				</h2>
				{actions}
			</div>
			{children}
		</section>
	);
}

/** What a list says when it has nothing in it. */
export function Empty({ children }: { children: ReactNode }) {
	return <p className="rounded-lg border border-dashed border-line p-6 text-center text-quiet">{children}</p>;
}

/** One number of a dashboard, with the window it covers. */
export function StatCard({ label, value, note }: { label: string; value: string; note?: string }) {
	return (
		<Card className="grid min-w-0 content-start gap-1 p-3 sm:p-4">
			<dt className="text-sm text-quiet">{label}</dt>
			<dd className="m-0 grid gap-1">
				<span className="text-lg font-semibold wrap-anywhere tabular-nums sm:text-xl">{value}</span>
				{note ? <span className="text-sm text-quiet">{note}</span> : null}
			</dd>
		</Card>
	);
}

/**
 * A row of stat cards.
 * @param isWide for two large amounts: on a phone they stand below each other
 * @param className for another number of columns
 */
export function Stats({ isWide = false, className, children }: { isWide?: boolean; className?: string; children: ReactNode }) {
	return <dl className={classes("grid gap-3", isWide ? "sm:grid-cols-2" : "grid-cols-2 lg:grid-cols-4", className)}>{children}</dl>;
}
