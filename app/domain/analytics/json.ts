/**
 * The figures in the API (docs/product.md §3, 'Names on the wire'). Money is a decimal string with
 * two places.
 */
import type * as v from "valibot";
import { toDecimal } from "../../values/money.ts";
import { formatDriverCode } from "../people/rules.ts";
import { costPerMile, feeCents, type Totals } from "./rules.ts";
import type { efficiencyShape, summaryShape } from "./shape.server.ts";

/** Fuel, fees and both together. */
export function summaryJson(totals: Totals): v.InferOutput<typeof summaryShape> {
	const fees = feeCents(totals);
	return {
		fuelExpenses: toDecimal(totals.fuelCents),
		uberFees: toDecimal(fees),
		totalSpend: toDecimal(totals.fuelCents + fees),
	};
}

type Row = Pick<Totals, "miles" | "fuelCents"> & {
	readonly id: string;
	readonly driverNumber: number | null;
	readonly firstName: string;
	readonly lastName: string;
};

/** A driver efficiency row; `driverId` is the user's id and `driverIdCode` the code. */
export function efficiencyJson(row: Row): v.InferOutput<typeof efficiencyShape> {
	return {
		driverId: row.id,
		driverIdCode: formatDriverCode(row.driverNumber),
		firstName: row.firstName,
		lastName: row.lastName,
		totalMiles: row.miles,
		totalFuelCost: toDecimal(row.fuelCents),
		costPerMile: toDecimal(costPerMile(row)),
	};
}
