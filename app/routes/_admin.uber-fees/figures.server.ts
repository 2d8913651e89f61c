/**
 * The figures of Uber Fee Management: all-time charges, this month's, and by category
 * (docs/product.md §2).
 */
import type { Results } from "../../db/client.server.ts";
import { FLEET, selectTotals } from "../../domain/analytics/queries.server.ts";
import { categoryFees, feeCents, ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { categoryText, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod, lastMonths } from "../../values/period.ts";

/** One calendar month that ends today (docs/product.md, 'Numbers, money and dates'). */
const monthOf = (today: CalendarDate) => lastMonths(today, 1);

export function figureStatements(today: CalendarDate) {
	return { ever: selectTotals(FLEET), lately: selectTotals(FLEET, monthOf(today)) };
}

type Found = Results<ReturnType<typeof figureStatements>>;

export function figuresFrom(
	{ ever: [totals = ZERO_TOTALS], lately: [lately = ZERO_TOTALS] }: Found,
	{ today }: Pick<ReaderContext, "today">,
) {
	return {
		total: formatDollars(feeCents(totals)),
		month: { total: formatDollars(feeCents(lately)), period: formatPeriod(monthOf(today)) },
		categories: FEE_CATEGORIES.map((category) => {
			const { cents, entries } = categoryFees(totals, category);
			return { category: categoryText(category), total: formatDollars(cents), entries };
		}),
	};
}
