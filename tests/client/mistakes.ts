/** What the document's types don't let a program write or overlook; it is checked and never run. */
import createClient from "openapi-fetch";
import type { components, paths } from "./milepost.ts";

type Schemas = components["schemas"];
const client = createClient<paths>({ baseUrl: "https://fleet.example" });
const path = { id: "b2e8d8c3-4f7c-4c71-8c66-6a7a1a1d4e04" };

// @ts-expect-error There is no such path.
client.GET("/api/trips");
// @ts-expect-error Nobody deletes a request.
client.DELETE("/api/fund-requests/{id}", { params: { path } });
// @ts-expect-error The end is missing.
client.POST("/api/mileage", { body: { date: "2026-11-20", startOdometer: 1 } });
// @ts-expect-error It is called gas.
client.POST("/api/fund-requests", { body: { type: "petrol", amount: 1, description: "Fuel" } });
// @ts-expect-error A request isn't paid: its payout is.
client.PUT("/api/fund-requests/{id}", { params: { path }, body: { status: "paid" } });
// @ts-expect-error A path needs its id.
client.PUT("/api/payouts/{id}", { body: { status: "cancelled" } });
// @ts-expect-error A list, even of one.
client.POST("/api/payouts", { body: { requestIds: path.id } });
// @ts-expect-error A limit is a number.
client.GET("/api/payouts", { params: { query: { limit: "20" } } });
// @ts-expect-error No such status.
client.GET("/api/settlements", { params: { query: { status: "open" } } });

export function readCarelessly(
	request: Schemas["FundRequest"],
	fee: Schemas["ListedFee"],
	statement: Schemas["Statement"],
): unknown[] {
	return [
		// @ts-expect-error An amount is text, because a number would lose cents.
		request.amount + 1 > 2 && request.amount * 2,
		// @ts-expect-error It isn't in a payout yet.
		request.payout.number,
		// @ts-expect-error Drivers aren't told.
		fee.addedBy.length,
		// @ts-expect-error There is no such state.
		request.status === "done",
		// @ts-expect-error Some files say nothing of the drivers' money.
		statement.money.totals.fare,
		// @ts-expect-error It is called unproven.
		statement.needs.includes("proof"),
	];
}
