/**
 * What the screen shows: Mileage Reports & Analytics (docs/product.md §2): a window's costs by
 * driver, what to look into, and the entries that an administrator can void.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { formatSearch, parseSearch } from "../../domain/analytics/search.ts";
import { findEntry } from "../../domain/mileage/review.server.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import { toViewer } from "../../ui/viewer.ts";
import { isRowId } from "../../values/row-id.ts";
import {
	rankingOf,
	reportFrom,
	reportStatements,
	standingStatements,
	withArchivedEntries,
} from "./report.server.ts";
import { toEntryView } from "./row.server.ts";

/** Everything the screen shows, in one trip to the database. */
export async function mileageReportView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const view = parseSearch(query, args.context.today);
	const asked = parsePerson(query, "driver");
	const id = query.get("id") ?? "";
	const named = query.get("dialog") === "void" && isRowId(id) ? id : "";
	const { reader, people, one, totals, owners, entries, closed, ...kept } = await requireReader(
		args,
		(asking) => ({
			...reportStatements(asking.today, view),
			...standingStatements(asking.today, view),
			people: selectPersonChoices(asking.build, "approvedDrivers", asked),
			one: named ? findEntry(asking.build, named) : undefined,
		}),
	);
	const choice = toPersonChoice(people, asked);
	// A single match is used: the figures, the entries and the export are that driver's.
	if (choice.isOpen && choice.match)
		throw redirect(
			`/mileage-reports${formatSearch({ ...view, driver: choice.match.id, page: undefined, entry: undefined })}`,
		);
	// Nobody with that id has figures, so the filter can't have this value.
	if (view.driver && totals.length === 0)
		throw redirect(
			`/mileage-reports${formatSearch({ ...view, driver: undefined, isFlaggedOnly: false })}`,
		);
	const read = { totals, owners, entries, closed };
	const answers = await withArchivedEntries(reader, read, view);
	return {
		viewer: toViewer(reader),
		view,
		today: reader.today,
		choice,
		/** The URL of this page without a dialog, which every link extends. */
		query: formatSearch(view),
		exportQuery: formatSearch({
			...view,
			page: undefined,
			entry: undefined,
			isFlaggedOnly: false,
		}),
		...reportFrom(answers, await rankingOf(reader, answers, kept, view), view, reader),
		flagToggle: formatSearch({ ...view, entry: undefined, isFlaggedOnly: !view.isFlaggedOnly }),
		voiding: one
			.map((entry) => toEntryView(entry, reader, closed))
			.find((entry) => entry.isVoidable),
	};
}

export type ReportData = Awaited<ReturnType<typeof mileageReportView>>;
