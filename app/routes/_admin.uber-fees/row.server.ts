/** A fee as this screen shows it. */

import { shownDriverCode } from "../../domain/people/rules.ts";
import { type FeeWithDriver, signedCents } from "../../domain/uber-fees/json.ts";
import { categoryText } from "../../domain/uber-fees/rules.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { formatDollars, toDecimal } from "../../values/money.ts";

export function toFeeView({ fee, driver }: FeeWithDriver) {
	return {
		id: fee.id,
		date: formatDate(fee.chargedOn),
		driverId: fee.driverId,
		driver: `Driver ${shownDriverCode(driver.driverNumber)}`,
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		category: categoryText(fee.category),
		amount: formatDollars(signedCents(fee)),
		isCredit: fee.isCredit,
		reference: fee.referenceNumber ?? "-",
		description: fee.description,
	};
}
export type FeeView = ReturnType<typeof toFeeView>;

/** A fee's values in its form, to be added again. */
export function typedFee({ fee }: FeeWithDriver) {
	return {
		id: fee.id,
		category: fee.category,
		amount: toDecimal(fee.amountCents),
		date: fee.chargedOn,
		referenceNumber: fee.referenceNumber ?? "",
		description: fee.description ?? "",
	};
}
