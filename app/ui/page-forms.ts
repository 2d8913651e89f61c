/** What scripts add to forms: one submit at a time, and buttons that follow the fields and ticks. */

import { fleetUnits } from "../values/fleet-units.ts";
import { isLowerAmount } from "../values/typed-amount.ts";
import { rememberPressedButton } from "./page-focus.ts";

/** How long a form that may have been stopped can't be sent again, in milliseconds. */
const STOPPED_AFTER = 10_000;

/**
 * Says that a form is being sent and prevents a second submit. A page starts over if it is restored
 * from the cache, its form was stopped on its way, or a form leads back to it, like a filter
 * already applied. A browser without the Navigation API doesn't report that: there a form can be
 * sent again after a while, which its key makes harmless.
 */
export function watchSubmits(): void {
	const { navigation } = window as { navigation?: EventTarget };
	const words = new Map<HTMLButtonElement, readonly ChildNode[]>();
	document.addEventListener("submit", (event) => {
		const form = event.target as HTMLFormElement;
		// A download leaves the page in place: nothing would ever end the state.
		if (event.defaultPrevented || form.method === "dialog" || form.dataset.download !== undefined)
			return;
		if (form.dataset.isSent) {
			event.preventDefault();
			return;
		}
		const sentAt = String(event.timeStamp);
		form.dataset.isSent = sentAt;
		const button = event.submitter;
		rememberPressedButton(form, button);
		if (!navigation)
			setTimeout(() => {
				if (form.dataset.isSent !== sentAt) return;
				delete form.dataset.isSent;
				// The words stay, since it may still be on its way.
				button?.removeAttribute("aria-disabled");
			}, STOPPED_AFTER);
		if (button instanceof HTMLButtonElement && button.dataset.pending) {
			if (!words.has(button)) words.set(button, [...button.childNodes]);
			button.replaceChildren(button.dataset.pending);
			button.setAttribute("aria-disabled", "true");
		}
	});
	const startOver = () => {
		for (const form of document.querySelectorAll<HTMLFormElement>("form[data-is-sent]"))
			delete form.dataset.isSent;
		for (const [button, own] of words) {
			button.replaceChildren(...own);
			button.removeAttribute("aria-disabled");
		}
		words.clear();
	};
	window.addEventListener("pageshow", startOver);
	navigation?.addEventListener("navigateerror", startOver);
	// Only for a URL on the same page, which loads nothing.
	navigation?.addEventListener("navigatesuccess", startOver);
}

/**
 * Ignores a file dropped outside a file field: the browser would open it instead of the page, and
 * what was typed would be lost.
 */
export function watchDrops(): void {
	const stay = (event: DragEvent) => {
		const { target, dataTransfer, defaultPrevented } = event;
		const isField = target instanceof Element && target.matches("input[type=file]");
		if (isField || defaultPrevented || !dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		dataTransfer.dropEffect = "none";
	};
	document.addEventListener("dragover", stay);
	document.addEventListener("drop", stay);
}

/** `data-complete-first` keeps a form's button disabled until every required field is filled. */
export function watchCompleteness(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-complete-first]")) {
		const button = submitButtonOf(form);
		const fields = [...form.querySelectorAll<HTMLInputElement>("[required]")];
		const update = () => {
			if (button) button.disabled = fields.some((field) => field.value.trim() === "");
		};
		form.addEventListener("input", update);
		update();
	}
}

/** `data-applied` says that the form's filter is applied: hidden while its choices differ. */
export function watchFilters(): void {
	const mark = document.querySelector<HTMLElement>("[data-applied]");
	const selects = mark?.closest("form")?.querySelectorAll("select") ?? [];
	const update = () => {
		if (mark) mark.hidden = [...selects].some((each) => !each.selectedOptions[0]?.defaultSelected);
	};
	for (const each of selects) each.addEventListener("change", update);
	// A restored page has its choices restored too.
	window.addEventListener("pageshow", update);
}

/**
 * `data-asked` is the requested amount: while less is to be approved, the form's note says that it
 * is the reason, which is required.
 */
export function watchLowerAmounts(): void {
	for (const amount of document.querySelectorAll<HTMLInputElement>("[data-asked]")) {
		const note = amount.form?.elements.namedItem("adminNotes");
		if (!(note instanceof HTMLTextAreaElement)) continue;
		const label = note.labels[0];
		// An error's id may precede it.
		const hint = document.getElementById(
			note.getAttribute("aria-describedby")?.split(" ").pop() ?? "",
		);
		const [ownLabel, ownHint] = [label?.textContent ?? "", hint?.textContent ?? ""];
		const update = () => {
			const isLower = isLowerAmount(amount.value, amount.dataset.asked ?? "");
			label?.replaceChildren(isLower ? "Reason for Approving Less" : ownLabel);
			hint?.replaceChildren(isLower ? `Required. ${ownHint}` : ownHint);
			if (isLower) note.setAttribute("aria-required", "true");
			else note.removeAttribute("aria-required");
		};
		amount.addEventListener("input", update);
		// A restored page has its amount restored too.
		window.addEventListener("pageshow", update);
		update();
	}
}

/** Scrolls a review desk form into view if it unfolds below the window, as on a short phone. */
export function watchUnfolding(): void {
	for (const details of document.querySelectorAll<HTMLDetailsElement>("details[name=decision]")) {
		const show = () => {
			if (details.open) details.querySelector("form")?.scrollIntoView({ block: "nearest" });
		};
		details.addEventListener("toggle", show);
		// It may have been opened before this script loaded.
		show();
	}
}

const formatMoney = (cents: number) =>
	new Intl.NumberFormat("en-US", {
		style: "currency",
		currency: fleetUnits().currency,
		minimumFractionDigits: 2,
	}).format(cents / 100);

/**
 * `form[data-select-rows]` acts on the ticked rows that refer to it: its button has their number,
 * is disabled at 0, and has their sum beside it; one box ticks them all. Without a script a link
 * does that, with a URL in which all are ticked.
 */
export function watchSelections(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-select-rows]")) {
		const all = form.querySelector<HTMLInputElement>("[data-select-all] input");
		const button = submitButtonOf(form);
		const rows = [...form.elements].filter(
			(each): each is HTMLInputElement =>
				each instanceof HTMLInputElement && each.type === "checkbox" && each !== all,
		);
		if (!all || !button) continue;
		form.querySelector("[data-select-all]")?.removeAttribute("hidden");
		form.querySelector("[data-select-link]")?.setAttribute("hidden", "");
		const sum = form.querySelector("[data-select-sum]");
		const update = () => {
			const ticked = rows.filter(({ checked }) => checked);
			const count = ticked.length;
			const cents = ticked.reduce((total, { dataset }) => total + Number(dataset.cents), 0);
			sum?.replaceChildren(count > 0 ? formatMoney(cents) : "");
			button.replaceChildren(`${form.dataset.selectRows} (${count})`);
			button.disabled = count === 0;
			all.checked = count > 0 && count === rows.length;
			all.indeterminate = count > 0 && count < rows.length;
		};
		all.addEventListener("change", () => {
			for (const row of rows) row.checked = all.checked;
			update();
		});
		for (const row of rows) row.addEventListener("change", update);
		// A restored page may have its ticks restored too.
		window.addEventListener("pageshow", update);
		update();
	}
}

/** The form's own button: a dialog's Cancel is inside the form but belongs to another. */
const submitButtonOf = (form: HTMLFormElement) =>
	[...form.querySelectorAll<HTMLButtonElement>("button[type=submit]")].find(
		(each) => each.form === form,
	);
