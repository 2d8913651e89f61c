/** A working day over HTTP: the main jobs of release 0.1.0, which every later release also has. */
import { readFileSync } from "node:fs";
import { addDays, type CalendarDate } from "../../app/values/calendar-date.ts";
import { CAST, idOf } from "../../tests/support/cast.ts";
import { formWith } from "../../tests/support/forms.ts";
import { type Tally, Visitor } from "./visitor.ts";

const receipt = () => ({
	bytes: readFileSync("tests/fixtures/receipts/baseline.jpg"),
	name: "pump.jpg",
	type: "image/jpeg",
});

export type Day = {
	readonly origin: string;
	/** In the fleet's time zone. */
	readonly today: CalendarDate;
	/** Distinguishes what this day makes from what others have made. */
	readonly round: number;
	readonly tally: Tally;
};

/** A driver's day: trips, requests with receipts, entries kept on the phone, the history. */
async function driverJobs({ today, round }: Day, dana: Visitor): Promise<string[]> {
	const start = 400_000 + round * 1000;
	await dana.get("/api/auth/user", 200);
	const yesterday = addDays(today, -1);
	const trip = { date: yesterday, startOdometer: start, endOdometer: start + 40, notes: "Airport" };
	await dana.call("POST", "/api/mileage", trip, 201);
	const { fields } = formWith((await dana.get("/mileage", 200)).text, 'name="endOdometer"');
	await dana.post("/mileage", {
		...fields,
		date: yesterday,
		startOdometer: String(start + 40),
		endOdometer: String(start + 90),
	});
	const kept = {
		key: crypto.randomUUID(),
		asUser: idOf("dana"),
		date: yesterday,
		startOdometer: String(start + 90),
		endOdometer: String(start + 120),
		notes: "",
	};
	await dana.send("/api/outbox/mileage", kept, { bytes: new Uint8Array(), name: "" }, "none", 200);
	const requests: string[] = [];
	const uploaded = await dana.send("/api/receipts", {}, receipt(), "receipt", 201);
	const { receiptUrl = "" } = JSON.parse(uploaded.text || "{}") as Record<string, string>;
	await dana.get(receiptUrl, 200);
	const description = (words: string) => `${words}, round ${round}`;
	for (const [position, words] of ["Fuel", "Wash", "Tires", "Parking"].entries()) {
		const { id = "" } = await dana.call(
			"POST",
			"/api/fund-requests",
			{
				type: position === 0 ? "gas" : "other",
				amount: `${21 + position}.5${round}`,
				description: description(words),
				...(position === 0 ? { receiptUrl } : {}),
			},
			201,
		);
		requests.push(id);
	}
	const form = formWith((await dana.get("/requests", 200)).text, "Submit Request").fields;
	const typed = { ...form, type: "gas", amount: `33.1${round}`, description: description("Oil") };
	await dana.send("/requests", typed, receipt(), "receipt", 303);
	for (const path of [
		...["/history", "/history?type=mileage", "/history?type=requests", "/history/export.csv"],
		...["/api/mileage?limit=20", "/api/fund-requests?limit=20", "/api/uber-fees?limit=20"],
	])
		await dana.get(path, 200);
	return requests;
}

/**
 * What an administrator does with requests: decides them singly and in bulk, and undoes decisions.
 */
async function decisionJobs(ada: Visitor, requests: readonly string[]): Promise<void> {
	const [first = "", second = "", third = "", fourth = ""] = requests;
	const decided = { status: "approved", adminNotes: "Fine" };
	await ada.call("PUT", `/api/fund-requests/${first}`, decided, 200);
	await ada.call(
		"PUT",
		`/api/fund-requests/${second}`,
		{ status: "rejected", adminNotes: "No" },
		200,
	);
	await ada.get(`/fund-requests?dialog=approve&id=${third}`, 200);
	const process = { intent: "process", id: third, status: "approved", adminNotes: "" };
	await ada.post("/fund-requests", process);
	await ada.post("/fund-requests", { intent: "undo", id: third });
	await ada.post("/fund-requests", { intent: "bulk-approve", ids: fourth });
	await ada.get("/fund-requests/export.csv", 200);
}

async function feeJobs({ today }: Day, ada: Visitor): Promise<void> {
	const fee = { driverId: idOf("dana"), category: "commission", amount: "45.50", date: today };
	const { id = "" } = await ada.call("POST", "/api/uber-fees", fee, 201);
	await ada.call("POST", "/api/uber-fees", { ...fee, amount: "3.25" }, 201);
	await ada.ask("DELETE", `/api/uber-fees/${id}`);
	await ada.get("/api/uber-fees?limit=20", 200);
	await ada.get("/uber-fees/import", 200);
}

async function peopleJobs({ origin, tally, round }: Day, ada: Visitor): Promise<void> {
	const person = (name: string) => ({
		email: `${name}.${round}@milepost.test`,
		firstName: name,
		lastName: `Round${round}`,
	});
	const driver = await ada.call("POST", "/api/drivers", person("driver"), 201);
	await ada.call("POST", "/api/admin/create", person("admin"), 201);
	for (const path of ["", "?limit=2", "/all", "/pending"])
		await ada.get(`/api/drivers${path}`, 200);
	if (round === 1) {
		await ada.call("PUT", `/api/drivers/${idOf("nora")}/approve`, {}, 200);
		await ada.call("PUT", `/api/drivers/${idOf("nora")}/toggle`, {}, 200);
		const nina = await new Visitor(origin, tally).signIn(CAST.nina.email);
		await nina.call("PUT", "/api/profile", { firstName: "Nina", lastName: "New" }, 200);
		await ada.call("PUT", `/api/drivers/${idOf("nina")}/reject`, {}, 200);
	}
	await ada.call("PUT", `/api/drivers/${driver.id}/toggle`, {}, 200);
	await ada.call("PUT", `/api/drivers/${driver.id}/toggle`, {}, 200);
	await ada.ask("DELETE", `/api/drivers/${driver.id}`);
}

async function reportJobs({ today }: Day, ada: Visitor): Promise<void> {
	const range = { range: "custom", startDate: addDays(today, -30), endDate: today };
	for (const format of ["pdf", "csv", "xlsx"]) {
		for (const type of ["weekly", "monthly", "driver", "expense"])
			await ada.call("POST", "/api/reports/generate", { type, ...range, format }, 200);
		const log = { driverId: idOf("dana"), year: today.slice(0, 4), format };
		if (format !== "csv") await ada.post("/reports/mileage-log", log, 200);
	}
	for (const path of [
		...["/mileage-reports/export.csv", "/api/analytics/weekly-summary", "/audit"],
		...["/api/analytics/driver-efficiency", `/mileage-reports?driver=${idOf("dana")}`],
	])
		await ada.get(path, 200);
}

/** Signs in, does all of it, and signs out. */
export async function playDay(day: Day): Promise<void> {
	const visitor = () => new Visitor(day.origin, day.tally);
	const dana = await visitor().signIn(CAST.dana.email);
	const ada = await visitor().signIn(CAST.ada.email);
	await decisionJobs(ada, await driverJobs(day, dana));
	await feeJobs(day, ada);
	await peopleJobs(day, ada);
	await reportJobs(day, ada);
	for (const each of [dana, ada]) await each.post("/api/logout", {});
}

/** Imports a statement by the API, which release 0.1.0 doesn't have. */
export async function importFees({ origin, tally, today, round }: Day): Promise<void> {
	const ada = await new Visitor(origin, tally).signIn(CAST.ada.email);
	const statement = [
		"Trip ID,Driver,Fee Type,Amount,Trip Date,Notes",
		`UB-${round}1,DRV-0001,Commission,12.50,${today},`,
		`UB-${round}2,omar@milepost.test,service_fee,4.25,${today},Late`,
	].join("\r\n");
	const file = { bytes: Buffer.from(statement), name: `${round}.csv`, type: "text/csv" };
	await ada.send("/api/statements", { mode: "all" }, file, "file", 201);
}

/** Approves a request by Dana and puts it into a payout, which release 0.1.0 doesn't have. */
export async function payOut({ origin, tally, round }: Day): Promise<string> {
	const dana = await new Visitor(origin, tally).signIn(CAST.dana.email);
	const ada = await new Visitor(origin, tally).signIn(CAST.ada.email);
	const asked = { type: "other", amount: "12.00", description: `To be paid, round ${round}` };
	const { id = "" } = await dana.call("POST", "/api/fund-requests", asked, 201);
	await ada.call("PUT", `/api/fund-requests/${id}`, { status: "approved" }, 200);
	await ada.call("POST", "/api/payouts", { requestIds: [id] }, 201);
	return id;
}

/**
 * The one known failure of 0.1.0: it would undo an approval that is in a payout, and the database
 * refuses.
 */
export async function undoUnderPayout({ origin, tally }: Day, id: string): Promise<number> {
	const apart: Tally = { answers: 0, faults: [] };
	const ada = await new Visitor(origin, apart).signIn(CAST.ada.email);
	const { status } = await ada.post("/fund-requests", { intent: "undo", id });
	tally.answers += apart.answers;
	return status;
}

/**
 * Opens every page of both portals and of visitors.
 * @returns how many kinds of pages there were
 */
export async function readPages(origin: string, tally: Tally): Promise<number> {
	const visitor = () => new Visitor(origin, tally);
	let pages = await visitor().walk();
	for (const { email } of [CAST.dana, CAST.ada])
		pages += await (await visitor().signIn(email)).walk();
	return pages;
}
