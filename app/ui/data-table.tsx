import { clsx } from "clsx";
import type { ReactNode } from "react";
import { driverPath } from "../domain/people/search.ts";
import { inUnits } from "../values/fleet-units.ts";
import { Table, TableBody, TableCell, TableHead, TableHeader } from "./primitives/table.tsx";

type Column = {
	readonly head: string;
	readonly isNumber?: boolean;
	/** Whether the heading is for screen readers only. */
	readonly isHidden?: boolean;
	/** A row's links and buttons, which aren't printed. */
	readonly isControl?: boolean;
};

/**
 * A table that becomes labeled cards on a phone, with the column headings as labels.
 * @param caption its name, for screen readers
 * @param labelledBy instead, the id of the heading that is its name, which the page then says once
 * @param isDense many columns: smaller text and less spacing, where there are columns
 * @param lines the two-line layout of a row between phone and desktop (styles/), where its
 * columns don't fit
 * @param phone the two-line layout of a row on a phone (styles/), instead of a card
 */
export function DataTable({
	caption,
	labelledBy,
	columns,
	isDense = false,
	lines,
	phone,
	children,
}: {
	columns: readonly Column[];
	isDense?: boolean;
	lines?: "requests" | "entries" | "fees";
	phone?: "trips" | "history" | "pairs";
	children: ReactNode;
} & ({ caption: string; labelledBy?: undefined } | { caption?: undefined; labelledBy: string })) {
	return (
		<Table
			aria-labelledby={labelledBy}
			className={clsx(
				"stack-table",
				isDense && "dense",
				lines && `two-lines ${lines}`,
				phone && `phone-lines ${phone}`,
			)}
		>
			{caption ? <caption className="sr-only">{caption}</caption> : null}
			<TableHeader>
				{columns.map(({ head, isNumber, isHidden, isControl }) => (
					<TableHead key={head} isNumber={isNumber} isControl={isControl}>
						{isHidden ? <span className="sr-only">{head}</span> : inUnits(head)}
					</TableHead>
				))}
			</TableHeader>
			<TableBody>{children}</TableBody>
		</Table>
	);
}

/** The cell that identifies and links to the row's driver: the name, with the code below. */
export function DriverCell({ id, code, name }: { id: string; code: string; name: string }) {
	return (
		<TableCell label="Driver" className="sm:min-w-24 lg:min-w-32">
			<a
				href={driverPath(id)}
				className="grid min-h-11 content-center no-underline hover:underline"
			>
				<span className="font-semibold wrap-anywhere text-accent">
					<bdi>{name}</bdi>
				</span>
				<span className="text-sm text-quiet xl:whitespace-nowrap print:whitespace-nowrap">
					{code}
				</span>
			</a>
		</TableCell>
	);
}
