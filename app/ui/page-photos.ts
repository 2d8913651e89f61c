/** Photos in plain file fields; the request form's own field does the same (receipt-picker.tsx). */
import { keepPhotosSmall, PREPARING } from "../islands/small-photos.ts";

/** Makes large photos smaller in every receipt field of a row; its form says so while it waits. */
export function watchPhotos(): void {
	for (const field of document.querySelectorAll<HTMLInputElement>("input[name=receipt]")) {
		if (field.closest("[data-island]")) continue;
		let note: HTMLElement | undefined;
		keepPhotosSmall(field, {
			onHold: (isHeld) => {
				note ??= noteAfter(field);
				note.replaceChildren(isHeld ? PREPARING : "");
			},
		});
	}
}

/** A line under the field for what is said about it. */
function noteAfter(field: HTMLInputElement): HTMLElement {
	const note = document.createElement("p");
	note.setAttribute("role", "status");
	note.className = "empty:hidden";
	field.insertAdjacentElement("afterend", note);
	return note;
}
