/** What was asked for, under the lower amount that was approved. @param note `asked $42.10` */
export function AskedNote({ note }: { note: string | undefined }) {
	if (note === undefined) return null;
	return (
		<>
			{" "}
			<span className="block text-sm font-normal whitespace-nowrap text-quiet">{note}</span>
		</>
	);
}
