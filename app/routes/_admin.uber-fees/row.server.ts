/** A fee as this screen shows it. */
import type { FeeWithDriver } from "../../domain/uber-fees/json.ts";
import { categoryWords } from "../../domain/uber-fees/rules.ts";
import { driverCode } from "../../domain/users/rules.ts";
import { showDate } from "../../values/calendar-date.ts";
import { decimalOf, dollars } from "../../values/money.ts";

export function shownFee({ fee, driver }: FeeWithDriver) {
	return {
		id: fee.id,
		date: showDate(fee.chargedOn),
		driver: `Driver ${driverCode(driver.driverNumber) ?? "N/A"}`,
		name: `${driver.firstName} ${driver.lastName}`.trim(),
		category: categoryWords(fee.category),
		amount: dollars(fee.amountCents),
		reference: fee.referenceNumber ?? "-",
		description: fee.description,
	};
}
export type ShownFee = ReturnType<typeof shownFee>;

/** A fee's values as its form holds them, to be added again. */
export function typedFee({ fee }: FeeWithDriver) {
	return {
		id: fee.id,
		category: fee.category,
		amount: decimalOf(fee.amountCents),
		date: fee.chargedOn,
		referenceNumber: fee.referenceNumber ?? "",
		description: fee.description ?? "",
	};
}
