import type { ReactNode, TdHTMLAttributes } from "react";
import { cn } from "./cn.ts";

type Column = {
	readonly head: string;
	readonly isNumber?: boolean;
	/** The head is for screen readers only. */
	readonly isHidden?: boolean;
	/** What can be done with a row: links and buttons, not for paper. */
	readonly isControl?: boolean;
};

/**
 * A table that becomes labelled cards on a phone; its cells are `Cell`s with the column's head as label.
 * @param isDense many columns: smaller text and less room between them, where there are columns
 * @param lines how a row is laid out on two lines between a phone and a desk (styles.css), where its columns find no room
 */
export function Table({
	caption,
	columns,
	isDense = false,
	lines,
	children,
}: {
	caption: string;
	columns: readonly Column[];
	isDense?: boolean;
	lines?: "requests" | "entries" | "fees";
	children: ReactNode;
}) {
	return (
		<div className="relative overflow-x-auto rounded-lg border print:overflow-visible border-line bg-surface">
			<table
				className={cn(
					"stack-table w-full border-collapse text-start",
					isDense && "sm:text-sm sm:[&_:is(td,th)]:px-1.5",
					lines && `two-lines ${lines}`,
				)}
			>
				<caption className="sr-only">{caption}</caption>
				<thead>
					<tr className="border-b border-line bg-sunken">
						{columns.map(({ head, isNumber, isHidden, isControl }) => (
							<th
								key={head}
								scope="col"
								className={cn("p-3 text-sm font-semibold text-quiet", isNumber ? "text-end" : "text-start", isControl && "no-print")}
							>
								{isHidden ? <span className="sr-only">{head}</span> : head}
							</th>
						))}
					</tr>
				</thead>
				<tbody className="divide-y divide-line">{children}</tbody>
			</table>
		</div>
	);
}

/** A cell; on a phone its label stands before it. */
export function Cell({
	label,
	isNumber,
	isControl,
	className,
	...rest
}: TdHTMLAttributes<HTMLTableCellElement> & { label?: string; isNumber?: boolean; isControl?: boolean }) {
	return (
		<td
			className={cn("align-middle sm:p-3", isNumber && "sm:text-end", isControl && "no-print", className)}
			{...(label ? { "data-label": label } : {})}
			{...rest}
		/>
	);
}

/** The cell that names its row. */
export function RowHead({ label, className, ...rest }: TdHTMLAttributes<HTMLTableCellElement> & { label?: string }) {
	return (
		<th
			scope="row"
			className={cn("align-middle font-semibold sm:p-3 sm:text-start", className)}
			{...(label ? { "data-label": label } : {})}
			{...rest}
		/>
	);
}

/** The cell that says whose the row is: the code, and the name under it. */
export function DriverCell({ code, name }: { code: string; name: string }) {
	const [word, number] = code.split(" ");
	return (
		<Cell label="Driver">
			<span className="grid">
				<span>
					{word} {number ? <span className="whitespace-nowrap">{number}</span> : null}
				</span>
				<bdi className="text-sm wrap-anywhere text-quiet">{name}</bdi>
			</span>
		</Cell>
	);
}
