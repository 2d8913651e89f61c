/**
 * Paths that resemble ours: the route table and Remix agree on every one, so none causes an error
 * and none reaches a route by another spelling.
 */
import { afterAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import { type Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
const people: readonly [string, Client][] = [
	["an administrator", await fleet.as("ada")],
	["a driver", await fleet.as("dana")],
	["a visitor", fleet.client()],
];

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
const literal = ROUTES.map(({ path }) => path).filter(
	(path) => path !== "/" && !path.includes(":"),
);
const filled = ROUTES.filter(({ path }) => path.includes(":")).map(({ path }) =>
	path.replace(":id", idOf("nora")),
);

/** Spellings of a path that another parser might take for the path itself. */
const spellings = (path: string) => [
	path.toUpperCase(),
	path.replace(/[a-z](?!.*[a-z])/, (last) => last.toUpperCase()),
	path.replace(/[a-z](?=[a-z.]*$)/, percent),
	path.replace(/\/(?=[^/]+$)/, "//"),
	path.replace(/\/(?=[^/]+$)/, "%2F"),
	`/${path}`,
	`${path}//`,
	`${path}%00`,
	`${path}%20`,
	`${path};x=1`,
	`${path}/%2e`,
];
const ODD = [
	"/api/drivers/PENDING",
	"/api/drivers/%61ll",
	"/api/drivers/%41LL",
	"/api/drivers/All",
	"/api/drivers/pending/",
	"/api/receipts/%2e%2e",
	"/api/receipts/..%2fdrivers",
	"/api/receipts/%E0%A4%A",
	"/api/receipts/%ff",
	"/api/receipts/%00",
	"/api/uber-fees/a%2Fb",
	"/api/drivers/x%2Fapprove",
	"/api/drivers/%/approve",
	"/api/fund-requests/a;b",
	"/api/fund-requests/:id",
	"/api/drivers/:id/toggle",
	"/API/mileage",
	"/Api/Auth/User",
	"/Mileage",
	"/mileage/",
	"//mileage",
	"/%6dileage",
	"/mileage%2F",
	"/mileage?index",
	"/?index",
	"/api?_data=routes%2F_index",
	"/api/mileage?_data=routes%2Fapi.mileage",
	"/api/mileage.data",
	"/__manifest?p=/mileage",
	"/%",
	"/%E0%A4%A",
	"/api/%",
];

let asked = 0;
afterAll(() => console.log(`Odd paths: ${asked} requests, no server error`));

async function faultsOf(path: string, methods = METHODS): Promise<string[]> {
	const faults: string[] = [];
	for (const [who, client] of people)
		for (const method of methods) {
			asked += 1;
			const answer = await client.request(path, {
				method,
				mayFail: true,
				...(method === "POST" || method === "PUT"
					? { headers: { "Content-Type": "application/json" }, body: "{}" }
					: {}),
			});
			const type = answer.headers.get("Content-Type") ?? "";
			const what = `${who}: ${method} ${path}: ${answer.status}`;
			if (answer.status >= 500 || answer.text.includes("Unexpected Server Error"))
				faults.push(what);
			if (answer.status >= 400 && method !== "HEAD") {
				const isCall = /^\/api([/?]|$)/.test(path);
				if (isCall && !type.startsWith("application/json")) faults.push(`${what} as ${type}`);
				if (!isCall && !type.startsWith("text/html")) faults.push(`${what} as ${type}`);
			}
		}
	return faults;
}

async function snapshot() {
	const tables = [
		"users",
		"mileage_logs",
		"fund_requests",
		"uber_fees",
		"receipts",
		"audit_events",
	];
	return Promise.all(tables.map((table) => fleet.sql(`select * from ${table} order by 1`)));
}

describe("a path that resembles a route", () => {
	it.each(ODD)("never causes a server error: %s", async (path) => {
		const before = await snapshot();
		expect(await faultsOf(path)).toEqual([]);
		expect(await snapshot()).toEqual(before);
	});

	it("is never a server error, however any of our routes is spelled", async () => {
		const before = await snapshot();
		const paths = new Set(
			[...literal, ...filled].flatMap(spellings).filter((path) => path.startsWith("/")),
		);
		for (const path of [...literal, ...filled]) paths.delete(path);
		const pages = /^\/api\/(login|logout|callback)/i;
		for (const path of oneIn(5, [...paths]))
			if (!pages.test(decodeURIComponent(path).replace(/\/+/g, "/")))
				expect(await faultsOf(path, ["GET", "POST", "DELETE"])).toEqual([]);
		expect(await snapshot()).toEqual(before);
	});

	it("is answered with our own 404", async () => {
		const ada = await fleet.as("ada");
		for (const [method, path] of [
			["DELETE", "/api/drivers/PENDING"],
			["DELETE", "/api/drivers/%61ll"],
			["GET", "/api/receipts/%2e%2e"],
			["PUT", "/api/drivers/x%2Fy/approve"],
			["GET", "/api/nowhere?_data=root"],
		] as const) {
			const answer = await ada.request(path, { method });
			expect([answer.status, JSON.parse(answer.text).message], path).toEqual([
				404,
				expect.any(String),
			]);
		}
		expect((await ada.get("/API/mileage")).text).toContain("404 Page Not Found");
		expect((await ada.get("/Drivers")).text).toContain("404 Page Not Found");
		const moved = await ada.get("/drivers/?x=1");
		expect([moved.status, moved.headers.get("Location")]).toEqual([308, "/drivers?x=1"]);
	});
});
