/** The audit's URL parameters. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";
import { queryDate } from "../../values/date-input.ts";
import { KINDS } from "../kernel/audit-kinds.ts";
import { type PersonQuery, parsePerson } from "../people/choice.ts";

/** An entry's position in the audit, latest first. */
const auditCursors = cursors({ at: "number", id: "number" });
export type AuditCursor = NonNullable<ReturnType<typeof auditCursors.parse>>;
export type AuditSearch = {
	/** Who acted, or whose account it is about. */
	readonly person: PersonQuery;
	readonly kind: string | undefined;
	/** Calendar dates in the fleet's time zone, both included. */
	readonly from: CalendarDate | undefined;
	readonly to: CalendarDate | undefined;
	/** The dates as given, whether they are applied or not. */
	readonly given: {
		readonly from: CalendarDate | undefined;
		readonly to: CalendarDate | undefined;
	};
	/** Why they aren't applied, as a sentence. */
	readonly problem: string | undefined;
	readonly position: Position<AuditCursor> | undefined;
};

/**
 * Parses a URL. An unknown value is ignored, and a range that ends before it starts isn't applied.
 */
export function parseSearch(query: URLSearchParams): AuditSearch {
	const date = (name: string) => queryDate(query.get(name));
	const [from, to] = [date("startDate"), date("endDate")];
	const isBackwards = from !== undefined && to !== undefined && from > to;
	const kind = query.get("kind") ?? "";
	return {
		person: parsePerson(query, "person"),
		kind: Object.hasOwn(KINDS, kind) ? kind : undefined,
		from: isBackwards ? undefined : from,
		to: isBackwards ? undefined : to,
		given: { from, to },
		problem: isBackwards ? "The start date is after the end date" : undefined,
		position: readPosition(query, auditCursors.parse),
	};
}

/** The shortest query for a view, without a person search in progress. */
export function formatSearch(
	{ person, kind, from, to }: Pick<AuditSearch, "person" | "kind" | "from" | "to">,
	position?: Position<AuditCursor>,
): string {
	const query = new URLSearchParams();
	if (person.id) query.set("person", person.id);
	if (kind) query.set("kind", kind);
	if (from) query.set("startDate", from);
	if (to) query.set("endDate", to);
	setPosition(query, position, auditCursors.format);
	return query.size > 0 ? `?${query}` : "";
}
