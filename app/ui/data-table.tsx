import type { ReactNode } from "react";
import { driverPath } from "../domain/drivers/search.ts";
import { cn } from "./primitives/cn.ts";
import { Table, TableBody, TableCell, TableHead, TableHeader } from "./primitives/table.tsx";

type Column = {
	readonly head: string;
	readonly isNumber?: boolean;
	/** The head is for screen readers only. */
	readonly isHidden?: boolean;
	/** What can be done with a row: links and buttons, not for paper. */
	readonly isControl?: boolean;
};

/**
 * A table that becomes labeled cards on a phone; its cells have the column's head as label.
 * @param isDense many columns: smaller text and less room between them, where there are columns
 * @param lines how a row is laid out on two lines between a phone and a desk (styles.css), where
 * its columns find no room
 * @param phone how a row is laid out on two lines of a phone (styles.css), instead of as a card
 */
export function DataTable({
	caption,
	columns,
	isDense = false,
	lines,
	phone,
	children,
}: {
	caption: string;
	columns: readonly Column[];
	isDense?: boolean;
	lines?: "requests" | "entries" | "fees";
	phone?: "trips" | "history" | "pairs";
	children: ReactNode;
}) {
	return (
		<Table
			className={cn(
				"stack-table",
				isDense && "dense",
				lines && `two-lines ${lines}`,
				phone && `phone-lines ${phone}`,
			)}
		>
			<caption className="sr-only">{caption}</caption>
			<TableHeader>
				{columns.map(({ head, isNumber, isHidden, isControl }) => (
					<TableHead key={head} isNumber={isNumber} isControl={isControl}>
						{isHidden ? <span className="sr-only">{head}</span> : head}
					</TableHead>
				))}
			</TableHeader>
			<TableBody>{children}</TableBody>
		</Table>
	);
}

/** The cell that says whose the row is, and leads there: the code, and the name under it. */
export function DriverCell({ id, code, name }: { id: string; code: string; name: string }) {
	const [word, number] = code.split(" ");
	return (
		<TableCell label="Driver">
			<a
				href={driverPath(id)}
				className="grid min-h-11 content-center text-accent no-underline hover:underline"
			>
				<span>
					{word} {number ? <span className="whitespace-nowrap">{number}</span> : null}
				</span>
				<bdi className="text-sm wrap-anywhere text-quiet">{name}</bdi>
			</a>
		</TableCell>
	);
}
