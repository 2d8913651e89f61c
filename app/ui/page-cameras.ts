/** The camera, for buttons that ask for a photo. */

/** What a camera makes. */
const PHOTOS = "image/jpeg,image/png,image/webp";

/**
 * `button[data-camera]` opens the file field of that id with the camera. On its own, the field asks
 * for whatever it accepts.
 */
export function watchCameras(): void {
	for (const button of document.querySelectorAll<HTMLElement>("button[data-camera]")) {
		const field = document.getElementById(button.dataset.camera ?? "");
		if (!(field instanceof HTMLInputElement)) continue;
		const { accept } = field;
		button.addEventListener("click", () => {
			// A phone goes straight to its camera only if nothing but pictures will do.
			field.accept = PHOTOS;
			field.setAttribute("capture", "environment");
			field.click();
		});
		field.addEventListener("click", ({ isTrusted }) => {
			if (!isTrusted) return;
			field.accept = accept;
			field.removeAttribute("capture");
		});
	}
}
