/** The figures in the API's answers. */
import * as v from "valibot";
import { amount, count, driverCode, id } from "../../values/shapes.ts";

export const summaryShape = v.strictObject({
	fuelExpenses: amount,
	uberFees: amount,
	totalSpend: amount,
});

export const efficiencyShape = v.strictObject({
	driverId: id,
	driverIdCode: driverCode,
	firstName: v.string(),
	lastName: v.string(),
	totalMiles: count,
	totalFuelCost: amount,
	costPerMile: amount,
});
