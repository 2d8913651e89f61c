/**
 * The purposes of a driver's last trips: what the field suggests and, with a script, buttons that fill
 * it in.
 */
export function Purposes({
	fieldId,
	purposes,
}: {
	/** The id of the field, and the start of the list's. */
	fieldId: string;
	purposes: readonly string[];
}) {
	return (
		<>
			<datalist id={`${fieldId}-list`}>
				{purposes.map((purpose) => (
					<option key={purpose} value={purpose} />
				))}
			</datalist>
			<ul aria-label="Recent purposes" className="mt-2 hidden flex-wrap gap-2 scripted:flex">
				{purposes.map((purpose) => (
					<li key={purpose} className="min-w-0">
						<button
							type="button"
							data-fills={fieldId}
							className="inline-flex min-h-11 items-center rounded-full border border-field px-3 text-start font-semibold wrap-anywhere text-accent hover:bg-sunken"
						>
							{purpose}
						</button>
					</li>
				))}
			</ul>
		</>
	);
}
