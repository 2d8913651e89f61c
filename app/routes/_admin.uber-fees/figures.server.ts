/** The figures of Uber Fee Management: what was ever charged, in this month, and in each category (docs/product.md §2). */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Answer } from "../../db/client.server.ts";
import { FLEET, totalsOf } from "../../domain/analytics/queries.server.ts";
import { feeCents, feesOf, NOTHING } from "../../domain/analytics/rules.ts";
import type { AdminContext } from "../../domain/context.ts";
import { categoryWords, FEE_CATEGORIES } from "../../domain/uber-fees/rules.ts";
import { type CalendarDate, showDate } from "../../values/calendar-date.ts";
import { dollars } from "../../values/money.ts";
import { lastMonths } from "../../values/period.ts";

/** One calendar month that ends today (docs/product.md, 'Numbers, money and dates'). */
const monthOf = (today: CalendarDate) => lastMonths(today, 1);

export function figureStatements({ build, today }: Pick<QueryContext, "build" | "today">) {
	return { ever: totalsOf(build, FLEET), lately: totalsOf(build, FLEET, monthOf(today)) };
}

type Statements = ReturnType<typeof figureStatements>;
type Answers = { readonly [Name in keyof Statements]: Answer<Statements[Name]> };

export function figuresFrom({ ever: [totals = NOTHING], lately: [lately = NOTHING] }: Answers, { today }: Pick<AdminContext, "today">) {
	const { from, to } = monthOf(today);
	return {
		total: dollars(feeCents(totals)),
		month: { total: dollars(feeCents(lately)), from: showDate(from), to: showDate(to) },
		categories: FEE_CATEGORIES.map((category) => {
			const { cents, entries } = feesOf(totals, category);
			return { category: categoryWords(category), total: dollars(cents), entries };
		}),
	};
}
