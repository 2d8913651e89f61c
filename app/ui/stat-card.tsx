import { clsx } from "clsx";
import type { ReactNode } from "react";
import { inUnits } from "../values/fleet-units.ts";
import { Card } from "./primitives/card.tsx";

/**
 * Numbers with more characters are shown smaller, with their whole row: half a phone's width fits
 * `$1,234.50` in large type, but `$192,000.00` only in small.
 */
const LARGE_CHARACTERS = 9;

/** One number of a dashboard, with the period it covers. */
export function StatCard({
	label,
	value,
	note,
}: {
	label: string;
	value: string;
	note?: ReactNode;
}) {
	return (
		<Card className="grid min-w-0 content-start gap-1 p-3 sm:p-4">
			<dt className="text-sm text-quiet">{inUnits(label)}</dt>
			<dd className="m-0 grid gap-1">
				<span
					className={clsx(
						"figure font-semibold wrap-anywhere tabular-nums",
						value.length > LARGE_CHARACTERS && "long",
					)}
				>
					{value}
				</span>
				{note ? <span className="text-sm text-quiet">{note}</span> : null}
			</dd>
		</Card>
	);
}

/**
 * A row of stat cards.
 * @param isWide for two large amounts: on a phone they are stacked
 * @param columns if there is room; on a phone two, with the last of an odd number taking both; of
 * three the first does
 */
export function Stats({
	isWide = false,
	columns = 4,
	children,
}: {
	isWide?: boolean;
	columns?: 3 | 4 | 5;
	children: ReactNode;
}) {
	const narrow = "grid-cols-2 max-lg:@min-[15rem]:[&>:last-child:nth-child(odd)]:col-span-2";
	const room = {
		3: "grid-cols-2 max-sm:@min-[15rem]:[&>:first-child]:col-span-2 sm:grid-cols-3",
		4: [narrow, "lg:grid-cols-4"],
		5: [narrow, "lg:grid-cols-3 xl:grid-cols-5"],
	}[columns];
	// The container is measured in the reader's own text size: cards too narrow for a word stack.
	return (
		<div className="@container">
			<dl
				className={clsx(
					"figures grid gap-3",
					isWide ? "sm:grid-cols-2" : [room, "@max-[15rem]:grid-cols-1"],
				)}
			>
				{children}
			</dl>
		</div>
	);
}
