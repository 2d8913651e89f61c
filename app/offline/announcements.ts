/** The outbox's news for screen readers. */
import { element } from "./elements.ts";

/** Long enough to be read out, in milliseconds: what is on screen needn't stay here as well. */
const ANNOUNCED_FOR = 5000;
let announcer: HTMLElement | undefined;
/** What was said last; undefined until the page's own content is drawn, which is read anyway. */
let announced: ReadonlySet<string> | undefined;

/**
 * Adds what screen readers watch: it has to be there before it says anything, and to stay.
 * @param isNews whether the page's own content is to be read out too
 */
export function prepareAnnouncements(place: HTMLElement, isNews: boolean): void {
	if (isNews) announced = new Set();
	announcer = element("p", { role: "status", class: "sr-only print:hidden" });
	place.parentNode?.insertBefore(announcer, place);
}

/** Has screen readers read out what is new in the outbox. */
export function announce(sentences: readonly string[]): void {
	const before = announced;
	announced = new Set(sentences);
	const news = sentences.filter((each) => each !== "" && before && !before.has(each));
	if (news.length === 0) return;
	const line = element("span", {}, news.join(" "));
	announcer?.replaceChildren(line);
	setTimeout(() => line.remove(), ANNOUNCED_FOR);
}
