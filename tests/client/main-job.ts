/**
 * The product's main job, done by another program: a driver logs a trip and asks for money,
 * the office approves and pays it. Its types are those that a public generator makes of the API's
 * document, so `tests/http/client.test.ts` checks them and runs it.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./milepost.ts";

type Schemas = components["schemas"];
type Refused = { readonly error: Schemas["Error"] };
type Answer<Data> = { readonly response: Response } & (
	| { readonly data: Data; readonly error?: never }
	| (Refused & { readonly data?: never })
);

const { MILEPOST: baseUrl = "", TOKEN = "", COOKIE = "", DAY = "" } = process.env;
/** A driver has a session, and a change needs the server's own Origin. */
const driver = createClient<paths>({ baseUrl, headers: { Cookie: COOKIE, Origin: baseUrl } });
/** The office has an administrator's token, which needs neither. */
const office = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${TOKEN}` } });

/** What was answered. */
function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
	if (error) throw new Error(`${response.status}: ${error.message}`);
	return data as Data;
}

/** Every request, page by page. */
async function listRequests(): Promise<{ pages: number; requests: Schemas["FundRequest"][] }> {
	const requests: Schemas["FundRequest"][] = [];
	let pages = 0;
	for (let cursor: string | undefined; ; ) {
		const query = cursor === undefined ? { limit: 2 } : { limit: 2, cursor };
		const page = await office.GET("/api/fund-requests", { params: { query } });
		requests.push(...dataOf(page));
		pages += 1;
		const next = /<([^>]+)>; rel="next"/.exec(page.response.headers.get("Link") ?? "")?.[1];
		if (next === undefined) return { pages, requests };
		cursor = new URL(next, baseUrl).searchParams.get("cursor") ?? undefined;
	}
}

const trip: Schemas["Trip"] = dataOf(
	await driver.POST("/api/mileage", {
		body: { date: DAY, startOdometer: 820_000, endOdometer: "820042", purpose: "Airport run" },
	}),
);
const backwards = await driver.POST("/api/mileage", {
	body: { date: DAY, startOdometer: 820_042, endOdometer: 820_000 },
});
const asked: Schemas["FundRequest"][] = [];
for (const amount of ["42.50", 19.99, "7.00"])
	asked.push(
		dataOf(
			await driver.POST("/api/fund-requests", {
				params: { header: { "Idempotency-Key": `ask-${amount}` } },
				body: { type: "gas", amount, description: `Fuel for ${amount}` },
			}),
		),
	);
const [first, second, third] = asked;
if (!first || !second || !third) throw new Error("three requests were sent");

const { pages, requests } = await listRequests();
const pending = requests.filter(({ status }) => status === "pending");
const decide = async (id: string, body: { status: "approved" | "rejected"; adminNotes?: string }) =>
	dataOf(await office.PUT("/api/fund-requests/{id}", { params: { path: { id } }, body }));
const message = dataOf(
	await office.POST("/api/fund-requests/{id}/messages", {
		params: { path: { id: second.id } },
		body: { text: "Which car?" },
	}),
);
const approved = await decide(first.id, { status: "approved" });
await decide(second.id, { status: "approved" });
await decide(third.id, { status: "rejected", adminNotes: "Paid already" });

const made: Schemas["Payout"] = dataOf(await office.POST("/api/payouts", { body: { all: true } }));
const twice = await office.POST("/api/payouts", { body: { requestIds: [first.id] } });
const paid = dataOf(
	await office.PUT("/api/payouts/{id}", {
		params: { path: { id: made.id } },
		body: { status: "paid", paidOn: DAY, reference: "ACH 4471" },
	}),
);
const own = dataOf(await driver.GET("/api/fund-requests"));
const summary = dataOf(await office.GET("/api/analytics/weekly-summary"));
const efficiency = dataOf(await office.GET("/api/analytics/driver-efficiency"));
const report = await office.POST("/api/reports/generate", {
	body: { type: "expense", format: "csv", range: "current_week" },
	parseAs: "text",
});

console.log(
	JSON.stringify({
		miles: trip.calculatedMiles,
		refused: backwards.error?.fields?.endOdometer,
		pages,
		pending: pending.map(({ amount }) => amount).sort(),
		message: message.by.role,
		approved: [approved.requestNumber === first.requestNumber, approved.approvedAmount],
		inTheWay: twice.error?.requests?.map(({ id }) => id === first.id),
		total: made.total,
		lines: made.lines.map(({ driverIdCode, amount }) => [driverIdCode, amount]),
		paid: [paid.status, paid.paidOn === DAY, paid.reference],
		own: own.map(({ amount, status, payout }) => [amount, status, payout?.status ?? null]).sort(),
		fuel: summary.fuelExpenses,
		spent: efficiency.find(({ driverId }) => driverId === trip.driverId)?.totalFuelCost,
		report: typeof report.data === "string" && report.data.includes("19.99"),
	}),
);
