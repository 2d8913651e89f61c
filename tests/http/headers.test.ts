/**
 * What every answer carries, what no page holds, and what the door and a broken database make of a
 * request (docs/security.md, 'Request bodies' and 'Headers'; docs/product.md, 'The JSON API').
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

/** From docs/security.md, not from the code. */
const HEADERS: Readonly<Record<string, string>> = {
	"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "strict-origin-when-cross-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"X-Frame-Options": "DENY",
	"Content-Security-Policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

let seen = 0;
afterAll(() => console.log(`Headers: ${seen} answers looked at`));

function faultsOf(answer: Answer): string[] {
	seen += 1;
	const policy = answer.headers.get("Content-Security-Policy") ?? "";
	// The document's own styles are all that its policy allows beside the others'.
	const isDocument = answer.styles !== "";
	const others = policy
		.replace(` 'sha256-${sha256(answer.styles)}'`, "")
		.replace(isDocument ? "; report-uri /api/csp-reports; report-to csp" : "", "");
	const faults = Object.entries(HEADERS)
		.filter(([name, value]) =>
			name === "Content-Security-Policy" ? others !== value : answer.headers.get(name) !== value,
		)
		.map(([name]) => `${name}: ${answer.headers.get(name)}`);
	const endpoints = answer.headers.get("Reporting-Endpoints");
	if (endpoints !== (isDocument ? 'csp="/api/csp-reports"' : null))
		faults.push(`Reporting-Endpoints: ${endpoints}`);
	if (!answer.headers.get("Permissions-Policy")?.includes("geolocation=()"))
		faults.push("no Permissions-Policy");
	for (const name of [
		"X-Powered-By",
		"Server",
		"X-Remix-Catch",
		"X-Remix-Response",
		"X-Remix-Error",
	])
		if (answer.headers.has(name)) faults.push(`tells ${name}`);
	if (answer.headers.get("Content-Type")?.startsWith("text/html"))
		faults.push(...inlineIn(answer.text));
	return faults;
}

/** Script, styles that are not the document's own, and handlers that stand in the page itself. */
function inlineIn(html: string): string[] {
	const faults: string[] = [];
	for (const [whole, attributes = "", content = ""] of html.matchAll(
		/<script\b([^>]*)>([\s\S]*?)<\/script>/gi,
	))
		if (!/\bsrc="\/assets\//.test(attributes) || content.trim() !== "")
			faults.push(whole.slice(0, 80));
	if (/<style\b/i.test(html)) faults.push("<style>");
	for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) {
		const bare = tag.replace(/"[^"]*"|'[^']*'/g, '""');
		if (/\sstyle=/i.test(bare) || /\son[a-z]+=/i.test(bare)) faults.push(tag.slice(0, 80));
		if (/(href|src|action)="\s*(javascript|data|vbscript):/i.test(tag))
			faults.push(tag.slice(0, 80));
	}
	if (/__remixContext|__remixManifest|__remixRouteModules/.test(html))
		faults.push("holds the framework's data");
	return faults;
}

const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" };
const asJson = { "Content-Type": "application/json" };
const large = "x".repeat(65_537);

describe("every answer carries the security headers, and no page holds anything inline", () => {
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
		[308, "a moved address", () => fleet.client().get("/mileage/")],
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
		[404, "a framework's door", () => fleet.client().get("/?_data=root")],
		[404, "an asset that is not there", () => fleet.client().get("/assets/nothing-12345678.js")],
		[404, "a call that is not there", async () => (await fleet.as("dana")).get("/api/nowhere")],
		[
			405,
			"a method that is not answered",
			() => fleet.client().request("/mileage", { method: "DELETE" }),
		],
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

	it("files, which are served without the Worker", async () => {
		const files = readdirSync("build/local/client/assets").map((name) => `/assets/${name}`);
		expect(files.length).toBeGreaterThan(3);
		for (const path of [...files, "/icon.svg", "/robots.txt"]) {
			const answer = await fleet.client().get(path);
			expect(answer.status, path).toBe(200);
			expect(faultsOf(answer), path).toEqual([]);
			if (path.startsWith("/assets/"))
				expect(answer.headers.get("Cache-Control"), path).toBe(
					"public, max-age=31536000, immutable",
				);
		}
	});

	it("a post's address leads nowhere else", async () => {
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

describe("body limits", () => {
	it("64 KB is taken, one byte more is not, whatever Content-Length says", async () => {
		const client = await fleet.as("nora");
		const rest = "firstName=Nora&lastName=Newcomer&x=";
		const fits = await client.request("/profile", {
			method: "POST",
			headers: urlencoded,
			body: rest + "x".repeat(65_536 - rest.length),
		});
		expect(fits.status).toBe(303);
		const over = await client.request("/profile", {
			method: "POST",
			headers: urlencoded,
			body: rest + "x".repeat(65_537 - rest.length),
		});
		expect(over.status).toBe(413);
		const call = await client.request("/api/profile", {
			method: "PUT",
			headers: asJson,
			body: JSON.stringify({ firstName: large }),
		});
		expect(call.status).toBe(413);
	});

	it("fifty fields are taken, fifty-one are not", async () => {
		const client = await fleet.as("nora");
		const more = (count: number) =>
			Array.from({ length: count }, (_, position) => `f${position}=1`).join("&");
		const send = (body: string, type = urlencoded["Content-Type"]) =>
			client.request("/profile", { method: "POST", headers: { "Content-Type": type }, body });
		expect((await send(`firstName=Nora&lastName=Newcomer&${more(48)}`)).status).toBe(303);
		expect((await send(`firstName=Nora&lastName=Newcomer&${more(49)}`)).status).toBe(400);
		expect((await send(more(5000), `${urlencoded["Content-Type"]}; boundary=zz`)).status).toBe(400);
	});

	it("a field sent twice is refused", async () => {
		const client = await fleet.as("nora");
		const twice = "firstName=Nora&firstName=Eve&lastName=Newcomer";
		const answer = await client.request("/profile", {
			method: "POST",
			headers: urlencoded,
			body: twice,
		});
		expect(answer.status).toBe(400);
		expect(answer.text).toContain("was sent twice");
	});

	it("hostile field names are never read: they mean nothing, and build nothing", async () => {
		const client = await fleet.as("nora");
		const names = [
			"a[5000000]",
			"firstName[50000000]",
			`${"a[".repeat(5000)}`,
			"a.b.c.d[0].e",
			"__proto__[isAdmin]",
			"constructor.prototype.role",
			"__intent__",
			"__state__",
			"%5B%5D",
		];
		for (const name of names) {
			const body = `firstName=Nora&lastName=Newcomer&${name}=%7Bbroken`;
			const answer = await client.request("/profile", {
				method: "POST",
				headers: urlencoded,
				body,
			});
			expect(answer.status, name).toBe(303);
		}
		const [nora] = await fleet.sql(
			"select role, approval_status from users where email = 'nora@milepost.test'",
		);
		expect(nora).toEqual({ role: "driver", approval_status: "pending" });
	});

	it("a form that is none, and characters that nothing can carry, are 400", async () => {
		const client = await fleet.as("nora");
		const bodies: [string, string][] = [
			["firstName=a%00b&lastName=c", urlencoded["Content-Type"]],
			["firstName=a%1Bb&lastName=c", urlencoded["Content-Type"]],
			["firstName=%E2%80%8B&lastName=c", urlencoded["Content-Type"]],
			["--zz\r\nnonsense", "multipart/form-data; boundary=zz"],
			["--zz\r\nnonsense", "multipart/form-data"],
			["\u0000\u0001\u0002", urlencoded["Content-Type"]],
		];
		for (const [body, type] of bodies) {
			const answer = await client.request("/profile", {
				method: "POST",
				headers: { "Content-Type": type },
				body,
			});
			expect(answer.status, JSON.stringify(body)).toBe(400);
			expect(faultsOf(answer)).toEqual([]);
		}
	});

	it("JSON that is broken, no object, too deep or uncarriable is 400 with a message", async () => {
		const client = await fleet.as("nora");
		const bodies = [
			"",
			"{",
			"nonsense",
			"[]",
			"null",
			'"text"',
			"1",
			"[".repeat(20_000),
			'{"firstName":{"a":1},"lastName":"b"}',
			'{"firstName":["a"],"lastName":"b"}',
			'{"firstName":true,"lastName":"b"}',
			'{"firstName":"a\\u0000b","lastName":"b"}',
			'{"firstName":"\\ud800","lastName":"b"}',
			'{"firstName":"a","lastName":"\\udc00"}',
			'{"__proto__":{"firstName":"a","lastName":"b"}}',
			'{"constructor":{"firstName":"a"}}',
			'{"FirstName":"a","LASTNAME":"b"}',
		];
		for (const body of bodies) {
			const answer = await client.request("/api/profile", {
				method: "PUT",
				headers: asJson,
				...(body === "" ? {} : { body }),
			});
			expect(answer.status, body.slice(0, 60)).toBe(400);
			expect(typeof JSON.parse(answer.text).message, body.slice(0, 60)).toBe("string");
			expect(faultsOf(answer)).toEqual([]);
		}
		const [nora] = await fleet.sql(
			"select first_name, last_name from users where email = 'nora@milepost.test'",
		);
		expect(nora).toEqual({ first_name: "Nora", last_name: "Newcomer" });
	});
});

describe("a JSON body that says a name twice", () => {
	it.each([
		[
			"PUT",
			"/api/profile",
			"nora",
			'{"firstName":"Nora","lastName":"Newcomer","firstName":"Eve"}',
			"firstName",
		],
		[
			"PUT",
			"/api/profile",
			"nora",
			'{"firstName":"Nora","lastName":"Newcomer","x":{"y":1,"y":2}}',
			"y",
		],
		[
			"PUT",
			"/api/profile",
			"nora",
			'{"firstName":"Nora","lastName":"Newcomer","\\u0066irstName":"Eve"}',
			"firstName",
		],
		["POST", "/api/mileage", "dana", '{"date":"2026-11-01","date":"2026-11-02"}', "date"],
		[
			"POST",
			"/api/fund-requests",
			"dana",
			'{"type":"gas","amount":"1","amount":"9999","description":"Fuel"}',
			"amount",
		],
		["POST", "/api/uber-fees", "ada", '{"amount":"1","amount":"2"}', "amount"],
		[
			"POST",
			"/api/drivers",
			"ada",
			'{"email":"one@milepost.test","email":"two@milepost.test"}',
			"email",
		],
		[
			"POST",
			"/api/admin/create",
			"ada",
			'{"email":"one@milepost.test","email":"two@milepost.test"}',
			"email",
		],
		["POST", "/api/reports/generate", "ada", '{"type":"weekly","type":"monthly"}', "type"],
		["PUT", "/api/fund-requests/x", "ada", '{"status":"rejected","status":"approved"}', "status"],
	] as const)("%s %s by %s is 400 and names it (%s)", async (method, path, who, body, name) => {
		const client = await fleet.as(who);
		const answer = await client.request(path, { method, headers: asJson, body });
		expect([answer.status, JSON.parse(answer.text)]).toEqual([
			400,
			{ message: `The field ${name} was sent twice`, fields: { [name]: ["was sent twice"] } },
		]);
	});
});

/** Runs something while a table cannot be found, and puts the table back. */
async function without<T>(table: string, run: () => Promise<T>): Promise<T> {
	const schema = () => fleet.sql("select name, sql from sqlite_master order by name");
	const before = await schema();
	await fleet.sql(`alter table ${table} rename to hidden`);
	try {
		return await run();
	} finally {
		await fleet.sql(`alter table hidden rename to ${table}`);
		const plain = (rows: unknown) => JSON.stringify(rows).replace(/[`"\\]/g, "");
		expect(plain(await schema())).toBe(plain(before));
	}
}

describe("a database that is broken", () => {
	it("makes pages and calls 503, and a post keeps what was typed", async () => {
		const [dana, nora] = [await fleet.as("dana"), await fleet.as("nora")];
		const [page, post, call] = await without("sessions", async () => [
			await dana.get("/", { mayFail: true }),
			await nora.post(
				"/profile",
				{ firstName: 'Nora "N" <b>', lastName: "New&comer" },
				{ mayFail: true },
			),
			await dana.get("/api/nowhere", { mayFail: true }),
		]);
		for (const answer of [page, post, call]) {
			expect(answer?.status).toBe(503);
			expect(answer?.headers.get("Retry-After")).toBe("10");
			expect(faultsOf(answer as Answer)).toEqual([]);
			expect(answer?.text).not.toMatch(/no such table|SQLITE|D1_ERROR|select |at async/i);
		}
		expect(post?.text).toContain("Failed to update profile. Please try again.");
		expect(post?.text).toContain("Nora &quot;N&quot; &lt;b&gt;");
		expect(post?.text).toContain("New&amp;comer");
		expect(post?.text).toMatch(/<form[^>]*action="\/profile"/);
		expect(JSON.parse(call?.text ?? "").message).toContain("can't reach its database");
		expect(fleet.takeErrors().length).toBeGreaterThanOrEqual(3);
		expect((await dana.get("/")).text).toContain("Driver Dashboard");
	});

	it.each(["users", "mileage_logs"])(
		"without %s shows nothing of what it could still read",
		async (table) => {
			const dana = await fleet.as("dana");
			const answer = await without(table, () => dana.get("/", { mayFail: true }));
			expect(answer.status).toBe(503);
			expect(answer.text).not.toContain("Dana");
			fleet.takeErrors();
		},
	);

	it("fails a write whole: what came before the broken statement is not kept", async () => {
		const nora = await fleet.as("nora");
		const before = await fleet.sql("select * from users where email = 'nora@milepost.test'");
		const answer = await without("notices", () =>
			nora.post("/profile", { firstName: "Half", lastName: "Way" }, { mayFail: true }),
		);
		expect(answer.status).toBe(503);
		expect(answer.text).toContain('value="Half"');
		expect(await fleet.sql("select * from users where email = 'nora@milepost.test'")).toEqual(
			before,
		);
		expect(await fleet.sql("select * from audit_events where after like '%Half%'")).toEqual([]);
		fleet.takeErrors();
	});

	it("a posted toast name that every object has does no harm", async () => {
		const ada = await fleet.as("ada");
		for (const intent of ["constructor", "__proto__", "toString"]) {
			const answer = await without("sessions", () =>
				ada.post("/drivers", { intent }, { mayFail: true }),
			);
			expect(answer.status, intent).toBe(503);
		}
		fleet.takeErrors();
	});

	it("sends a visitor who asks for nothing to the landing screen all the same", async () => {
		const answer = await without("sessions", () => fleet.client().get("/"));
		expect(answer.status).toBe(200);
	});
});

describe("an internal error", () => {
	it("is a 500 page that shows the request's id and nothing of the fault, and one line in the log under that id", async () => {
		const nora = await fleet.as("nora");
		await fleet.sql(
			"create trigger fault before update of first_name on users begin select raise(abort, 'syntax error: secret-detail'); end",
		);
		const answer = await nora.post(
			"/profile",
			{ firstName: "Nora", lastName: "Typed-Name" },
			{ mayFail: true },
		);
		await fleet.sql("drop trigger fault");
		expect(answer.status).toBe(500);
		expect(faultsOf(answer)).toEqual([]);
		const [id] =
			/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(answer.text) ?? [];
		expect(id, "the page shows a reference").toBeDefined();
		expect(answer.text).not.toMatch(/secret-detail|syntax error|at async|worker\/index/);
		const errors = fleet.takeErrors();
		expect(errors).toHaveLength(1);
		expect(JSON.parse(errors[0] ?? "")).toMatchObject({ level: "error", requestId: id });
		expect(errors[0]).not.toContain("Typed-Name");
	});
});

describe("an internal error in a JSON call", () => {
	it("is a 500 in JSON with the request's id", async () => {
		const nora = await fleet.as("nora");
		await fleet.sql(
			"create trigger fault before update of first_name on users begin select raise(abort, 'syntax error: secret-detail'); end",
		);
		const answer = await nora.call(
			"PUT",
			"/api/profile",
			{ firstName: "Nora", lastName: "Typed-Name" },
			{ mayFail: true },
		);
		await fleet.sql("drop trigger fault");
		expect(answer.status).toBe(500);
		expect(faultsOf(answer)).toEqual([]);
		const { message } = JSON.parse(answer.text) as { message: string };
		const [line = ""] = fleet.takeErrors();
		expect(message).toContain(String((JSON.parse(line) as { requestId: string }).requestId));
		expect(answer.text).not.toMatch(/secret-detail|syntax error|worker\/index/);
	});
});

describe("the log", () => {
	it("is one JSON object a line, without cookies, addresses of people or what they sent", async () => {
		const client = await fleet.as("nora");
		const sid = client.cookies.get("sid") ?? "?";
		await client.post("/profile", { firstName: "Logged-First", lastName: "Logged-Last" });
		await client.get("/mileage?token=in-the-query");
		await client.call("PUT", "/api/nowhere", { secret: "in-the-body" });
		await fleet.client().get("/api/callback?code=the-code&state=the-state");
		await fleet.client().get("/no%0Aline%0D%0Abreak", {
			headers: { "CF-Connecting-IP": "203.0.113.7", "User-Agent": "an-agent" },
		});
		const [nora] = await fleet.sql<{ id: string }>(
			"select id from users where email = 'nora@milepost.test'",
		);
		await expect.poll(() => fleet.lines.some((line) => line.includes("break"))).toBe(true);
		for (const line of fleet.lines) {
			const entry: unknown = JSON.parse(line);
			expect(entry).toHaveProperty("requestId");
			expect(line.length).toBeLessThan(4096);
		}
		const text = fleet.lines.join("\n");
		for (const word of [
			sid,
			sid.slice(0, 43),
			"milepost.test",
			"Logged-",
			"in-the-query",
			"in-the-body",
			"the-code",
			"the-state",
			"203.0.113.7",
			"an-agent",
			"Cookie",
		])
			expect(text, word).not.toContain(word);
		const [, code] = /"client":"([0-9a-f]{12})"/.exec(text) ?? [];
		expect(code).toBeDefined();
		expect(createHash("sha256").update("203.0.113.7").digest("hex")).not.toContain(code);
		const paths = fleet.lines.map(
			(line) => JSON.parse(line) as { path?: string; userId?: string; status?: number },
		);
		expect(paths.some(({ path, userId }) => path === "/profile" && userId === nora?.id)).toBe(true);
	});
});
