import type { ReactNode } from "react";

/** The message of an empty list. */
export function Empty({ children }: { children: ReactNode }) {
	return (
		<p className="rounded-lg border border-dashed border-line p-6 text-center text-quiet">
			{children}
		</p>
	);
}
