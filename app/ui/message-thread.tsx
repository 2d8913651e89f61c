/** The questions about a request or a week and their answers, newest last. */
import type { ThreadView } from "../domain/messages/rules.ts";

/** @param label names the list for screen readers, if no heading does */
export function MessageThread({ thread, label }: { thread: ThreadView; label?: string }) {
	if (thread.length === 0) return null;
	return (
		<ol aria-label={label} className="grid gap-2">
			{thread.map(({ id, who, isDriver, when, text }) => (
				<li
					key={id}
					className={`grid gap-0.5 rounded-md px-3 py-2 ${isDriver ? "ms-6 bg-accent-soft" : "me-6 bg-sunken"}`}
				>
					<span className="text-sm text-quiet">
						<bdi className="font-semibold wrap-anywhere">{who}</bdi>
						{`, ${when}`}
					</span>
					<span className="wrap-anywhere whitespace-pre-line">
						<bdi>{text}</bdi>
					</span>
				</li>
			))}
		</ol>
	);
}
