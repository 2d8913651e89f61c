/** The lines of a settlement and what they add up to, for the office and for its driver. */
import type { ShownLine, ShownSum } from "../domain/settlements/shown.ts";
import { Table, TableBody, TableHead, TableHeader, TableRowHead } from "./primitives/table.tsx";

const amountCell = "text-end whitespace-nowrap tabular-nums";

export function SettlementLines({
	caption,
	lines,
	sums,
}: {
	caption: string;
	lines: readonly ShownLine[];
	sums: readonly ShownSum[];
}) {
	return (
		// A phone shows it as a table too, and its rows hold two lines at every width.
		<Table className="max-sm:[&_:is(td,th)]:px-3 [&_:is(td,th)]:py-2">
			<caption className="sr-only">{caption}</caption>
			<TableHeader>
				<TableHead>Line</TableHead>
				<TableHead isNumber>Amount</TableHead>
			</TableHeader>
			<TableBody>
				{lines.map(({ key, text, platform, amount, place }) => (
					<tr key={key}>
						<TableRowHead className="w-full text-start font-normal">
							<span className="wrap-anywhere">{text}</span>
							{platform || place ? (
								<span className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
									{platform}
									{place ? (
										<a
											className="inline-flex min-h-11 items-center font-semibold text-accent sm:min-h-0"
											href={place.href}
										>
											{place.words}
											<span className="sr-only">{` of ${text}`}</span>
										</a>
									) : null}
								</span>
							) : null}
						</TableRowHead>
						<td className={amountCell}>{amount}</td>
					</tr>
				))}
			</TableBody>
			<tfoot className="divide-y divide-line border-t border-line bg-sunken">
				{sums.map(({ label, amount, isTotal }) => (
					<tr key={label}>
						<TableRowHead className={isTotal ? "text-start" : "text-start font-normal"}>
							{label}
						</TableRowHead>
						<td className={isTotal ? `${amountCell} font-semibold` : amountCell}>{amount}</td>
					</tr>
				))}
			</tfoot>
		</Table>
	);
}
