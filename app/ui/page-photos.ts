/** Photos in file fields: needs no island, so it also works where an island couldn't be loaded. */
import { keepPhotosSmall, PREPARING } from "../islands/small-photos.ts";

/** Makes large photos smaller in every receipt field; its form says so while it waits. */
export function watchPhotos(): void {
	for (const field of document.querySelectorAll<HTMLInputElement>("input[name=receipt]")) {
		let note: HTMLElement | undefined;
		keepPhotosSmall(field, (isHeld) => {
			note ??= noteAfter(field);
			note.replaceChildren(isHeld ? PREPARING : "");
		});
	}
}

/** A line under the field for what is said about it; what is inside an island belongs to that. */
function noteAfter(field: HTMLInputElement): HTMLElement {
	const note = document.createElement("p");
	note.setAttribute("role", "status");
	note.className = "empty:hidden";
	(field.closest("[data-island]") ?? field).insertAdjacentElement("afterend", note);
	return note;
}
