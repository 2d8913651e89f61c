/** Settlements in the API (docs/product.md, 'The week'). */
import type * as v from "valibot";
import { toDecimal } from "../../values/money.ts";
import { messageJson } from "../fund-requests/json.ts";
import { payoutOfRequestJson } from "../fund-requests/payment.ts";
import { formatDriverCode } from "../people/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import type { Settlement } from "./settlement.ts";
import type { settlementShape, settlementWithMessagesShape } from "./shape.server.ts";

/** Amounts are signed decimal strings, plus for the driver; dates `YYYY-MM-DD`. */
export const settlementJson = (settlement: Settlement): v.InferOutput<typeof settlementShape> => ({
	id: settlement.id,
	number: settlementNumber(settlement.number),
	driverId: settlement.driverId,
	driverIdCode: formatDriverCode(settlement.driver.driverNumber),
	week: { from: settlement.week.from, to: settlement.week.to },
	status: settlement.status,
	carriedIn: toDecimal(settlement.carriedInCents),
	lines: settlement.lines.map(({ kind, platform, text, cents }) => ({
		...{ kind, platform, text },
		amount: toDecimal(cents),
	})),
	result: toDecimal(settlement.resultCents),
	carriedOut: toDecimal(settlement.carriedOutCents),
	payable: toDecimal(settlement.payableCents),
	payout: payoutOfRequestJson(settlement.payout),
});

/** A settlement by itself, with its thread once its driver has asked. */
export const settlementWithMessagesJson = (
	settlement: Settlement,
): v.InferOutput<typeof settlementWithMessagesShape> => ({
	...settlementJson(settlement),
	...(settlement.thread ? { messages: settlement.thread.map(messageJson) } : {}),
});
