/** The requested amount, under a lower approved one. @param note `asked $42.10` */
export function AskedNote({ note }: { note: string | undefined }) {
	if (note === undefined) return null;
	return (
		<>
			{" "}
			<span className="block text-sm font-normal whitespace-nowrap text-quiet">{note}</span>
		</>
	);
}
