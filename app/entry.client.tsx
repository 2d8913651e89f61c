/**
 * The browser's only module: what every form needs, what a driver's forms add, moving on to sign-in,
 * and the islands. Pages work without it.
 */
import type { ComponentType } from "react";
import { prefersReducedData } from "./offline/data-saver.ts";
import type { SHOWN } from "./offline/messages.ts";
import { watchCameras } from "./ui/page-cameras.ts";
import { watchCommonRequests } from "./ui/page-common-requests.ts";
import {
	focusAfterForm,
	placeFocus,
	reachedControl,
	rememberPressedButton,
} from "./ui/page-focus.ts";
import {
	watchCompleteness,
	watchDrops,
	watchFilters,
	watchLowerAmounts,
	watchSelections,
	watchSubmits,
	watchUnfolding,
} from "./ui/page-forms.ts";
import { watchFindKey, watchLinkButtons, watchMenus } from "./ui/page-keys.ts";
import { watchFillers, watchMiles } from "./ui/page-miles.ts";
import { watchReceipts } from "./ui/page-receipts.ts";
import { setFleetUnits } from "./values/fleet-units.ts";

const islands: Readonly<Record<string, () => Promise<{ default: ComponentType<never> }>>> = {
	"person-search": () => import("./islands/person-search.tsx"),
	"report-download": () => import("./islands/report-download.tsx"),
	"receipt-image": () => import("./islands/receipt-image.tsx"),
	"receipt-pages": () => import("./islands/receipt-pages.tsx"),
	"review-keys": () => import("./islands/review-keys.tsx"),
	"spend-chart": () => import("./islands/spend-chart.tsx"),
	"statement-drop": () => import("./islands/statement-drop.tsx"),
};

const waking = new WeakMap<HTMLElement, Promise<void>>();

/**
 * An island that says that it is loading (`data-asleep`) offers a button instead while nobody has
 * asked for it; pressed, as anything in an island, it wakes the island.
 */
function setAsleep(mark: HTMLElement, isAsleep: boolean): void {
	const words = mark.querySelector<HTMLElement>("[data-asleep]");
	if (!words) return;
	words.hidden = isAsleep;
	const pressed = words.nextElementSibling;
	if (pressed && pressed === document.activeElement) {
		// The focus stays here: the next Tab leads into what has been asked for.
		mark.tabIndex = -1;
		mark.focus();
	}
	pressed?.remove();
	if (!isAsleep) return;
	const button = document.createElement("button");
	button.type = "button";
	button.className = "button button-outline col-start-1 row-start-1 mx-auto";
	button.append(words.dataset.asleep ?? "");
	words.insertAdjacentElement("afterend", button);
	if (mark === document.activeElement) button.focus();
}

/** Whether code couldn't be loaded, as offline, or parsed. */
const isUnloaded = (error: unknown) => error instanceof TypeError || error instanceof SyntaxError;

function hydrate(mark: HTMLElement): Promise<void> {
	const under = waking.get(mark);
	const load = islands[mark.dataset.island ?? ""];
	if (under || !load) return under ?? Promise.resolve();
	setAsleep(mark, false);
	const isDone = Promise.all([import("./islands/hydrate.ts"), load()])
		.then(([{ hydrateIsland }, island]) => hydrateIsland(mark, island.default))
		.catch((error: unknown) => {
			// The HTML it wraps works without it.
			waking.delete(mark);
			setAsleep(mark, true);
			if (!isUnloaded(error)) reportError(error);
		});
	waking.set(mark, isDone);
	return isDone;
}

/**
 * Holds a report that is requested before its script has loaded, so that the page can say that it is
 * being generated, and when it is done. If the script can't be loaded, the form downloads by itself.
 */
function holdReports(): void {
	const mark = document.querySelector<HTMLElement>("[data-island=report-download]");
	if (!mark || prefersReducedData()) return;
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-download^='/']"))
		form.addEventListener("submit", (event) => {
			if (form.dataset.isAwake) return;
			event.preventDefault();
			if (form.dataset.isHeld) return;
			form.dataset.isHeld = "yes";
			const button = form.querySelector("button");
			const words = button?.textContent ?? "";
			button?.replaceChildren("Generating...");
			void hydrate(mark).then(() => {
				button?.replaceChildren(words);
				if (waking.has(mark)) return;
				delete form.dataset.isHeld;
				form.submit();
			});
		});
}

/** Runs something once the page is loaded and the browser is idle. */
function whenIdle(work: () => void): void {
	const wait = () =>
		"requestIdleCallback" in window
			? requestIdleCallback(work, { timeout: 2000 })
			: setTimeout(work, 500);
	if (document.readyState === "complete") wait();
	else window.addEventListener("load", wait, { once: true });
}

/**
 * Hydrates an island when its form is used or, unless the browser is saving data, when it is idle.
 * Where its code couldn't be loaded, the next use of the form tries again.
 */
function wakeIslands(): void {
	for (const mark of document.querySelectorAll<HTMLElement>("[data-island]")) {
		const wake = () => void hydrate(mark);
		// Not on focus, which a form may have when it loads.
		for (const event of ["pointerdown", "keydown", "input", "dragenter"])
			(mark.closest("form") ?? mark).addEventListener(event, wake);
		if (mark.dataset.eager !== undefined) wake();
		else if (prefersReducedData()) setAsleep(mark, true);
		else whenIdle(wake);
	}
}

/**
 * `dialog[data-modal]` is open in the page; with a script it also traps focus, and Escape follows
 * its close link. The page's toast moves into it: everything outside is covered and out of reach.
 * @param reached the control that has the focus, if somebody went to it
 */
function openModals(reached: HTMLElement | undefined): void {
	for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[data-modal][open]")) {
		dialog.removeAttribute("open");
		const toast = document.querySelector(".toast")?.parentElement;
		if (toast) dialog.appendChild(toast);
		dialog.showModal();
		if (dialog.contains(reached ?? null)) reached?.focus();
		dialog.addEventListener("cancel", (event) => {
			// A file field says the same, and bubbles, when its chooser is closed without a file.
			if (event.target !== dialog) return;
			event.preventDefault();
			const close = dialog.querySelector<HTMLFormElement>(":scope > form");
			if (close) rememberPressedButton(close, null);
			location.assign(dialog.dataset.modal ?? location.pathname);
		});
	}
}

/** `data-go` is where the page moves on to by itself, after some milliseconds. */
function moveOn(): void {
	const mark = document.querySelector<HTMLElement>("[data-go]");
	if (mark?.dataset.go)
		setTimeout(
			// Back leads to the page before it, not to one that moves on again.
			(address: string) => location.replace(address),
			Number(mark.dataset.goAfter),
			mark.dataset.go,
		);
}

/**
 * Renews the text of the page's toast: assistive technology announces what changes in a region, not
 * what was there when the page loaded.
 */
function announceToast(): void {
	const lines = document.querySelectorAll(":is([role=status], [role=alert]) > .toast > p");
	if (lines.length > 0)
		whenIdle(() => {
			for (const line of lines) line.replaceChildren(line.textContent ?? "");
		});
}

/** The literal word: importing its module would load it with every page. */
const shown: typeof SHOWN = "shown";

/**
 * The outbox, drafts and the service worker of a driver's phone: loaded last, since nothing on the
 * page needs them.
 */
function wakePhone(): void {
	const outbox = document.querySelector<HTMLElement>("[data-outbox]");
	const waiting = document.querySelector<HTMLElement>("[data-waiting]");
	const module = () => import("./offline/phone.ts");
	// Without storage or this module, the plain forms still work.
	const soon = (use: (phone: Awaited<ReturnType<typeof module>>) => Promise<void>) =>
		whenIdle(
			() =>
				void module()
					.then(use)
					.catch((error: unknown) => {
						if (!isUnloaded(error)) console.warn("Nothing is kept on this phone:", error);
					}),
		);
	if (waiting) soon(({ showWaitingCount }) => showWaitingCount(waiting));
	if (!outbox) {
		// A driver's form with its answer is shown here, so its entry needn't wait any longer.
		if (document.querySelector("main input[name=key]"))
			navigator.serviceWorker?.controller?.postMessage(shown);
		if (document.querySelector("[data-signed-in]"))
			soon(({ forgetPhoneUser }) => forgetPhoneUser());
		return;
	}
	soon(({ startPhone }) => startPhone(outbox));
	document.addEventListener(
		"submit",
		(event) => {
			const form = event.target as HTMLFormElement;
			if (!form.matches("[action='/api/logout'], [data-signs-out]")) return;
			event.preventDefault();
			void module().then(
				({ signOut }) => signOut(form),
				() => form.submit(),
			);
		},
		{ capture: true },
	);
}

const { currency, distanceUnit } = document.documentElement.dataset;
if (currency) setFleetUnits({ currency, distanceUnit: distanceUnit === "km" ? "km" : "mi" });
// For browsers that don't know `@media (scripting)`.
document.documentElement.dataset.scripted = "";
watchSubmits();
wakePhone();
watchDrops();
watchCompleteness();
watchSelections();
watchFilters();
watchLowerAmounts();
watchUnfolding();
holdReports();
const reached = reachedControl();
openModals(reached);
watchMenus();
watchLinkButtons();
watchCameras();
watchReceipts();
watchMiles();
watchFillers();
watchCommonRequests();
watchFindKey();
placeFocus(reached);
focusAfterForm();
announceToast();
moveOn();
wakeIslands();
