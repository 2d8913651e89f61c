/**
 * Receipt fields: the chosen file is shown, large photos are made smaller before they are sent, and a
 * file that the server would refuse for its size isn't kept.
 */
import { tooLargeSentence } from "../domain/receipts/too-large.ts";
import { shrinkPhoto } from "./small-photos.ts";

/** Shown while a form waits for its photo. */
const PREPARING = "Preparing the photo...";
/** How long a form waits for its photo to be made smaller, in milliseconds. */
const PATIENCE_MS = 10_000;

export function watchReceipts(): void {
	for (const field of document.querySelectorAll<HTMLInputElement>("input[name=receipt]"))
		watchReceipt(field);
}

/**
 * Replaces every large photo that is chosen in the field, also one chosen before this call, and
 * holds back its form until that is done.
 */
function watchReceipt(input: HTMLInputElement): void {
	const { form } = input;
	let shrinking: Promise<void> | undefined;
	const show = watchPicker(input);
	const note = noteAfter(input);
	const say = (words: string, isFault = false) => {
		note.replaceChildren(words);
		note.classList.toggle("text-bad", isFault);
	};
	const take = async () => {
		say("");
		show();
		const file = input.files?.[0];
		if (!file) return;
		try {
			const smaller = await shrinkPhoto(file);
			// Another file may have been chosen, or the form sent, meanwhile.
			if (input.files?.[0] !== file) return;
			if (smaller) {
				replaceFile(input, smaller);
				show();
			}
		} catch {
			// What can't be made smaller is sent unchanged; the server decides whether to accept it.
		}
		giveBack();
	};
	/** The form goes without a file that is too large, but only after its driver has read so. */
	const giveBack = () => {
		const fault = sizeFault(input);
		say(fault, true);
		if (fault === "") return;
		input.value = "";
		show();
	};
	const change = () => {
		const work = take().finally(() => {
			if (shrinking === work) shrinking = undefined;
		});
		shrinking = work;
	};
	/** A form waits for its photo: unchanged, it may be larger than what is accepted. */
	const hold = (event: SubmitEvent) => {
		if (!shrinking) return;
		event.preventDefault();
		event.stopImmediatePropagation();
		say(PREPARING);
		let isLeft = false;
		window.addEventListener("pagehide", () => (isLeft = true), { once: true });
		void settled().then(() => {
			if (input.files?.length) giveBack();
			// Whoever went back doesn't want it sent when the page is shown again.
			if (!isLeft && input.files?.length) form?.requestSubmit(event.submitter);
		});
	};
	/**
	 * Waits for the chosen photo, and for any chosen meanwhile; not forever, unless it can't be sent
	 * as it is.
	 */
	const settled = async () => {
		let isLate = false;
		const patience = new Promise<void>((pass) => setTimeout(pass, PATIENCE_MS)).then(() => {
			isLate = true;
		});
		while (shrinking && (!isLate || sizeFault(input) !== ""))
			await (isLate ? shrinking : Promise.race([shrinking, patience]));
		shrinking = undefined;
	};
	if (input.files?.length) change();
	input.addEventListener("change", change);
	form?.addEventListener("submit", hold, { capture: true });
}

/**
 * Shows in a field's picker (receipt-picker.tsx) which file is chosen, with a small picture of a
 * photo.
 * @returns shows the new file
 */
function watchPicker(input: HTMLInputElement): () => void {
	const picker = input.closest<HTMLElement>("[data-receipt]");
	const status = picker?.querySelector("[role=status]");
	const words = picker?.querySelector("[data-choose]");
	const picture = document.createElement("img");
	picture.alt = "";
	picture.className = "size-12 rounded-md border border-line object-cover";
	const kept = status?.textContent ?? "";
	return () => {
		const file = input.files?.[0];
		URL.revokeObjectURL(picture.src);
		picture.remove();
		if (file?.type.startsWith("image/")) {
			picture.src = URL.createObjectURL(file);
			picker?.insertAdjacentElement("afterbegin", picture);
		}
		const chosen = file ? `Receipt selected: ${file.name}` : kept;
		status?.replaceChildren(chosen);
		words?.replaceChildren(chosen ? "Change" : "Choose file");
		picker?.toggleAttribute("data-chosen", chosen !== "");
	};
}

/** Why the server would refuse the chosen file for its size; '' if it may be sent. */
function sizeFault({ files, dataset }: HTMLInputElement): string {
	const megabytes = Number(dataset.megabytes);
	return (files?.[0]?.size ?? 0) > megabytes * 1024 * 1024 ? tooLargeSentence(megabytes) : "";
}

/** Replaces the chosen file. */
function replaceFile(field: HTMLInputElement, file: File): void {
	const transfer = new DataTransfer();
	transfer.items.add(file);
	field.files = transfer.files;
}

/**
 * A line under the field for messages about it. It is there from the start, or screen readers
 * wouldn't read them.
 */
function noteAfter(field: HTMLInputElement): HTMLElement {
	const note = document.createElement("p");
	note.id = `${field.id}-file`;
	note.setAttribute("role", "status");
	note.className = "font-semibold empty:absolute";
	const described = field.getAttribute("aria-describedby") ?? "";
	field.setAttribute("aria-describedby", `${described} ${note.id}`.trim());
	(field.closest("[data-receipt]") ?? field).insertAdjacentElement("afterend", note);
	return note;
}
