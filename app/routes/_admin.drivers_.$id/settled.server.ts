/** A settlement as a driver's page lists it. */
import { STATUS_LABELS, STATUS_TONES } from "../../domain/settlements/rules.ts";
import { settlementPath } from "../../domain/settlements/search.ts";
import type { Settlement } from "../../domain/settlements/settlement.ts";
import { settlementNumber } from "../../domain/statements/settlement-week.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";

export const toSettled = ({ id, number, week, status, resultCents }: Settlement) => ({
	id,
	number: settlementNumber(number),
	href: settlementPath(id),
	week: formatPeriod(week),
	result: formatDollars(resultCents),
	status: STATUS_LABELS[status],
	tone: STATUS_TONES[status],
});
