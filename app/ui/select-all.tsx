/** A box that ticks every row of a table, and a link that does so without a script. */
export function SelectAll({
	isAllSelected,
	href,
	isDisabled = false,
}: {
	isAllSelected: boolean;
	href: string;
	/** No row can be selected. */
	isDisabled?: boolean;
}) {
	return (
		<>
			<label
				hidden={!isDisabled}
				data-select-all
				className="inline-flex min-h-11 items-center gap-3 font-semibold"
			>
				<input type="checkbox" className="size-5" disabled={isDisabled} />
				Select all
			</label>
			{isDisabled ? null : (
				<a
					data-select-link
					href={href}
					className="inline-flex min-h-11 items-center font-semibold text-accent"
				>
					{isAllSelected ? "Select none" : "Select all"}
				</a>
			)}
		</>
	);
}
