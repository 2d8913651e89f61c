/**
 * What the screen shows: Reports & Analytics (docs/product.md §2): reports to download, and the
 * figures beside them.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import { datesOfRanges } from "../../domain/reports/rules.ts";
import { toViewer } from "../../ui/viewer.ts";
import { parseRefused } from "./address.ts";
import { figureStatements, figuresFrom } from "./figures.server.ts";
import { typedLog, typedReport } from "./form-values.server.ts";

/** Everything the screen shows, in one trip to the database. */
export async function reportsView(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const query = new URL(args.request.url).searchParams;
	const person = parsePerson(
		parseRefused(query, "log") ? query : new URLSearchParams(),
		"driverId",
	);
	const { reader, people, ...totals } = await requireReader(args, (asking) => ({
		...figureStatements(asking.today),
		people: selectPersonChoices(asking.build, "approvedDrivers", person),
	}));
	const choice = toPersonChoice(people, person);
	return {
		viewer: toViewer(reader),
		today,
		report: typedReport(query, today, settings.timeZone),
		ranges: datesOfRanges(today),
		log: typedLog(query, today, settings.timeZone, choice),
		person: choice,
		...(await figuresFrom(totals, reader)),
	};
}

export type ReportsData = Awaited<ReturnType<typeof reportsView>>;
