/** The audit's entries, newest first, and the filters. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { auditEntries, auditPage } from "../../domain/audit/queries.server.ts";
import { formatSearch, parseSearch } from "../../domain/audit/search.ts";
import { KINDS } from "../../domain/kernel/audit-kinds.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { toPersonChoice } from "../../domain/people/choice.ts";
import type { Option } from "../../ui/forms/options.ts";
import { toViewer } from "../../ui/viewer.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { pageLinks } from "../../values/cursor.ts";
import { toEntryView } from "./entry.server.ts";

/** Everything the screen shows, in one trip to the database. */
export async function auditView(args: LoaderFunctionArgs) {
	const view = parseSearch(new URL(args.request.url).searchParams);
	const { reader, entries, people } = await requireReader(args, ({ build, timeZone }) => ({
		entries: auditEntries(build, view, timeZone),
		people: selectPersonChoices(build, "everybody", view.person),
	}));
	const person = toPersonChoice(people, view.person, "everybody");
	// A single match is used.
	if (person.isOpen && person.match)
		throw redirect(
			`/audit${formatSearch({ ...view, ...view.given, person: { id: person.match.id, text: "", answered: "" } })}`,
		);
	const page = auditPage(entries, view);
	const isFiltered = formatSearch(view) !== "" || view.problem !== undefined;
	return {
		viewer: toViewer(reader),
		today: reader.today,
		person,
		kind: view.kind ?? "all",
		kinds: Object.entries(KINDS).map(([value, { label }]): Option => [value, label]),
		/** The filters, for paper. */
		listed: [
			person.chosen?.label ?? "Everyone",
			view.kind && KINDS[view.kind]?.label,
			view.from && `from ${formatDate(view.from)}`,
			view.to && `to ${formatDate(view.to)}`,
		],
		from: view.given.from ?? "",
		to: view.given.to ?? "",
		problem: view.problem,
		isFiltered,
		entries: page.rows.map((row) => toEntryView(row, reader.timeZone)),
		isFurtherBack: page.isFurtherBack,
		pages: pageLinks(view.position, page, (position) => `/audit${formatSearch(view, position)}`),
	};
}

export type AuditData = Awaited<ReturnType<typeof auditView>>;
