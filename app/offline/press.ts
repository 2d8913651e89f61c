/** A button that moves between its press and its release gets no click. */

/**
 * Resolves once nothing is pressed. Whatever changes the page's height by itself, such as a late
 * answer, waits for it, or a tap on the button below is lost.
 */
export async function untilReleased(): Promise<void> {
	// `:active` ends with the click, on a touch screen too, where the click follows the finger.
	while (document.querySelector(":is(a, button, summary, label):active"))
		await new Promise((resolve) => setTimeout(resolve, 50));
}
