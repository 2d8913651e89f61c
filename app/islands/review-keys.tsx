/**
 * Keyboard shortcuts of the review desk and of settlements: each does what a link or a button marked
 * with `data-key` does. They can be turned off, and are ignored while typing.
 */
import { useEffect, useRef, useState } from "react";

/** A key, and what it does on the screen. */
export type ReviewKey = readonly [key: string, what: string];
const HELP: ReviewKey = ["?", "Show or hide this help"];
/** Where a browser remembers that shortcuts are off. */
const STORED = "review-keys";

/** In an opened form, someone typing may not have reached its field yet. */
const isTyping = (target: EventTarget | null) =>
	target instanceof HTMLElement &&
	(target.isContentEditable ||
		target.matches("input:not([type=checkbox],[type=radio]), textarea, select") ||
		target.closest("details[open] form") !== null);

/** Opens a disclosure and focuses what is marked in it, else its first field; anything else is clicked. */
function act(target: HTMLElement): void {
	const details = target.closest("details");
	if (target.matches("summary") && details) {
		details.open = true;
		const find = (selector: string) => details.querySelector<HTMLElement>(selector);
		(find("[data-first]") ?? find("textarea, input:not([type=hidden])") ?? target).focus();
		return;
	}
	target.click();
}

/** Leaves a field, then its disclosure, and then goes back to the list. */
function stepBack(): boolean {
	const details = document.activeElement?.closest<HTMLDetailsElement>("details[open]");
	const summary = details?.querySelector("summary");
	if (!details || !summary || !details.querySelector("[data-key]")) return false;
	if (document.activeElement === summary) details.open = false;
	summary.focus();
	return true;
}

/** @param keys those of the screen, for its help */
export default function ReviewKeys({ keys }: { keys: readonly ReviewKey[] }) {
	const [isReady, setReady] = useState(false);
	const [isOn, setOn] = useState(true);
	const help = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		try {
			setOn(localStorage.getItem(STORED) !== "off");
		} catch {
			// They are on in browsers that store nothing.
		}
		setReady(true);
	}, []);
	useEffect(() => {
		// Until the next request loads, a key would decide this one.
		let isLeaving = false;
		const stay = () => {
			isLeaving = false;
		};
		const press = (event: KeyboardEvent) => {
			const { key, target } = event;
			if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat)
				return;
			if (key === "?" && help.current?.open) {
				event.preventDefault();
				help.current.close();
				return;
			}
			if (document.querySelector("dialog[open]")) return;
			// Leaving the page would take back what is being sent.
			if (document.querySelector("form[data-is-sent]")) return;
			if (key === "Escape") {
				stay();
				if (stepBack()) event.preventDefault();
				else if (isOn && !isTyping(target)) {
					const back = document.querySelector<HTMLElement>("[data-key=Escape]");
					isLeaving = back !== null;
					back?.click();
				}
				return;
			}
			if (!isOn || isLeaving || isTyping(target)) return;
			if (key === "?") {
				event.preventDefault();
				help.current?.showModal();
				return;
			}
			// In capitals with Caps Lock on.
			const letter = key.toLowerCase();
			if (event.shiftKey || !/^[jkarqu]$/.test(letter)) return;
			const found = document.querySelector<HTMLElement>(`[data-key=${letter}]`);
			if (!found) return;
			event.preventDefault();
			isLeaving = found.matches("a[href]");
			act(found);
		};
		document.addEventListener("keydown", press);
		window.addEventListener("pageshow", stay);
		// A navigation that was stopped.
		const { navigation } = window as { navigation?: EventTarget };
		navigation?.addEventListener("navigateerror", stay);
		return () => {
			document.removeEventListener("keydown", press);
			window.removeEventListener("pageshow", stay);
			navigation?.removeEventListener("navigateerror", stay);
		};
	}, [isOn]);
	const toggle = () => {
		setOn(!isOn);
		try {
			localStorage.setItem(STORED, isOn ? "off" : "on");
		} catch {
			// Applies to this page only.
		}
	};
	if (!isReady) return null;
	return (
		<>
			<button
				type="button"
				className="inline-flex min-h-11 items-center rounded-md font-semibold text-accent max-lg:hidden"
				onClick={() => help.current?.showModal()}
			>
				{isOn ? "Keyboard shortcuts (?)" : "Keyboard shortcuts (off)"}
			</button>
			<dialog
				ref={help}
				className="sheet max-w-lg surface p-(--sheet-room) text-ink"
				aria-labelledby="keys-title"
			>
				<div className="grid gap-4">
					<h2 id="keys-title" className="text-lg font-semibold">
						Keyboard shortcuts
					</h2>
					<dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
						{[...keys, HELP].map(([key, what]) => (
							<div key={key} className="contents">
								<dt>
									<kbd className="rounded-md border border-field px-2 font-semibold">{key}</kbd>
								</dt>
								<dd>{what}</dd>
							</div>
						))}
					</dl>
					<label className="flex min-h-11 items-center gap-3 font-semibold">
						<input type="checkbox" className="size-5" checked={isOn} onChange={toggle} />
						Use these shortcuts
					</label>
					<button
						type="button"
						className="inline-flex min-h-11 items-center justify-center rounded-md border border-field px-4 font-semibold"
						onClick={() => help.current?.close()}
					>
						Close
					</button>
				</div>
			</dialog>
		</>
	);
}
