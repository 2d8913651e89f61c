import type { ReactNode } from "react";

/** What a list says when it has nothing in it. */
export function Empty({ children }: { children: ReactNode }) {
	return (
		<p className="rounded-lg border border-dashed border-line p-6 text-center text-quiet">
			{children}
		</p>
	);
}
