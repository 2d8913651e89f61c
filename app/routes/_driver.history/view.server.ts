/**
 * What the screen shows: History & Reports (docs/product.md §2): a driver's trips and requests of a
 * window, the newest first.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import { parseSearch } from "../../domain/history/search.ts";
import { yearChoices } from "../../domain/reports/rules.ts";
import { selectYearsWithEntries } from "../../domain/reports/years.server.ts";
import { toViewer } from "../../ui/viewer.ts";
import { historyFrom, historyStatements } from "./history.server.ts";

/** Everything the screen shows, in one trip to the database. */
export async function historyView(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const view = parseSearch(new URL(args.request.url).searchParams, today, settings.timeZone);
	const { driver, entries, ...answers } = await requireDriver(args, (asking) => ({
		...historyStatements(asking, view),
		entries: selectYearsWithEntries(asking.build, asking.me),
	}));
	return {
		viewer: toViewer(driver),
		today,
		...historyFrom(answers, view, driver),
		years: yearChoices(
			entries.map(({ day }) => day),
			today,
		),
	};
}

export type HistoryData = Awaited<ReturnType<typeof historyView>>;
