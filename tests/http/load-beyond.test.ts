/**
 * Requests beyond a person's limits get 429, and requests beyond the database's capacity 503, both
 * with Retry-After. Everyone else is answered, nothing accepted is lost, and memory stays flat.
 */
import { expect, it } from "vitest";
import { ISOLATE_MEGABYTES } from "../../lab/heap-limit.ts";
import { Connections, type LoadRequest } from "../../lab/torture/load/ask.ts";
import { type ExpensiveRequest, Flood } from "../../lab/torture/load/flooding.ts";
import { Memory } from "../../lab/torture/load/memory.ts";
import { isShort, report, TIMEOUT } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { freePort } from "../../tools/free-port.ts";
import { CLIENTS, openRealProvider } from "../oidc/real-provider.ts";
import { production, providers } from "../oidc/sign-in-bench.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { multipart } from "../support/forms.ts";
import { generateStatement } from "../support/generated-statements.ts";
import { PNG } from "../support/request-form.ts";
import { insertTrips } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

/** Many more connections than can be answered at once. */
const BEYOND = isShort ? 60 : 300;
/** What one person or IP address may do in a minute; several minutes' worth is requested. */
const [LIMIT, TIMES] = [5, 25];
const perMinute = { limit: LIMIT, period: 60 } as const;
const limits = {
	signInLimit: perMinute,
	reportLimit: perMinute,
	transferLimit: perMinute,
	heapMegabytes: ISOLATE_MEGABYTES,
	isInspected: true,
};
const port = await freePort();
const fleet = await openFleet({ ...limits, port });
const origin = { Origin: fleet.origin, "Sec-Fetch-Site": "same-origin" };
const FORM = "application/x-www-form-urlencoded";

const key = () => crypto.randomUUID();
const json = (path: string, Cookie: string, body: object): LoadRequest => ({
	path,
	headers: {
		...origin,
		Cookie,
		"Content-Type": "application/json",
		"Idempotency-Key": key(),
	},
	body: JSON.stringify(body),
});
let reading = 300_000;
const trip = (cookie: string): LoadRequest => {
	reading += 10;
	const odometer = { startOdometer: reading, endOdometer: reading + 5 };
	return json("/api/mileage", cookie, { date: daysAgo(0), ...odometer });
};
const request = (cookie: string, time: number): LoadRequest =>
	json("/api/fund-requests", cookie, { type: "gas", amount: "12.50", description: `Fuel ${time}` });

it(
	"refuses excessive expensive requests, and says when to try again",
	async () => {
		const [ada, ben, dana, lena] = (
			await Promise.all((["ada", "ben", "dana", "lena"] as const).map((name) => fleet.as(name)))
		).map(({ cookie }) => cookie) as [string, string, string, string];
		await insertTrips(fleet.sql.bind(fleet), idOf("dana"), daysAgo(0), 2600);
		const get = (path: string, Cookie: string): LoadRequest => ({ path, headers: { Cookie } });
		const sent = async (path: string, Cookie: string, form: ReturnType<typeof multipart>) => {
			const { headers, body } = await form;
			return { path, headers: { ...origin, ...headers, Cookie }, body };
		};
		const statement = (cookie: string) =>
			sent(
				"/api/statements",
				cookie,
				multipart({}, { ...generateStatement(2, 2).file, type: "text/csv" }, "file"),
			);
		const [statementOfAda, statementOfBen] = [await statement(ada), await statement(ben)];
		const receipt = await sent("/api/receipts", dana, multipart({}, PNG));
		const posted = (path: string, Cookie: string, body: string): LoadRequest => ({
			path,
			headers: { ...origin, Cookie, "Content-Type": FORM },
			body,
		});
		const reportOf = (cookie: string) =>
			json("/api/reports/generate", cookie, { type: "driver", format: "csv", range: "last_month" });
		const twice = (
			name: string,
			ask: (cookie: string) => LoadRequest,
			one: string,
			other: string,
		): ExpensiveRequest => ({
			name,
			times: TIMES,
			ask: () => ask(one),
			bystander: ask(other),
		});
		const exported = (path: string) => (cookie: string) => get(path, cookie);
		const expensive: readonly ExpensiveRequest[] = [
			twice("exports of requests", exported("/fund-requests/export.csv"), ada, ben),
			twice("exports of trips", exported("/mileage-reports/export.csv"), ada, ben),
			twice("reports", reportOf, ada, ben),
			twice("whole lists", exported("/api/mileage"), ada, ben),
			{ name: "statements", times: TIMES, ask: () => statementOfAda, bystander: statementOfBen },
			twice("exports by a driver", exported("/history/export.csv"), dana, lena),
			{
				name: "requests",
				times: 75,
				ask: (time) => request(dana, time),
				bystander: request(lena, 0),
			},
			{ name: "receipts", times: 60, ask: () => receipt },
			{ name: "trips", times: 320, ask: () => trip(dana), bystander: trip(lena) },
			{
				name: "posts by visitors",
				times: 100,
				ask: () => posted("/requests", "", `description=${"x".repeat(60_000)}`),
				refusal: 401,
				bystander: get("/requests", lena),
			},
		];
		const connections = new Connections(port, BEYOND);
		const [memory, all] = [new Memory(fleet), new Flood()];
		for (const each of expensive) {
			await all.flood(each, connections);
			await memory.note();
		}
		connections.close();
		await floodSignIn(all);
		for (const note of all.notes.slice(0, 20)) console.log(note);
		const { asked, found } = all;
		const tried = `requests at ${expensive.length + 2} expensive routes`;
		report("load", [
			mustBeZero(tried, asked, "routes that never refuse", found.open),
			mustBeZero(tried, asked, "refusals without Retry-After", found.unsaid),
			mustBeZero(tried, asked, "refusals other than their own and 503", found.other),
			mustBeZero(tried, asked, "connections cut", found.cut),
			mustBeZero(tried, asked, "bystanders refused", found.bystanders),
			...memory.finding(tried, asked),
		]);
	},
	TIMEOUT,
);

/** Sends sign-ins, and callbacks that no provider sent, from one IP address. */
async function floodSignIn(all: Flood): Promise<void> {
	const own = await freePort();
	const ownOrigin = `http://localhost:${own}`;
	const provider = await openRealProvider({ callback: `${ownOrigin}/api/callback` });
	const { issuer } = provider;
	const listed = [{ id: "company", name: "Company", issuer, ...CLIENTS.confidential }];
	const gate = await openFleet({
		...production,
		...providers(listed),
		...limits,
		origin: ownOrigin,
		port: own,
	});
	const connections = new Connections(own, BEYOND);
	const from = (path: string, ip: string): LoadRequest => ({
		path,
		headers: { "CF-Connecting-IP": ip },
	});
	const state = "a".repeat(43);
	await all.flood(
		{
			name: "sign-ins",
			times: TIMES,
			ask: () => from("/api/login", "192.0.2.7"),
			bystander: from("/api/login", "192.0.2.8"),
		},
		connections,
	);
	await all.flood(
		{
			name: "callbacks",
			times: 100,
			ask: (time) => from(`/api/callback?state=${state}&code=${time}`, "192.0.2.7"),
			refusal: 400,
		},
		connections,
	);
	connections.close();
	gate.takeErrors();
	await provider.close();
}

const busyPort = await freePort();
const busy = await openFleet({
	port: busyPort,
	isBusy: true,
	heapMegabytes: ISOLATE_MEGABYTES,
	isInspected: true,
});

it(
	"answers 503 with when to try again while the database is overloaded, and loses nothing",
	async () => {
		const [admin, driver] = [(await busy.as("ada")).cookie, (await busy.as("lena")).cookie];
		const connections = new Connections(busyPort, BEYOND);
		const trips = Array.from({ length: 200 }, () => {
			const asked = trip(driver);
			return { ...asked, headers: { ...asked.headers, Origin: busy.origin } };
		});
		const pages: LoadRequest[] = [
			"/",
			"/fund-requests",
			"/drivers",
			"/audit",
			"/api/fund-requests",
		].flatMap((path) =>
			Array.from({ length: isShort ? 40 : 400 }, () => ({ path, headers: { Cookie: admin } })),
		);
		const memory = new Memory(busy);
		const found = { asked: 0, busy: 0, other: 0, unsaid: 0, cut: 0 };
		const refused: LoadRequest[] = [];
		const send = async (asked: LoadRequest) => {
			found.asked += 1;
			const told = await connections.ask(asked).catch((error: Error) => {
				found.cut += 1;
				console.log(`${asked.path}: ${error.message}`);
			});
			if (!told || told.status < 400) return;
			if (told.status === 503) {
				found.busy += 1;
				if (!told.retryAfter) found.unsaid += 1;
				if (asked.body) refused.push(asked);
			} else {
				found.other += 1;
				console.log(`${asked.path} answered ${told.status}`);
			}
		};
		const apart = Math.ceil(pages.length / trips.length);
		const mixed = trips.flatMap((each, place) => [
			each,
			...pages.slice(place * apart, (place + 1) * apart),
		]);
		const part = Math.ceil(mixed.length / 8);
		for (let from = 0; from < mixed.length; from += part) {
			await Promise.all(mixed.slice(from, from + part).map(send));
			await memory.note();
		}
		// Sends what was refused again one at a time, as a phone does.
		for (const asked of refused.splice(0)) await send(asked);
		connections.close();
		busy.takeErrors();
		const [rows] = await busy.sql<{ n: number }>(
			"select count(*) as n from mileage_logs where start_miles > 300000",
		);
		expect(refused, "refused when sent alone").toEqual([]);
		report("load", [
			mustBeZero(
				"requests to an overloaded database",
				found.asked,
				"refusals other than 503",
				found.other,
			),
			mustBeZero(
				"requests to an overloaded database",
				found.asked,
				"503 without Retry-After",
				found.unsaid,
			),
			mustBeZero("requests to an overloaded database", found.asked, "connections cut", found.cut),
			mustBeZero(
				"trips meanwhile",
				trips.length,
				"lost or duplicated",
				Math.abs((rows?.n ?? 0) - trips.length),
			),
			{
				tried: "requests to an overloaded database",
				times: found.asked,
				what: "answered 503",
				figure: found.busy,
				must: "some",
				isMet: found.busy > 0,
			},
			...memory.finding("requests to an overloaded database", found.asked),
		]);
	},
	TIMEOUT,
);
