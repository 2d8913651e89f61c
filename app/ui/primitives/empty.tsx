import type { ReactNode } from "react";
import type { PageLinks } from "../../values/cursor.ts";

/**
 * The message of an empty list.
 * @param pages the links under it: past the first page only this page is empty, because a decision
 * took its last row or the URL is old
 */
export function Empty({ pages, children }: { pages?: PageLinks; children: ReactNode }) {
	return (
		<p className="rounded-lg border border-dashed border-line p-6 text-center text-quiet">
			{pages?.first ? "Nothing on this page" : children}
		</p>
	);
}
