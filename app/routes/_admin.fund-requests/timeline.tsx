/** What happened to a request, oldest first. */
import type { toTimelineView } from "./timeline.server.ts";

export function Timeline({ events }: { events: ReturnType<typeof toTimelineView> }) {
	return (
		<ol className="grid gap-3 border-s-2 border-line ps-4">
			{events.map(({ key, what, when, note, text }) => (
				<li key={key} className="grid">
					<span className="font-semibold wrap-anywhere">{what}</span>
					<span className="text-sm text-quiet">{when}</span>
					{note ? (
						<span className="wrap-anywhere whitespace-pre-line">
							Note: <bdi>{note}</bdi>
						</span>
					) : null}
					{text ? (
						<span className="wrap-anywhere whitespace-pre-line">
							<bdi>{text}</bdi>
						</span>
					) : null}
				</li>
			))}
		</ol>
	);
}
