/** The mileage form: its miles follow the readings, and its start reading follows the date. */
import { CHECK_ODOMETER } from "../domain/mileage/rules.ts";
import { untilReleased } from "../offline/press.ts";
import { formatMiles, milesBetween } from "../values/miles.ts";

const fieldOf = (id: string | undefined): HTMLInputElement | undefined => {
	const field = document.getElementById(id ?? "");
	return field instanceof HTMLInputElement ? field : undefined;
};

/** `output[data-miles]` is the difference of its two readings. */
export function watchMiles(): void {
	const output = document.querySelector<HTMLOutputElement>("output[data-miles]");
	const [start, end] = [...(output?.htmlFor ?? [])].map(fieldOf);
	if (!output || !start || !end) return;
	const update = () => output.replaceChildren(formatMiles(milesBetween(start.value, end.value)));
	update();
	for (const field of [start, end]) field.addEventListener("input", update);
	// A restored page has its readings restored too.
	window.addEventListener("pageshow", update);
	const date = fieldOf(output.dataset.miles);
	const mayFollow = output.dataset.keepsStart === undefined;
	date?.addEventListener("change", () => void followDate(date, start, end, mayFollow));
}

/** `button[data-fills]` puts its words into the field of that id. */
export function watchFillers(): void {
	for (const button of document.querySelectorAll<HTMLElement>("button[data-fills]"))
		button.addEventListener("click", () => {
			const field = fieldOf(button.dataset.fills);
			if (!field) return;
			field.value = button.textContent ?? "";
			field.dispatchEvent(new Event("input", { bubbles: true }));
		});
}

/**
 * Asks the server for the start of a date, when that is changed. A typed start stays; one that was
 * offered for another date doesn't, even if there is no answer.
 * @param mayFollow false if the page came with a start that wasn't offered, such as a correction's
 */
async function followDate(
	date: HTMLInputElement,
	start: HTMLInputElement,
	end: HTMLInputElement,
	mayFollow: boolean,
): Promise<void> {
	const hint = document.getElementById(`${start.id}-hint`);
	const asked = date.value;
	const page = await fetch(`/mileage?date=${encodeURIComponent(asked)}`)
		.then(async (answer) => (answer.ok ? answer.text() : ""))
		.catch(() => "");
	// A longer hint moves the button.
	await untilReleased();
	if (date.value !== asked) return;
	const found = new DOMParser().parseFromString(page, "text/html");
	const offered = found.getElementById(start.id)?.getAttribute("value") ?? "";
	hint?.replaceChildren(found.getElementById(hint.id)?.textContent ?? CHECK_ODOMETER);
	end.placeholder = found.getElementById(end.id)?.getAttribute("placeholder") ?? "";
	if (!mayFollow || start.value !== start.defaultValue) return;
	start.defaultValue = offered;
	start.value = offered;
	// Setting it deselects it, but what is typed next should replace it.
	if (document.activeElement === start) start.select();
	start.dispatchEvent(new Event("input", { bubbles: true }));
}
