/** A driver without a code, from before codes: 'N/A' wherever the code would be. */
import { expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { textOf } from "../support/drivers.ts";
import { insertFee } from "../support/fees.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { gather, insertApproved } from "../support/payouts.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
await sql("update users set driver_number = null where id = ?", idOf("lena"));
await insertRequest(sql, 1, "lena");
await insertLog(sql, 1, "lena", daysAgo(1), 40);
await insertFee(sql, 1, "lena", daysAgo(1));
await insertApproved(sql, 5, "lena", 1000);
const ada = await fleet.as("ada");
const payout = await gather(ada, { all: true });
await insertApproved(sql, 6, "lena", 1000);

it.each([
	["/fund-requests", "Driver N/A"],
	["/uber-fees", "Driver N/A"],
	["/drivers", "N/A"],
	["/mileage-reports", "N/A"],
	["/", "N/A"],
	["/payouts", "N/A"],
	[`/payouts/${payout.id}`, "N/A"],
	[`/drivers/${idOf("lena")}`, "N/A"],
])("%s says '%s'", async (path, words) => {
	const { status, text } = await ada.get(path);
	expect(status).toBe(200);
	expect(textOf(text)).toContain(words);
});

it.each([
	"/fund-requests/export.csv",
	"/mileage-reports/export.csv",
	`/payouts/${payout.id}/export.csv?format=drivers`,
	`/payouts/${payout.id}/export.csv?format=requests`,
])("%s has N/A as the driver's ID", async (path) => {
	const { text } = await ada.get(path);
	const [head = "", ...rows] = text.replace(/^\uFEFF/, "").split("\r\n");
	const column = head.split(",").indexOf("Driver ID");
	const own = rows.filter((row) => row.includes("Nguy"));
	expect(own.length).toBeGreaterThan(0);
	for (const row of own) expect(row.split(",")[column]).toBe("N/A");
});

it("says so on the driver's own account", async () => {
	expect(textOf((await (await fleet.as("lena")).get("/account")).text)).toContain("Driver ID N/A");
});

it("is null in JSON, as documented", async () => {
	const requests = JSON.parse((await ada.get("/api/fund-requests")).text) as {
		driverIdCode: string | null;
	}[];
	expect(requests.map(({ driverIdCode }) => driverIdCode)).toEqual([null, null, null]);
});
