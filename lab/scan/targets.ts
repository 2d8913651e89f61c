/**
 * What sqlmap tests: every parameter of a URL, and the bodies with text in them, by who sends them.
 */

export type Scanner = "driver" | "administrator";
type Target = {
	readonly by: Scanner;
	readonly path: string;
	/** For a post: a form, or JSON if it is an object. */
	readonly body?: string | object;
};

const ID = "00000000-0000-4000-8000-000000000001";
/** Text before numbers: a value refused for its type never gets near SQL. */
export const TARGETS: readonly Target[] = [
	{ by: "administrator", path: "/find?q=dana" },
	{ by: "administrator", path: "/api/people?q=dana" },
	{
		by: "administrator",
		path: `/fund-requests?status=pending&type=gas&amount=0-50&driver=${ID}&startDate=2026-01-01&endDate=2026-12-31&sort=amount&after=x`,
	},
	{
		by: "administrator",
		path: `/mileage-reports?range=custom&startDate=2026-01-01&endDate=2026-12-31&driver=${ID}&show=flagged`,
	},
	{ by: "administrator", path: "/audit?kind=request&after=x" },
	{ by: "administrator", path: `/drivers?dialog=reject&id=${ID}&q=x` },
	{ by: "administrator", path: `/uber-fees?dialog=edit&id=${ID}&category=other` },
	{ by: "administrator", path: "/payouts?choose=x&after=x" },
	{ by: "administrator", path: "/email?status=sent&after=x" },
	{ by: "administrator", path: `/api/mileage?limit=5&driverId=${ID}&after=x` },
	{
		by: "administrator",
		path: `/api/analytics/driver-efficiency?startDate=2026-01-01&endDate=2026-12-31`,
	},
	{ by: "administrator", path: `/drivers/${ID}*` },
	{ by: "administrator", path: "/drivers", body: "intent=rename&id=x&firstName=Ann&lastName=Lee" },
	{ by: "administrator", path: "/api/payouts", body: { requestIds: [ID], driverId: ID } },
	{
		by: "driver",
		path: "/history?range=custom&type=all&startDate=2026-01-01&endDate=2026-12-31&after=x",
	},
	{ by: "driver", path: "/requests?status=all&after=x" },
	{ by: "driver", path: "/mileage", body: "intent=void&id=x&key=x&notes=x" },
	{
		by: "driver",
		path: "/api/mileage",
		body: { date: "2026-11-01", startOdometer: 10, endOdometer: 20, notes: "x" },
	},
	{
		by: "driver",
		path: "/api/fund-requests",
		body: { type: "gas", amount: "1.00", description: "x", receiptUrl: "x" },
	},
	{ by: "driver", path: "/account", body: "intent=emails&remindOfMiles=on" },
];

/** The request file that sqlmap reads. */
export function requestFile({ path, body }: Target, origin: string, cookie: string): string {
	const text = typeof body === "object" ? JSON.stringify(body) : body;
	const type = typeof body === "object" ? "application/json" : "application/x-www-form-urlencoded";
	return [
		`${text === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
		`Host: ${new URL(origin).host}`,
		`Origin: ${origin}`,
		"Sec-Fetch-Site: same-origin",
		`Cookie: ${cookie}`,
		...(text === undefined ? [] : [`Content-Type: ${type}`]),
		"",
		text ?? "",
	].join("\r\n");
}
