/** Makes an island of the page interactive. */
import { type ComponentType, createElement, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

/** Hydrates an island in place, and marks it once it listens: its own effects run before this one. */
export function hydrateIsland(mark: HTMLElement, island: ComponentType<never>): void {
	const props = JSON.parse(mark.dataset.props ?? "{}");
	function Waking() {
		useEffect(() => {
			mark.dataset.isAwake = "yes";
		}, []);
		return createElement(island, props);
	}
	hydrateRoot(mark, createElement(Waking));
}
