import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { faultsOf } from "../support/security-headers.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();

const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" };
const large = "x".repeat(65_537);

describe("every answer has the security headers, and no page has anything inline", () => {
	it("pages, gates and refusals", async () => {
		for (const name of ["dana", "ada", "nina", "nora", "rex"] as const) {
			const client = await fleet.as(name);
			for (const path of [
				"/",
				"/no-such-page",
				"/api/nowhere",
				"/profile",
				"/api/logout?x",
				"/api/callback?code=x&state=y",
			]) {
				const headers = { "Sec-Fetch-Site": "cross-site" };
				const answer = await client.get(path, { headers });
				expect(faultsOf(answer), `${name} ${path}`).toEqual([]);
				expect(answer.headers.get("Cache-Control"), `${name} ${path}`).toBe("private, no-store");
				expect(answer.headers.get("Vary"), `${name} ${path}`).toBe("Cookie, Sec-Fetch-Site");
			}
		}
		const driver = await fleet.as("dana");
		expect(faultsOf(await driver.get("/drivers"))).toEqual([]);
		const visitor = fleet.client();
		for (const path of [
			"/",
			"/mileage",
			"/drivers?x=<script>",
			"/api/login",
			"/api/auth/user",
			"/api/callback",
			"/%00",
			"/%E0%A4%A",
			"/a'\"><b>",
		])
			expect(faultsOf(await visitor.get(path)), path).toEqual([]);
	});

	it.each([
		[
			303,
			"a redirect",
			() => fleet.client().post("/api/login", { email: "headers@milepost.test" }),
		],
		[308, "a moved URL", () => fleet.client().get("/mileage/")],
		[400, "an invalid form", () => fleet.client().post("/api/login", { email: "x" })],
		[
			400,
			"too many fields",
			() =>
				fleet
					.client()
					.request("/mileage", { method: "POST", headers: urlencoded, body: "a=1&".repeat(60) }),
		],
		[
			401,
			"a post without a session",
			() => fleet.client().post("/mileage", { notes: '"><script>alert(1)</script>' }),
		],
		[401, "a call without a session", () => fleet.client().call("GET", "/api/drivers")],
		[
			403,
			"a forged post",
			() => fleet.client().post("/mileage", {}, { headers: { "Sec-Fetch-Site": "cross-site" } }),
		],
		[
			403,
			"a forged call",
			() =>
				fleet
					.client()
					.call(
						"POST",
						"/api/mileage",
						{},
						{ headers: { Origin: "null", "Sec-Fetch-Site": "none" } },
					),
		],
		[404, "a framework's endpoint", () => fleet.client().get("/?_data=root")],
		[404, "an unknown asset", () => fleet.client().get("/assets/nothing-12345678.js")],
		[404, "an unknown call", async () => (await fleet.as("dana")).get("/api/nowhere")],
		[405, "an unsupported method", () => fleet.client().request("/mileage", { method: "DELETE" })],
		[405, "a call's method", () => fleet.client().request("/api/auth/user", { method: "PATCH" })],
		[
			401,
			"a large form without a session",
			() => fleet.client().post("/mileage", { notes: large }),
		],
		[413, "a large form", async () => (await fleet.as("dana")).post("/mileage", { notes: large })],
		[413, "a large call", () => fleet.client().call("POST", "/api/mileage", { notes: large })],
		[
			415,
			"a form as text",
			() =>
				fleet.client().request("/mileage", {
					method: "POST",
					headers: { "Content-Type": "text/plain" },
					body: "a=1",
				}),
		],
		[415, "a call as a form", () => fleet.client().post("/api/mileage", { date: "2026-11-21" })],
	] as const)("%i, %s", async (status, _what, ask) => {
		const answer = await ask();
		expect(answer.status).toBe(status);
		expect(faultsOf(answer)).toEqual([]);
		expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
		if (answer.headers.get("Content-Type")?.startsWith("application/json"))
			expect(JSON.parse(answer.text)).toHaveProperty("message");
		else expect(answer.text).not.toContain("<script>alert");
	});

	it("static files, which are served without the Worker", async () => {
		const files = readdirSync("build/local/client/assets").map((name) => `/assets/${name}`);
		expect(files.length).toBeGreaterThan(3);
		for (const path of [...files, "/icon.svg", "/favicon.ico", "/robots.txt"]) {
			const answer = await fleet.client().get(path);
			expect(answer.status, path).toBe(200);
			expect(faultsOf(answer), path).toEqual([]);
			if (path.startsWith("/assets/"))
				expect(answer.headers.get("Cache-Control"), path).toBe(
					"public, max-age=31536000, immutable",
				);
		}
	});

	it("a post's URL redirects nowhere else", async () => {
		for (const returnTo of [
			"//evil.example",
			"https://evil.example",
			"/\\evil.example",
			"/api/logout",
			"javascript:alert(1)",
		]) {
			const answer = await fleet
				.client()
				.post("/api/login", { email: "headers@milepost.test", returnTo });
			expect(answer.headers.get("Location"), returnTo).toBe("/");
		}
	});
});
