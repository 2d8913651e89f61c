/**
 * The browser's only module: what every form needs, moving on to sign-in, and the islands. Pages
 * work without it.
 */
import type { ComponentType } from "react";
import { prefersReducedData } from "./offline/data-saver.ts";
import type { SHOWN } from "./offline/messages.ts";
import { watchCameras } from "./ui/page-cameras.ts";
import { focusAfterForm, placeFocus, rememberPressedButton } from "./ui/page-focus.ts";
import { watchFindKey, watchLinkButtons, watchMenus } from "./ui/page-keys.ts";
import { watchPhotos } from "./ui/page-photos.ts";

const islands: Readonly<Record<string, () => Promise<{ default: ComponentType<never> }>>> = {
	"common-requests": () => import("./islands/common-requests.tsx"),
	"live-miles": () => import("./islands/live-miles.tsx"),
	"person-search": () => import("./islands/person-search.tsx"),
	"report-download": () => import("./islands/report-download.tsx"),
	"receipt-image": () => import("./islands/receipt-image.tsx"),
	"receipt-pages": () => import("./islands/receipt-pages.tsx"),
	"receipt-picker": () => import("./islands/receipt-picker.tsx"),
	"review-keys": () => import("./islands/review-keys.tsx"),
	"spend-chart": () => import("./islands/spend-chart.tsx"),
	"statement-drop": () => import("./islands/statement-drop.tsx"),
};

const waking = new WeakSet<HTMLElement>();

async function hydrate(mark: HTMLElement): Promise<void> {
	const load = islands[mark.dataset.island ?? ""];
	if (!load || waking.has(mark)) return;
	waking.add(mark);
	const parts = await Promise.all([import("react-dom/client"), import("react"), load()]).catch(
		(error: unknown) => {
			// The code can't be loaded now, as offline; the HTML it wraps works without it.
			if (!(error instanceof TypeError)) throw error;
			waking.delete(mark);
		},
	);
	if (!parts) return;
	const [{ hydrateRoot }, { createElement }, island] = parts;
	hydrateRoot(mark, createElement(island.default, JSON.parse(mark.dataset.props ?? "{}")));
	mark.dataset.isAwake = "yes";
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
		else if (!prefersReducedData()) whenIdle(wake);
	}
}

/** How long a form that may have been stopped can't be sent again, in milliseconds. */
const STOPPED_AFTER = 10_000;

/**
 * Says that a form is being sent and prevents a second submit. A page restored from the cache
 * starts over, and one whose form was stopped on its way. A browser without the Navigation API
 * doesn't tell that: there a form can be sent again after a while, which its key makes harmless.
 */
function watchSubmits(): void {
	const { navigation } = window as { navigation?: EventTarget };
	const words = new Map<HTMLButtonElement, readonly ChildNode[]>();
	document.addEventListener("submit", (event) => {
		const form = event.target as HTMLFormElement;
		// A download leaves the page where it is: nothing would ever end the state.
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
}

/** `data-complete-first` keeps a form's button disabled until every required field is filled. */
function watchCompleteness(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-complete-first]")) {
		// A dialog's Cancel is inside the form but belongs to another.
		const button = [...form.querySelectorAll<HTMLButtonElement>("button[type=submit]")].find(
			(each) => each.form === form,
		);
		const fields = [...form.querySelectorAll<HTMLInputElement>("[required]")];
		const update = () => {
			if (button) button.disabled = fields.some((field) => field.value.trim() === "");
		};
		form.addEventListener("input", update);
		update();
	}
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/**
 * `form[data-select-rows]` acts on the ticked rows that refer to it: its button shows their number,
 * is disabled at none, and shows their sum beside it; one box ticks them all. Without a script a
 * link does that, with a URL in which all are ticked.
 */
function watchSelections(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-select-rows]")) {
		const all = form.querySelector<HTMLInputElement>("[data-select-all] input");
		// A dialog's Cancel is inside the form but belongs to another.
		const button = [...form.querySelectorAll<HTMLButtonElement>("button[type=submit]")].find(
			(each) => each.form === form,
		);
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
			sum?.replaceChildren(count > 0 ? dollars.format(cents / 100) : "");
			button.replaceChildren(`${form.dataset.selectRows} (${count})`);
			button.disabled = count === 0;
			all.checked = count === rows.length;
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

/**
 * `dialog[data-modal]` is open in the page; with a script it also traps focus, and Escape follows
 * its close link.
 */
function openModals(): void {
	for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[data-modal][open]")) {
		dialog.removeAttribute("open");
		dialog.showModal();
		dialog.addEventListener("cancel", (event) => {
			event.preventDefault();
			location.assign(dialog.dataset.modal ?? location.pathname);
		});
	}
}

/** `data-go` is where the page moves on to by itself, after some milliseconds. */
function moveOn(): void {
	const mark = document.querySelector<HTMLElement>("[data-go]");
	if (mark?.dataset.go)
		setTimeout(
			(address: string) => location.assign(address),
			Number(mark.dataset.goAfter),
			mark.dataset.go,
		);
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
					.catch(() => undefined),
		);
	if (waiting) soon(({ showWaitingCount }) => showWaitingCount(waiting));
	if (!outbox) {
		// The answer to a driver's form is shown here, so its entry needn't wait any longer.
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

watchSubmits();
wakePhone();
watchCompleteness();
watchSelections();
openModals();
watchMenus();
watchLinkButtons();
watchCameras();
watchPhotos();
watchFindKey();
placeFocus();
focusAfterForm();
moveOn();
wakeIslands();
