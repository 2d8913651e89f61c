/** A box that ticks every row of a table, and a link that does so without a script. */
export function SelectAll({ isAllSelected, href }: { isAllSelected: boolean; href: string }) {
	return (
		<>
			<label
				hidden
				data-select-all
				className="inline-flex min-h-11 items-center gap-3 font-semibold"
			>
				<input type="checkbox" className="size-5" />
				Select all
			</label>
			<a
				data-select-link
				href={href}
				className="inline-flex min-h-11 items-center font-semibold text-accent"
			>
				{isAllSelected ? "Select none" : "Select all"}
			</a>
		</>
	);
}
