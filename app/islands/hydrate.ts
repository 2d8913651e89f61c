/** Makes an island of the page interactive. */
import { type ComponentType, createElement, useEffect, useLayoutEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/**
 * If something else has changed an island, such as a translation or a password manager, React creates
 * its elements again: the value of each earlier field goes into its replacement.
 */
function giveBack(earlier: HTMLInputElement, hadFocus: boolean): void {
	const field = document.getElementById(earlier.id);
	if (field === earlier || !(field instanceof HTMLInputElement)) return;
	if (field.type === "file") field.files = earlier.files;
	else field.value = earlier.value;
	if (!hadFocus) return;
	field.focus();
	if (field.type === "search")
		field.setSelectionRange(earlier.selectionStart, earlier.selectionEnd);
}

/** Hydrates an island in place, and marks it once it listens: its own effects run before ours. */
export function hydrateIsland(mark: HTMLElement, island: ComponentType<never>): void {
	const props = JSON.parse(mark.dataset.props ?? "{}");
	const fields = [...mark.querySelectorAll("input")];
	const focused = document.activeElement;
	function Waking() {
		// Before the island's own effects, which read its fields.
		useLayoutEffect(() => {
			for (const field of fields) giveBack(field, field === focused);
		}, []);
		useEffect(() => {
			mark.dataset.isAwake = "yes";
		}, []);
		return createElement(island, props);
	}
	hydrateRoot(mark, createElement(Waking));
}
