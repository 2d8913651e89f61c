/** Drivers' questions, and what to check about a week before anything is published. */
import { Section } from "../../ui/primitives/section.tsx";
import type { WeekData } from "./view.server.ts";

/** @param may whether the reader may answer */
export function Questions({ data: { questions }, may }: { data: WeekData; may: boolean }) {
	const { shown, isCut } = questions;
	if (shown.length === 0) return null;
	return (
		<Section id="questions" title={`Questions from drivers (${shown.length}${isCut ? "+" : ""})`}>
			<ul className="divide-y divide-line surface">
				{shown.map(({ id, name, about, when, text, href }) => (
					<li
						key={id}
						className="grid items-center gap-x-6 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-6"
					>
						<span className="grid min-w-0">
							<span className="wrap-anywhere">
								<bdi className="font-semibold">{name}</bdi>
								<span className="text-quiet">{` · ${about} · ${when}`}</span>
							</span>
							<span className="line-clamp-2 wrap-anywhere">
								<bdi>{text}</bdi>
							</span>
						</span>
						<a className="inline-flex min-h-11 items-center font-semibold text-accent" href={href}>
							{may ? "Answer" : "Open"}
							<span className="sr-only">{` ${may ? name : `${name}'s question`} about ${about}`}</span>
						</a>
					</li>
				))}
			</ul>
		</Section>
	);
}

export function Checks({ data: { checks } }: { data: WeekData }) {
	if (checks.length === 0) return null;
	return (
		<Section id="checks" title={`To check first (${checks.length})`}>
			<ul className="divide-y divide-line surface">
				{checks.map(({ key, sentence, href, words, about }) => (
					<li
						key={key}
						className="grid items-center gap-x-6 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-6"
					>
						<span className="min-w-0 wrap-anywhere">{sentence}</span>
						<a className="inline-flex min-h-11 items-center font-semibold text-accent" href={href}>
							{words}
							{about ? <span className="sr-only">{` ${about}`}</span> : null}
						</a>
					</li>
				))}
			</ul>
		</Section>
	);
}
