/**
 * What is checked before any page: the landing screen, the gates and the refusals (docs/product.md
 * §2, 'People, sign-in and gates').
 */
import { describe, expect, it } from "vitest";
import { CAST, type CastName, idOf } from "../support/cast.ts";
import { textOf } from "../support/drivers.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();

describe("a visitor", () => {
	it("gets the landing screen at /", async () => {
		const { status, text } = await fleet.client().get("/");
		expect(status).toBe(200);
		expect(text).toContain("Secure access for drivers and fleet administrators");
		expect(text).toContain('href="/api/login"');
	});

	it("is told on a protected page that they are signed out, and is sent to sign-in", async () => {
		const { status, text } = await fleet.client().get("/mileage?x=1");
		expect(status).toBe(401);
		expect(text).toContain("Unauthorized");
		expect(text).toContain("You are logged out. Logging in again...");
		expect(text).toContain('data-go="/api/login?returnTo=%2Fmileage%3Fx%3D1" data-go-after="500"');
		expect(text).toMatch(
			/<noscript><meta http-equiv="refresh" content="1; url=\/api\/login\?returnTo=/i,
		);
	});

	it("keeps the form they posted without a session", async () => {
		const { status, text } = await fleet.client().post("/mileage", {
			startOdometer: "45,000",
			endOdometer: "45,100",
			notes: 'Say "hi" & <go>',
		});
		expect(status).toBe(401);
		expect(text).toContain("You are logged out.");
		expect(text).not.toContain("Logging in again");
		expect(text).toContain("Sign in, then send again");
		expect(text).not.toContain('http-equiv="refresh"');
		expect(text).toMatch(/name="startOdometer" value="45,000"/);
		expect(text).toContain("Say &quot;hi&quot; &amp; &lt;go&gt;");
		expect(text).not.toContain("data-go=");
	});

	it.each<[path: string, form: Record<string, string>]>([
		["/fund-requests?status=pending", { intent: "process", id: "x", status: "approved" }],
		["/fund-requests", { intent: "process", id: "x", status: "rejected", reason: "Duplicate" }],
		["/fund-requests", { intent: "process", id: "x", status: "approved", approvedAmount: "45.50" }],
		["/settings/tokens", { intent: "create", name: "", scope: "read", days: "90" }],
		["/payouts", { gather: "requests", ids: "x y" }],
		["/account", { intent: "sign-out-everywhere" }],
		["/mileage", { startOdometer: "", endOdometer: " ", notes: "" }],
		["/mileage", { date: "2026-10-05", startOdometer: "45000", endOdometer: "", notes: "" }],
		["/uber-fees", { intent: "add", driverId: "", category: "", amount: "", date: "2026-10-05" }],
	])("moves on from a form of %s into which nothing was typed", async (path, form) => {
		const { status, text } = await fleet.client().post(path, form);
		expect(status).toBe(401);
		expect(text).toContain("You are logged out. Logging in again...");
		const address = `/api/login?returnTo=${encodeURIComponent(path)}`;
		expect(text).toContain(`data-go="${address}" data-go-after="500"`);
		expect(text.toLowerCase()).toContain(
			`http-equiv="refresh" content="1; url=${address}`.toLowerCase(),
		);
		expect(text).not.toContain("then send again");
	});

	it("keeps the form they posted after their account was deactivated, and says whom to ask", async () => {
		const client = await fleet.as("omar");
		await fleet.sql("update users set is_active = 0 where id = ?", idOf("omar"));
		const { status, text } = await client.post("/mileage", { notes: "Typed before" });
		await fleet.sql("update users set is_active = 1 where id = ?", idOf("omar"));
		expect(status).toBe(401);
		expect(textOf(text)).toContain(
			"Once your administrator has reactivated your account, sign in using a new tab, then come back to this page and send it.",
		);
		expect(text).not.toContain("You were signed out");
		expect(text).not.toContain("Logging in again");
		expect(text).toMatch(/name="notes" value="Typed before"/);
	});

	it("shows the choices of a form posted without a session by their names", async () => {
		const { text } = await fleet.client().post("/requests", { type: "gas", amount: "45" });
		expect(text).toMatch(/<option value="gas" selected="">Gas\/Fuel<\/option>/);
		const forged = await fleet.client().post("/requests", { type: "constructor", amount: "45" });
		expect(forged.text).toMatch(/name="type" value="constructor"/);
	});

	it("gets 404 for an unknown path", async () => {
		const { status, text } = await fleet.client().get("/no-such-page");
		expect(status).toBe(404);
		expect(text).toContain("404 Page Not Found");
	});

	it("returns to the requested page after signing in", async () => {
		const client = fleet.client();
		const answer = await client.post("/api/login", {
			email: CAST.dana.email,
			returnTo: "/mileage?x=1",
		});
		expect(answer.headers.get("Location")).toBe("/mileage?x=1");
		const evil = await fleet
			.client()
			.post("/api/login", { email: CAST.dana.email, returnTo: "//evil.example/" });
		expect(evil.headers.get("Location")).toBe("/");
	});
});

describe("the local sign-in", () => {
	it("is a page for somebody who is signed in too, unless they are on their way elsewhere", async () => {
		const client = fleet.client();
		await client.signIn(CAST.dana.email);
		const answer = await client.get("/api/login");
		expect([answer.status, answer.text.includes('name="email"')]).toEqual([200, true]);
		const onItsWay = await client.get("/api/login?returnTo=%2Fmileage");
		expect([onItsWay.status, onItsWay.headers.get("Location")]).toEqual([302, "/mileage"]);
	});

	it("leaves the sessions that scripts have begun before", async () => {
		const clients = Array.from({ length: 12 }, () => fleet.client());
		for (const client of clients) await client.signIn(CAST.omar.email);
		const answers = await Promise.all(clients.map((client) => client.get("/api/auth/user")));
		expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
	});
});

describe("a driver without access", () => {
	const gates: [CastName, string][] = [
		["nina", "Complete Your Profile"],
		["nora", "Application Under Review"],
		["rex", "Application Not Approved"],
	];
	it.each(gates)("%s meets the gate on every path, with 200", async (name, title) => {
		const client = await fleet.as(name);
		for (const path of ["/", "/mileage", "/drivers", "/no-such-page"]) {
			const { status, text } = await client.get(path);
			expect(status).toBe(200);
			expect(text).toContain(`>${title}</h1>`);
			expect(text).not.toContain("Driver Portal");
		}
		expect((await client.post("/mileage", {})).status).toBe(403);
		expect((await client.get("/api/mileage")).status).toBe(403);
		expect((await client.get("/api/nowhere")).status).toBe(403);
	});

	it("completes the profile and is then under review", async () => {
		const client = await fleet.client().signIn("new.person@milepost.test");
		const empty = await client.post("/profile", { firstName: " ", lastName: "Person" });
		expect(empty.status).toBe(400);
		expect(empty.text).toContain("First name is required");
		expect(empty.text).toMatch(
			/name="lastName"[^>]*value="Person"|value="Person"[^>]*name="lastName"/,
		);
		const page = await client.postAndFollow("/profile", { firstName: "New", lastName: "Person" });
		expect(page.text).toContain("Your profile has been completed successfully!");
		expect(page.text).toContain("Application Under Review");
		expect(page.text).toContain("new.person@milepost.test");
		const [event] = await fleet.sql<{ after: string }>(
			"select after from audit_events where action = 'profile.complete'",
		);
		expect(JSON.parse(event?.after ?? "null")).toEqual({ firstName: "New", lastName: "Person" });
	});
});

describe("a name typed on a shared phone", () => {
	it.each<CastName>(["nina", "nora"])(
		"isn't given to whoever is signed in when %s's form is sent",
		async (name) => {
			const own = await (await fleet.as(name)).get("/");
			expect(own.text).toContain(`name="asUser" value="${idOf(name)}"`);
			const next = await fleet.client().signIn(`after.${name}@milepost.test`);
			const refused = await next.post("/profile", {
				asUser: idOf(name),
				firstName: "Typed",
				lastName: "Before",
			});
			expect(refused.status).toBe(409);
			expect(refused.text).toContain("This form was filled out under a different account");
			expect((await next.get("/")).text).toContain("Complete Your Profile");
		},
	);
});

describe("an account of an unknown role", () => {
	it("is signed in, has no page, and can sign out from its 404 screen", async () => {
		const client = await fleet.as("lena");
		await fleet.sql("update users set role = 'none' where id = ?", idOf("lena"));
		const self = await client.get("/api/auth/user");
		expect(self.status).toBe(200);
		expect(JSON.parse(self.text)).toMatchObject({ role: "none", id: idOf("lena") });
		for (const path of ["/", "/mileage", "/drivers", "/no-such-page"]) {
			const { status, text } = await client.get(path);
			expect(status, path).toBe(404);
			expect(text).toContain("404 Page Not Found");
			expect(text).toContain('action="/api/logout"');
			expect(text).toContain("Sign Out");
			// It would lead here again.
			expect(text).not.toContain("Go to home page");
		}
		expect((await client.get("/api/mileage")).status).toBe(404);
		expect((await client.post("/api/logout", {})).status).toBe(303);
		expect((await client.get("/api/auth/user")).status).toBe(401);
		await fleet.sql("update users set role = 'driver' where id = ?", idOf("lena"));
	});
});

describe("the portals", () => {
	it("show a driver the dashboard and no admin page", async () => {
		const client = await fleet.as("dana");
		const home = await client.get("/");
		expect(home.text).toContain("Driver Dashboard");
		expect(home.text).toContain("Driver Portal");
		expect(home.text).toContain("Dana Driver");
		const refused = await client.get("/drivers");
		expect(refused.status).toBe(403);
		expect(refused.text).toContain("Access Denied");
		expect(refused.text).toContain("Admin access required");
		// In their own portal: the header and the navigation around an empty page.
		expect(textOf(refused.text)).toContain("Driver Portal Dana Driver");
		for (const path of ["/", "/mileage", "/requests", "/history", "/earnings", "/help", "/account"])
			expect(refused.text).toContain(`href="${path}"`);
		expect(refused.text).toContain('action="/api/logout"');
		expect(/<main[^>]*>(.*?)<\/main>/s.exec(refused.text)?.[1]).toBe("");
		expect(refused.text).not.toContain("Driver Management");
	});

	it("show an administrator the overview and no driver page", async () => {
		const client = await fleet.as("ada");
		const home = await client.get("/");
		expect(home.text).toContain("Fleet Overview");
		expect(home.text).toContain("Admin Portal");
		expect((await client.get("/mileage")).status).toBe(404);
	});

	it("tell an administrator what is wrong with a name", async () => {
		const client = await fleet.as("ada");
		for (const [firstName, message] of [
			["", "First and last name are required."],
			["A".repeat(81), "First Name: Use 80 characters or fewer."],
		] as const) {
			const answer = await client.post("/profile", { firstName, lastName: "Admin" });
			expect(answer.status).toBe(400);
			expect(answer.text).toContain(message);
		}
	});

	it("cost one round trip, and a second one after a wrong hint", async () => {
		const client = await fleet.as("dana");
		expect((await client.get("/")).headers.get("Server-Timing")).toMatch(
			/d1;desc="1 trip, \d+ statements, \d+ rows"/,
		);
		client.cookies.set("sid", (client.cookies.get("sid") ?? "").replace(/\.d$/, ".a"));
		const { headers, text } = await client.get("/");
		expect(text).toContain("Driver Dashboard");
		expect(text).not.toContain("Total Drivers");
		expect(headers.get("Server-Timing")).toContain("2 trips");
	});
});

describe("signing out and deactivation", () => {
	it("signs out by POST, and the old cookie no longer works", async () => {
		const client = await fleet.as("omar");
		const sid = client.cookies.get("sid") ?? "";
		const answer = await client.post("/api/logout", {});
		expect(answer.status).toBe(303);
		expect(answer.headers.get("Location")).toBe("/");
		client.cookies.set("sid", sid);
		expect((await client.get("/mileage")).status).toBe(401);
	});

	it("refuses an inactive driver a session and says why", async () => {
		const client = fleet.client();
		const answer = await client.post("/api/login", { email: CAST.ivan.email });
		expect(answer.status).toBe(403);
		expect(answer.text).toContain(
			"Your account has been deactivated. Contact your fleet administrator.",
		);
		expect(client.cookies.has("sid")).toBe(false);
	});
});
