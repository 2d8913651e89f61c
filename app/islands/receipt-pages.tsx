/** The pages of a PDF receipt, rendered in the page; until then, or if that fails, a link. */
import { useEffect, useRef, useState } from "react";

export type ReceiptPagesProps = { readonly url: string; readonly label: string };

/** How many pages aren't shown; '' for none. */
function leftOut(pages: number): string {
	if (pages === 0) return "";
	return pages === 1
		? "1 more page is in the file. Download it to see it."
		: `${pages} more pages are in the file. Download it to see them.`;
}

export default function ReceiptPages({ url, label }: ReceiptPagesProps) {
	const frame = useRef<HTMLElement>(null);
	const [state, setState] = useState("");
	useEffect(() => {
		// The PDF library is for browsers: the Worker, which renders the link, doesn't include it.
		if (import.meta.env.SSR) return;
		const stopped = new AbortController();
		setState("Opening the PDF...");
		import("./pdf-pages.ts")
			.then(({ drawPages }) =>
				frame.current ? drawPages(url, label, frame.current, stopped.signal) : 0,
			)
			.then(
				(left) => setState(leftOut(left)),
				() => {
					if (!stopped.signal.aborted)
						setState("This PDF can't be shown here. Download it instead.");
				},
			);
		return () => stopped.abort();
	}, [url, label]);
	return (
		<div className="grid gap-2">
			<section
				ref={frame}
				className="receipt-frame empty:hidden"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: several pages are scrolled by keys
				tabIndex={0}
				aria-label={label}
			/>
			<p role="status" className="text-quiet empty:absolute">
				{state}
			</p>
		</div>
	);
}
