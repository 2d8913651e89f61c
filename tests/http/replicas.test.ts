/**
 * Drivers' pages read from replicas of the database (decision 0058): who reads from them, for how
 * long, and that drivers always see their own changes. `npm run torture -- replicas` runs the
 * long form.
 */
import { describe, expect, it } from "vitest";
import { report, SEED, some } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import type { CastName } from "../support/cast.ts";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { Regions } from "../support/regions.ts";
import { playSequences } from "../support/replica-sequences.ts";
import { type Client, openFleet } from "../support/worker.ts";

const SEQUENCES = Number(process.env.REPLICA_SEQUENCES ?? some(120));
const SECOND = 1000;
/** How long a deactivated driver may still read. */
const MAX_STALE_READS_MS = 30 * SECOND;

// Sydney's replica lags so far behind that any read without a bookmark returns old data.
const regions = new Regions("New York", {
	London: 400,
	Mumbai: 4 * SECOND,
	Sydney: 600 * SECOND,
});
const fleet = await openFleet({ vars: { READ_REPLICAS: "on" }, regions });
/** With workerd's own D1 binding. */
const local = await openFleet({ vars: { READ_REPLICAS: "on" } });
const DRIVER_PAGES = ["/", "/mileage", "/requests", "/history", "/earnings", "/help", "/account"];

/** The regions that answered, one per round trip. */
async function placesOf(ask: () => Promise<unknown>): Promise<string[]> {
	regions.takeTrips();
	await ask();
	return regions.takeTrips().map(({ isReplica }) => (isReplica ? "replica" : "primary"));
}

/** A driver in Sydney whose session the primary has just verified. */
async function withReplica(name: CastName): Promise<Client> {
	regions.region = "Sydney";
	const client = await fleet.as(name);
	await client.get("/mileage");
	return client;
}

const toggle = async (name: CastName) => {
	const ada = await fleet.as("ada");
	expect((await ada.call("PUT", `/api/drivers/${idOf(name)}/toggle`)).status).toBe(200);
};

describe("a request answered by a replica", () => {
	it("is any page of a driver whom the primary has verified, in one round trip", async () => {
		regions.region = "Sydney";
		const dana = await fleet.as("dana");
		expect(await placesOf(() => dana.get("/mileage"))).toEqual(["primary"]);
		for (const path of DRIVER_PAGES)
			expect([path, await placesOf(() => dana.get(path))]).toEqual([path, ["replica"]]);
		const answer = await dana.get("/history");
		expect(answer.headers.get("Server-Timing")).toMatch(/^d1;desc="1 trip, .*, replica"/);
	});

	it("is never an API call, a download or a change", async () => {
		const dana = await withReplica("dana");
		for (const path of [
			"/api/mileage",
			"/api/auth/user",
			"/history/export.csv",
			`/history/tax-year?year=${daysAgo(0).slice(0, 4)}&format=pdf`,
		])
			expect([path, new Set(await placesOf(() => dana.get(path)))]).toEqual([
				path,
				new Set(["primary"]),
			]);
		const places = await placesOf(() => dana.post("/mileage", { startOdometer: "one" }));
		expect(new Set(places)).toEqual(new Set(["primary"]));
	});

	it("is never an administrator's page", async () => {
		regions.region = "Sydney";
		const ada = await fleet.as("ada");
		for (const path of ["/", "/drivers", "/fund-requests", "/mileage-reports", "/account", "/"])
			expect([path, await placesOf(() => ada.get(path))]).toEqual([path, ["primary"]]);
		expect([...ada.cookies.keys()]).toEqual(["sid"]);
	});

	it("is never a page of an unapproved person, and an approval counts at once", async () => {
		regions.region = "Sydney";
		const nora = await fleet.as("nora");
		for (let visit = 0; visit < 2; visit++)
			expect(await placesOf(() => nora.get("/"))).toEqual(["primary"]);
		const ada = await fleet.as("ada");
		await ada.call("PUT", `/api/drivers/${idOf("nora")}/approve`);
		expect((await nora.get("/")).text).toContain("Driver Dashboard");
	});

	it("is never a page right after a change, which a replica would have to catch up with", async () => {
		const dana = await withReplica("dana");
		const body = { type: "gas", amount: "8.25", description: "Wiper fluid" };
		await dana.call("POST", "/api/fund-requests", body);
		regions.pass(SECOND);
		expect(await placesOf(() => dana.get("/requests"))).toEqual(["primary"]);
		regions.pass(SECOND);
		expect(await placesOf(() => dana.get("/requests"))).toEqual(["replica"]);
	});

	it("is repeated on the primary when the replica fails", async () => {
		const dana = await withReplica("dana");
		regions.areReplicasDown = true;
		const answer = await dana.get("/history");
		regions.areReplicasDown = false;
		expect(answer.status).toBe(200);
		expect(answer.headers.get("Server-Timing")).not.toContain("replica");
	});
});

describe("a driver who is deactivated", () => {
	it("can read for less than 30 more seconds from a lagging replica", async () => {
		const omar = await withReplica("omar");
		await toggle("omar");
		regions.region = "Sydney";
		let last = 0;
		let places: string[] = [];
		for (let since = 0; since <= 2 * MAX_STALE_READS_MS; since += SECOND) {
			places = await placesOf(async () => {
				if ((await omar.get("/history")).status === 200) last = since;
			});
			regions.pass(SECOND);
		}
		console.log(`a deactivated driver read for ${last / SECOND} s`);
		expect(places).toEqual(["primary"]);
		expect(last).toBeGreaterThan(0);
		expect(last).toBeLessThanOrEqual(MAX_STALE_READS_MS);
		await toggle("omar");
	});

	it("is refused by the primary once the replica has caught up", async () => {
		const omar = await withReplica("omar");
		await toggle("omar");
		regions.region = "London";
		regions.pass(SECOND);
		let status = 0;
		const places = await placesOf(async () => {
			status = (await omar.get("/history")).status;
		});
		expect([status, places]).toEqual([401, ["replica", "primary"]]);
		await toggle("omar");
	});

	it("can't change or download anything, and then can't read either", async () => {
		for (const ask of [
			(client: Client) => client.get("/history/export.csv"),
			(client: Client) => client.post("/mileage", { startOdometer: "1", endOdometer: "2" }),
			(client: Client) => client.call("GET", "/api/mileage"),
		]) {
			const lena = await withReplica("lena");
			await toggle("lena");
			regions.region = "Sydney";
			expect((await lena.get("/history")).status).toBe(200);
			expect((await ask(lena)).status).toBe(401);
			expect([...lena.cookies.keys()]).toEqual(["sid"]);
			expect((await lena.get("/history")).status).toBe(401);
			await toggle("lena");
		}
	});
});

describe("the cookie that allows a replica", () => {
	const altered = (value: string) => value.replace(/^./, (first) => (first === "A" ? "B" : "A"));

	it("lasts 25 seconds, which leaves five for clock differences", async () => {
		for (const [after, places] of [
			[22 * SECOND, ["replica"]],
			[25 * SECOND, ["primary"]],
			[-3 * SECOND, ["replica"]],
			[-10 * SECOND, ["primary"]],
		] as const) {
			const dana = await withReplica("dana");
			regions.pass(after);
			expect([after, await placesOf(() => dana.get("/help"))]).toEqual([after, places]);
			regions.pass(60 * SECOND);
		}
	});

	it.each<[string, (genuine: string) => string]>([
		["altered", altered],
		["with another signature", (genuine) => genuine.replace(/\.(.)/, "%2E$1A")],
		["without one", (genuine) => genuine.replace(/\..*/, "")],
		["a bookmark alone", () => "00000001-00000000-00004e2a"],
		["empty", () => '""'],
		["not even text", () => "%"],
	])("counts for nothing when it is %s", async (_, forge) => {
		for (const name of ["seen", "written"]) {
			const dana = await withReplica("dana");
			const genuine = dana.cookies.get("seen") ?? "";
			dana.cookies.set(name, forge(genuine));
			expect(await placesOf(() => dana.get("/help"))).toEqual(["primary"]);
		}
	});

	it("is worthless for another person, or in the person's next session", async () => {
		const dana = await withReplica("dana");
		const seen = dana.cookies.get("seen") ?? "";
		for (const name of ["omar", "dana"] as const) {
			const other = await fleet.as(name);
			other.cookies.set("seen", seen);
			expect(await placesOf(() => other.get("/help"))).toEqual(["primary"]);
		}
	});

	it("is cleared by signing out", async () => {
		const dana = await withReplica("dana");
		await dana.call("POST", "/api/mileage", {
			date: daysAgo(1),
			startOdometer: 1,
			endOdometer: 2,
		});
		expect([...dana.cookies.keys()].sort()).toEqual(["seen", "sid", "written"]);
		const answer = await dana.post("/api/logout", {});
		expect([...dana.cookies.keys()]).toEqual([]);
		expect(answer.headers.getSetCookie().join()).not.toMatch(/(seen|written)=[^;]/);
	});

	it("isn't overwritten by a page that was loading during a change", async () => {
		const dana = await withReplica("dana");
		const before = dana.cookies.get("seen") ?? "";
		const body = { type: "gas", amount: "9.75", description: "Coolant at the depot" };
		expect((await dana.call("POST", "/api/fund-requests", body)).status).toBe(201);
		dana.cookies.set("seen", before);
		regions.pass(3 * SECOND);
		regions.takeTrips();
		expect((await dana.get("/requests")).text).toContain("Coolant at the depot");
		expect(regions.takeTrips().map(({ isReplica }) => isReplica)).toEqual([true]);
	});
});

describe("D1 itself", () => {
	it("accepts its own bookmarks", async () => {
		const dana = await local.as("dana");
		const pages = [await dana.get("/mileage"), await dana.get("/mileage")];
		expect(pages.map(({ headers }) => /replica/.test(headers.get("Server-Timing") ?? ""))).toEqual([
			false,
			true,
		]);
	});
});

describe("a driver's own changes", () => {
	it(
		`are on every later page, in ${SEQUENCES} sequences`,
		async () => {
			const played = await playSequences(fleet, regions, SEQUENCES, SEED);
			console.log(`${SEQUENCES} sequences: ${played.near} of ${played.pages} pages from a replica`);
			report("replicas", [
				mustBeZero(
					"sequences around the world",
					SEQUENCES,
					"own changes missed",
					played.missed.length,
				),
			]);
			expect(played.missed).toEqual([]);
			expect(played.near).toBeGreaterThan(played.pages / 3);
		},
		120_000 + SEQUENCES * 1000,
	);

	it("would be missing without bookmarks, which this test would notice", async () => {
		regions.ignoresBookmarks = true;
		const played = await playSequences(fleet, regions, 12, 11);
		regions.ignoresBookmarks = false;
		expect(played.missed.length).toBeGreaterThan(0);
	});
});
