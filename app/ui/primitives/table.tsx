import { clsx } from "clsx";
import type {
	HTMLAttributes,
	TableHTMLAttributes,
	TdHTMLAttributes,
	ThHTMLAttributes,
} from "react";
import { inUnits } from "../../values/fleet-units.ts";

/** A table, and the box in which it scrolls if it doesn't fit. */
export function Table({ className, ...rest }: TableHTMLAttributes<HTMLTableElement>) {
	return (
		<div className="relative overflow-x-auto rounded-lg border print:overflow-visible border-line bg-surface">
			<table className={clsx("w-full border-collapse text-start", className)} {...rest} />
		</div>
	);
}

/** The row of headings. */
export function TableHeader({ children, ...rest }: HTMLAttributes<HTMLTableSectionElement>) {
	return (
		<thead {...rest}>
			<tr className="border-b border-line bg-sunken">{children}</tr>
		</thead>
	);
}

/** The rows, with a line between them. */
export function TableBody({ className, ...rest }: HTMLAttributes<HTMLTableSectionElement>) {
	return <tbody className={clsx("divide-y divide-line", className)} {...rest} />;
}

/** The heading of a column. */
export function TableHead({
	isNumber,
	isControl,
	className,
	...rest
}: ThHTMLAttributes<HTMLTableCellElement> & { isNumber?: boolean; isControl?: boolean }) {
	return (
		<th
			scope="col"
			className={clsx(
				"text-sm text-quiet sm:whitespace-nowrap",
				isNumber && "text-end",
				isControl && "no-print",
				className,
			)}
			{...rest}
		/>
	);
}

/** A cell; on a phone its label precedes it. */
export function TableCell({
	label,
	isNumber,
	isControl,
	className,
	...rest
}: TdHTMLAttributes<HTMLTableCellElement> & {
	label?: string;
	isNumber?: boolean;
	isControl?: boolean;
}) {
	return (
		<td
			className={clsx(isNumber && "sm:text-end", isControl && "no-print", className) || undefined}
			{...(label ? { "data-label": inUnits(label) } : {})}
			{...rest}
		/>
	);
}

/** The cell that names its row. */
export function TableRowHead({
	label,
	className,
	...rest
}: ThHTMLAttributes<HTMLTableCellElement> & { label?: string }) {
	return (
		<th
			scope="row"
			className={className}
			{...(label ? { "data-label": inUnits(label) } : {})}
			{...rest}
		/>
	);
}
