/** The links under one page of a list. */

import { clsx } from "clsx";
import type { PageLinks } from "../values/cursor.ts";
import { ButtonLink } from "./primitives/button.tsx";

type Props = {
	readonly links: PageLinks;
	/** What is paged, if a screen has several lists. */
	readonly label?: string;
	/** The id of the list on the screen. */
	readonly anchor?: string;
	/** The labels of the links, if rows have a better name than pages. */
	readonly words?: { readonly first?: string; readonly previous?: string; readonly next?: string };
	readonly className?: string;
};

/** Nothing if there is only one page. */
export function Pages({ links, label = "Pagination", anchor = "", words = {}, className }: Props) {
	const steps = [
		[words.first ?? "First page", links.first],
		[words.previous ?? "Previous page", links.previous],
		[words.next ?? "Next page", links.next],
	] as const;
	const shown = steps.filter(([, address]) => address !== undefined);
	if (shown.length === 0) return null;
	return (
		<nav aria-label={label} className={clsx("flex flex-wrap gap-3", className)}>
			{shown.map(([label, address]) => (
				<ButtonLink key={label} variant="outline" href={`${address}${anchor && `#${anchor}`}`}>
					{label}
				</ButtonLink>
			))}
		</nav>
	);
}
