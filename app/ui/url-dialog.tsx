/** A dialog that is part of the address: open in the HTML, closed by a link; entry.client.tsx makes it modal. */
import type { ReactNode } from "react";

/** @param close the address without the dialog, at the row it came from */
export function UrlDialog({ title, close, children }: { title: string; close: string; children: ReactNode }) {
	return (
		<dialog
			open
			data-modal={close}
			aria-labelledby="dialog-title"
			className="sheet w-full max-w-md rounded-lg border border-line bg-surface p-6 text-ink"
		>
			<div className="grid gap-4">
				<h2 id="dialog-title" className="text-lg font-semibold">
					{title}
				</h2>
				{children}
			</div>
		</dialog>
	);
}
