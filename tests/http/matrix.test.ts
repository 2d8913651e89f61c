/**
 * The whole permission matrix: every route, principal and method.
 *
 * The expectations come from docs/product.md and docs/security.md, not from
 * app/routing/permissions.ts, which they check. A route without a row fails the test, and so does a
 * row without a route.
 */
import { afterAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../app/routing/routes.ts";
import { report as reportFindings } from "../../lab/torture/plan.ts";
import { mustBeZero } from "../../lab/torture/table.ts";
import { idOf } from "../support/cast.ts";
import { oneIn } from "../support/extent.ts";
import {
	bodyOf,
	cellsOf,
	changes,
	faultsOf,
	fleet,
	newPerson,
	send,
	snapshotTables,
	target,
	urlOf,
} from "../support/matrix-visits.ts";
import { LINES, METHODS, NAMES, PATHS, PRINCIPALS } from "../support/permission-matrix.ts";

let cells = 0;
let mismatches = 0;
afterAll(() => {
	const lines = new Set(LINES.map(({ path }) => path));
	const without = ROUTES.filter(({ path }) => !lines.has(path)).length;
	reportFindings("forgery", [
		mustBeZero("cells of the permission matrix", cells, "answered otherwise", mismatches),
		mustBeZero("routes", ROUTES.length, "without a row in it", without),
	]);
});

async function report(found: string[], what: string, faults: readonly string[]): Promise<void> {
	cells += 1;
	if (faults.length === 0) return;
	mismatches += 1;
	found.push(`${what} ${faults.join("; ")}`);
}

it("has a line for every route, and a route for every line", () => {
	const written = [...new Set(LINES.map(({ path }) => path))].filter((path) => !path.endsWith("*"));
	expect(written.sort()).toEqual(ROUTES.map(({ path }) => path).sort());
});

describe("what is refused or only read", () => {
	it.each(NAMES)("%s", async (name) => {
		const found: string[] = [];
		const { client, own, email } = await newPerson(name);
		const before = await snapshotTables();
		for (const cell of cellsOf(name).filter((each) => !changes(each))) {
			const { line, method } = cell;
			const answer = await send(
				client,
				line.kind,
				method,
				urlOf(line.path),
				bodyOf(line.path, email),
			);
			await report(
				found,
				`${method} ${line.path}`,
				faultsOf(line, cell.cell, method, name, answer, own),
			);
		}
		for (const path of PATHS) {
			const lines = LINES.filter((line) => line.path === path);
			const answered = lines.flatMap(({ method }) =>
				method === "GET" ? ["GET", "HEAD"] : [method],
			);
			// Who asks doesn't matter to these.
			const others = METHODS.filter((each) => !answered.includes(each));
			for (const method of oneIn(4, others, NAMES.indexOf(name) + PATHS.indexOf(path))) {
				const answer = await send(
					client,
					lines[0]?.kind ?? "page",
					method,
					urlOf(path),
					bodyOf(path, email),
				);
				const faults = faultsOf(undefined, "405", method, name, answer, own);
				const allow = (answer.headers.get("Allow") ?? "").split(", ");
				if (allow.sort().join() !== [...answered].sort().join())
					faults.push(`allows ${allow.join()}`);
				await report(found, `${method} ${path}`, faults);
			}
		}
		expect(found).toEqual([]);
		expect(await snapshotTables()).toEqual(before);
	});
});

describe("what is allowed and changes something", () => {
	it.each(NAMES)("%s", async (name) => {
		const found: string[] = [];
		for (const cell of cellsOf(name).filter(changes)) {
			const { line, method } = cell;
			const { client, own, email } = await newPerson(name);
			const id =
				line.path.includes(":id") ||
				[
					"/fund-requests",
					"/mileage-reports",
					"/payouts",
					"/api/payouts",
					"/api/settlements",
				].includes(line.path)
					? await target(line.path)
					: "";
			const answer = await send(
				client,
				line.kind,
				method,
				urlOf(line.path, id),
				bodyOf(line.path, email, id),
			);
			const faults = faultsOf(line, cell.cell, method, name, answer, own);
			if (answer.status === 303 && /^[a-z]+:|^\/\//.test(answer.headers.get("Location") ?? "//"))
				faults.push("redirects elsewhere");
			await report(found, `${method} ${line.path}`, faults);
		}
		expect(found).toEqual([]);
	});
});

describe("the framework's own endpoints", () => {
	const endpoints = [
		"/?_data=",
		"/?_data",
		"/?_data=routes%2F_index",
		"/?index&_data=routes%2F_index",
		"/drivers?_data=routes%2F_admin.drivers",
		"/drivers?_data=routes%2Fdrivers",
		"/mileage?x=1&_data=routes%2F_driver.mileage",
		"/profile?_data=routes%2Fprofile",
		"/api/drivers?_data=routes%2Fapi.drivers",
		"/_root.data",
		"/drivers.data",
		"/drivers.data?_routes=routes%2F_admin.drivers",
		"/mileage.data",
		"/x.data",
		"/api/drivers.data",
		"/__manifest",
		"/__manifest?p=/drivers&version=1",
	];
	it.each(NAMES)("are closed to %s", async (name) => {
		const found: string[] = [];
		const { client, own } = await newPerson(name);
		for (const endpoint of endpoints)
			for (const method of ["GET", "POST", "PUT"]) {
				const answer = await send(
					client,
					"page",
					method,
					endpoint,
					method === "GET" ? {} : { intent: "approve", id: idOf("nora") },
				);
				await report(
					found,
					`${method} ${endpoint}`,
					faultsOf(undefined, "404", method, name, answer, own),
				);
			}
		expect(found).toEqual([]);
	});
});

describe("an alternative spelling of a path", () => {
	// The framework decodes paths and ignores their case. The route table does neither, so none of
	// these is a route.
	const paths = [
		"/MILEAGE",
		"/%6dileage",
		"/Drivers",
		"/%64rivers",
		"/mileage/.",
		"//drivers",
		"/drivers//",
		"/API/logout",
		"/api/%6cogout",
		"/api/Login",
		"/api/%64rivers",
	];
	it.each(NAMES)("isn't found by %s", async (name) => {
		const found: string[] = [];
		const { client, own, email } = await newPerson(name);
		const { column } = PRINCIPALS[name];
		for (const path of paths) {
			// URL normalization comes first: '/mileage/.' is '/mileage/', which redirects to '/mileage'.
			if (path === "/mileage/.") continue;
			const line = LINES.find(
				(each) =>
					each.path === (path.startsWith("/api/") ? "/api/*" : "*") && each.method === "GET",
			);
			const cell = line?.cells[column] ?? "?";
			for (const method of ["GET", "POST"]) {
				const answer = await send(
					client,
					line?.kind ?? "page",
					method,
					path,
					method === "POST" ? { email, intent: "x" } : {},
				);
				await report(found, `${method} ${path}`, faultsOf(line, cell, method, name, answer, own));
			}
		}
		if (name !== "visitor" && name !== "deactivated") {
			// If one of them had reached its route, the session would have ended or changed hands.
			const status = (
				await client.get("/api/logout", { headers: { "Sec-Fetch-Site": "cross-site" } })
			).status;
			expect(status).toBe(200);
			const [session] = await fleet.sql<{ ended_at: number | null }>(
				"select ended_at from sessions s join users u on u.id = s.user_id where u.email = ? order by s.created_at desc",
				email,
			);
			expect(session).toEqual({ ended_at: null });
		}
		expect(found).toEqual([]);
	});

	it("redirects to the page when it only adds a trailing slash", async () => {
		for (const path of ["/mileage/", "/drivers/?x=1"]) {
			const { status, headers } = await fleet.client().get(path);
			expect([status, headers.get("Location")]).toEqual([308, path.replace(/\/(\?|$)/, "$1")]);
		}
	});
});

describe("a forged, ended or expired session", () => {
	const garbled = async () => {
		const real = async (change: string) => {
			const { client, email } = await newPerson("administrator");
			await fleet.sql(
				`update sessions set ${change} where user_id = (select id from users where email = ?)`,
				email,
			);
			return client.cookies.get("sid") ?? "";
		};
		const live = (await newPerson("administrator")).client.cookies.get("sid") ?? "";
		return {
			garbage: "x",
			empty: "",
			"an unknown token": `${"A".repeat(43)}.a`,
			"a percent sign": "%E0%A4%A",
			"a live token, shortened": `${live.slice(1)}`,
			"a live token, lengthened": `A${live}`,
			"a live token without its hint": live.slice(0, 43),
			SQL: "' or 1=1 --",
			"the hash instead of the token": `${"a".repeat(64)}.a`,
			idle: await real("expires_at = 1"),
			"at its absolute end": await real("ends_at = 1"),
			"signed out": await real("ended_at = 1, ended_reason = 'signed-out'"),
			rotated: await real("ended_at = 1, ended_reason = 'rotated'"),
			"ended by an administrator": await real("ended_at = 1, ended_reason = 'ended-by-admin'"),
		};
	};

	it("counts as a visitor", async () => {
		const found: string[] = [];
		const lines = LINES.filter(({ method, path }) => method === "GET" && path !== "/api/logout");
		for (const [at, [what, value]] of Object.entries(await garbled()).entries())
			for (const line of oneIn(3, lines, at)) {
				const client = fleet.client();
				if (value !== "") client.cookies.set("sid", value);
				const answer = await client.get(urlOf(line.path), { mayFail: true });
				const faults =
					line.path === "/api/login"
						? []
						: faultsOf(line, line.cells.V, "GET", "visitor", answer, []);
				await report(found, `${what}: GET ${line.path}`, faults);
			}
		expect(found).toEqual([]);
	});

	it("doesn't affect a live one when both are sent under different names", async () => {
		const { client } = await newPerson("driver");
		client.cookies.set("__Host-sid", `${"A".repeat(43)}.a`);
		client.cookies.set("toast", "%E0%A4%A");
		expect((await client.get("/")).text).toContain("Driver Dashboard");
	});

	it("doesn't open another portal through a false hint", async () => {
		for (const name of NAMES.filter((each) => each !== "visitor")) {
			const { client } = await newPerson(name);
			const { cookies } = client;
			const before = await client.get("/");
			cookies.set(
				"sid",
				(cookies.get("sid") ?? "").replace(/\.(.)$/, (_, hint: string) =>
					hint === "a" ? ".d" : ".a",
				),
			);
			const after = await client.get("/");
			expect([after.status, after.text], name).toEqual([before.status, before.text]);
		}
	});
});
