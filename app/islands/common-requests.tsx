/**
 * The chips above the request form: links that open it filled in and, once hydrated, buttons that
 * fill in the existing form.
 */
export type CommonRequestsProps = {
	readonly typeId: string;
	readonly descriptionId: string;
	readonly amountId: string;
	readonly requests: readonly { readonly type: string; readonly description: string }[];
};

/** Sets a control's value and dispatches its events. */
function setValue(control: HTMLSelectElement | HTMLTextAreaElement, value: string): void {
	control.value = value;
	control.dispatchEvent(new Event("input", { bubbles: true }));
}

export default function CommonRequests({
	typeId,
	descriptionId,
	amountId,
	requests,
}: CommonRequestsProps) {
	const fillIn = (event: React.MouseEvent, chosen: CommonRequestsProps["requests"][number]) => {
		const select = document.getElementById(typeId);
		const text = document.getElementById(descriptionId);
		if (!(select instanceof HTMLSelectElement) || !(text instanceof HTMLTextAreaElement)) return;
		event.preventDefault();
		setValue(select, chosen.type);
		const typed = text.value.trim();
		const isChip = requests.some(({ description }) => description === typed);
		// What the driver has typed is kept.
		setValue(text, typed === "" || isChip ? chosen.description : `${typed}, ${chosen.description}`);
		// What is still to be filled in.
		document.getElementById(amountId)?.focus();
	};
	return (
		<nav aria-label="Common requests">
			<ul className="flex flex-wrap gap-2">
				{requests.map((each) => (
					<li key={each.description}>
						<a
							href={`/requests?for=${encodeURIComponent(each.description)}`}
							onClick={(event) => fillIn(event, each)}
							className="inline-flex min-h-11 items-center rounded-full border border-field px-3 font-semibold text-accent no-underline hover:bg-sunken"
						>
							{each.description}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
}
