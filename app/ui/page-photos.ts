/** Photos in plain file fields; the request form's own field does the same (receipt-picker.tsx). */

/**
 * Makes large photos smaller in every receipt field of a row, from the first file chosen there. Its
 * form says so while it waits.
 */
export function watchPhotos(): void {
	const known = new WeakSet<HTMLInputElement>();
	document.addEventListener("change", ({ target }) => {
		if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
		if (target.name !== "receipt" || known.has(target) || target.closest("[data-island]")) return;
		known.add(target);
		void import("../islands/small-photos.ts").then(
			({ keepPhotosSmall, PREPARING }) => {
				const note = document.createElement("p");
				note.role = "status";
				target.insertAdjacentElement("afterend", note);
				keepPhotosSmall(target, {
					onHold: (isHeld) => note.replaceChildren(isHeld ? PREPARING : ""),
				});
			},
			// Offline, the photo is sent as it is; the next one tries again.
			() => known.delete(target),
		);
	});
}
