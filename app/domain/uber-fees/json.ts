/** Uber fees in the API (docs/product.md §3, 'Names on the wire'). */
import type * as v from "valibot";
import type { uberFees } from "../../db/schema.ts";
import { toDecimal } from "../../values/money.ts";
import { formatDriverCode } from "../people/rules.ts";
import type { feeShape, ownFeeShape } from "./shape.server.ts";

/** A fee with its driver, as every read of fees selects it. */
export type FeeWithDriver = {
	readonly fee: typeof uberFees.$inferSelect;
	readonly driver: {
		readonly firstName: string;
		readonly lastName: string;
		readonly driverNumber: number | null;
	};
};

/** A fee's contribution to a total, negative for a credit. */
export const signedCents = ({ amountCents, isCredit }: SignedFee) =>
	isCredit ? -amountCents : amountCents;
type SignedFee = { readonly amountCents: number; readonly isCredit: boolean };

/**
 * A fee as its driver sees it. A credit's amount is negative. Amounts are decimal strings with two
 * places, dates `YYYY-MM-DD`, moments ISO 8601 in UTC.
 */
export function ownFeeJson({ fee, driver }: FeeWithDriver): v.InferOutput<typeof ownFeeShape> {
	return {
		id: fee.id,
		driverId: fee.driverId,
		driverIdCode: formatDriverCode(driver.driverNumber),
		category: fee.category,
		amount: toDecimal(signedCents(fee)),
		...(fee.isCredit ? { isCredit: true } : {}),
		date: fee.chargedOn,
		referenceNumber: fee.referenceNumber,
		description: fee.description,
		createdAt: new Date(fee.createdAt).toISOString(),
		...(fee.deletedAt === null ? {} : { deletedAt: new Date(fee.deletedAt).toISOString() }),
	};
}

/** A fee for administrators, including who added it. */
export function feeJson(row: FeeWithDriver): v.InferOutput<typeof feeShape> {
	return { ...ownFeeJson(row), addedBy: row.fee.addedBy };
}
