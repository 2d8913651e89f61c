/** The days without a trip, each of which opens the form for that date. */
import type { MileageData } from "./view.server.ts";

const dayLink = "inline-flex min-h-11 items-center font-semibold text-accent";

export function MissingDays({ days }: { days: MileageData["missing"] }) {
	if (days.length === 0) return null;
	return (
		<details className="mt-3">
			<summary className="min-h-11 content-center">Log a day without a trip</summary>
			<ul className="flex flex-wrap gap-x-4">
				{days.map(({ day, words, href }) => (
					<li key={day}>
						<a className={dayLink} href={href}>
							{words}
						</a>
					</li>
				))}
			</ul>
		</details>
	);
}
