/** The common requests, which fill in the form that they are in. */

/** Sets a control's value and dispatches its events. */
function setValue(control: HTMLSelectElement | HTMLTextAreaElement, value: string): void {
	control.value = value;
	control.dispatchEvent(new Event("input", { bubbles: true }));
}

export function watchCommonRequests(): void {
	const place = document.querySelector("[data-common-requests]");
	const form = place?.closest("form");
	const [type, text, amount] = ["type", "description", "amount"].map((name) =>
		form?.elements.namedItem(name),
	);
	if (!(type instanceof HTMLSelectElement) || !(text instanceof HTMLTextAreaElement)) return;
	const links = [...(place?.querySelectorAll("a") ?? [])];
	for (const link of links)
		link.addEventListener("click", (event) => {
			// In its own tab or window it opens a separate form.
			if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
			event.preventDefault();
			const description = link.textContent ?? "";
			const typed = text.value.trim();
			const isOneOfThem = links.some(({ textContent }) => textContent === typed);
			setValue(type, link.dataset.type ?? "");
			// What the driver has typed is kept.
			setValue(text, typed === "" || isOneOfThem ? description : `${typed}, ${description}`);
			// The only empty field left.
			if (amount instanceof HTMLInputElement) amount.focus();
		});
}
