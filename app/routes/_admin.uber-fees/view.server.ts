/**
 * What the screen shows: Uber Fee Management (docs/product.md §2): the totals, the form that adds a
 * fee, the list, and the breakdown by category.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireReader } from "../../auth/guard.server.ts";
import { selectTotals } from "../../domain/analytics/queries.server.ts";
import { feeCents, feeCount, ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import {
	cursorOf,
	driverOfFee,
	findFee,
	listFees,
	selectCanAddAgain,
} from "../../domain/uber-fees/queries.server.ts";
import { listUrl, parseSearch } from "../../domain/uber-fees/search.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pluralize } from "../../values/count.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";
import { figureStatements, figuresFrom } from "./figures.server.ts";
import { toFeeView, typedFee } from "./row.server.ts";

/** Rows per page. */
const PAGE = 25;

/** Everything the screen shows, in one trip to the database. */
export async function feesView(args: LoaderFunctionArgs) {
	const {
		driver: whose,
		position,
		dialog,
		named,
	} = parseSearch(new URL(args.request.url).searchParams);
	// After a post the form shows what was posted; otherwise the replaced fee's driver is chosen.
	const asked = parsePerson(
		args.context.method === "POST" ? await args.context.form() : new URLSearchParams(),
		"driverId",
	);
	const isReplacing = dialog === undefined && args.context.method !== "POST";
	const { reader, page, one, again, people, drivers, own, ...totals } = await requireReader(
		args,
		({ build, today }) => ({
			// One extra row shows whether there is a next page.
			page: listFees(build, whose.id || undefined, PAGE + 1, position),
			one: named ? findFee(build, named) : undefined,
			again: named ? selectCanAddAgain(build, named) : undefined,
			...figureStatements(today),
			own: whose.id ? selectTotals(whose.id) : undefined,
			drivers: selectPersonChoices(build, "approvedDrivers", whose),
			people: selectPersonChoices(
				build,
				"activeDrivers",
				asked,
				isReplacing && named ? driverOfFee(named) : undefined,
			),
		}),
	);
	const filter = toPersonChoice(drivers, whose);
	// A single match is used.
	if (filter.isOpen && filter.match && args.context.method !== "POST")
		throw redirect(`${listUrl({ driverId: filter.match.id })}#fees`);
	const place = { driverId: whose.id, position };
	const [listed = ZERO_TOTALS] = whose.id ? own : totals.ever;
	const shown = toPage(page, position, PAGE, cursorOf);
	const [found] = one;
	// No form adds a credit.
	const canAddAgain = again[0]?.can === 1;
	const replaced = dialog || found?.fee.isCredit || !canAddAgain ? undefined : found;
	return {
		viewer: toViewer(reader),
		today: reader.today,
		/** New for each rendering of the form, so that a resend is recognized. */
		key: crypto.randomUUID(),
		...figuresFrom(totals, reader),
		driver: toPersonChoice(people, asked, "activeDrivers"),
		replacing: replaced && typedFee(replaced),
		dialog: dialog && found ? { kind: dialog, fee: toFeeView(found), canAddAgain } : undefined,
		place,
		filter,
		rows: shown.rows.map(toFeeView),
		/** Of all pages. */
		listed: `${pluralize(feeCount(listed), "fee")}, ${formatDollars(feeCents(listed))}`,
		pages: pageLinks(position, shown, (at) => listUrl({ ...place, position: at })),
	};
}

export type FeesData = Awaited<ReturnType<typeof feesView>>;
