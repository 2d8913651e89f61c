/**
 * Which request bodies are read (docs/security.md, 'Request bodies'; docs/product.md, 'The JSON
 * API').
 */
import { describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { daysAgo } from "../support/fleet-days.ts";
import { faultsOf } from "../support/security-headers.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();

const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" };
const asJson = { "Content-Type": "application/json" };
const large = "x".repeat(65_537);

describe("body limits", () => {
	it("64 KB is accepted, one byte more is not, whatever Content-Length says", async () => {
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

	it("several megabytes get an answer, though they aren't read", async () => {
		const client = await fleet.as("nora");
		const statuses = Array.from({ length: 8 }, () =>
			client
				.request("/api/profile", {
					method: "PUT",
					headers: asJson,
					body: JSON.stringify({ firstName: "x".repeat(2_000_000) }),
				})
				.then(({ status }) => status),
		);
		expect(new Set(await Promise.all(statuses))).toEqual(new Set([413]));
	});

	it("fifty fields are accepted and fifty-one refused", async () => {
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

	it("hostile field names are never read, and create no objects", async () => {
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

	it("an invalid form and unusable characters are 400", async () => {
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

	it.each([
		["dana", "/requests", 400],
		["dana", "/api/receipts", 400],
		["ada", "/uber-fees/import", 400],
		["ada", "/api/statements", 400],
	] as const)("a file name that isn't UTF-8 is refused: %s at %s", async (name, path, status) => {
		const client = await fleet.as(name);
		const answer = await client.request(path, {
			method: "POST",
			headers: { "Content-Type": "multipart/form-data; boundary=b" },
			body: Buffer.from(
				'--b\r\nContent-Disposition: form-data; name="file"; filename="\xff.csv"\r\n\r\nx\r\n--b--\r\n',
				"latin1",
			),
			mayFail: true,
		});
		expect(answer.status).toBe(status);
		expect(fleet.takeErrors()).toEqual([]);
	});

	it("JSON in another encoding than UTF-8 is 400, and no letter is replaced", async () => {
		const client = await fleet.as("ada");
		const sent = (lastName: string, encoding: BufferEncoding, type: string) =>
			client.request("/api/drivers", {
				method: "POST",
				headers: { "Content-Type": type },
				body: Buffer.from(
					JSON.stringify({ email: "m@milepost.test", firstName: "Mia", lastName }),
					encoding,
				),
			});
		for (const type of ["application/json", "application/json; charset=iso-8859-1"]) {
			const answer = await sent("M\u00fcller", "latin1", type);
			expect(answer.status).toBe(400);
			expect(JSON.parse(answer.text)).toEqual({ message: "The body isn't valid JSON in UTF-8" });
		}
		const read = await sent("M\u00fcller \ufffd", "utf8", "application/json");
		expect(read.status).toBe(201);
		expect(JSON.parse(read.text)).toMatchObject({ lastName: "M\u00fcller \ufffd" });
	});

	it("JSON that is broken, no object, too deep or has unusable characters is 400 with a message", async () => {
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

it("a field of another type is refused in words of ours, whatever the call", async () => {
	const ada = await fleet.as("ada");
	const calls = [
		["PUT", "/api/settlements", ["ids", "status", "results"]],
		["POST", "/api/settlements", ["week", "driverIds"]],
		["PUT", `/api/settlements/${crypto.randomUUID()}`, ["status", "result"]],
		["POST", "/api/payouts", ["requestIds", "settlementIds", "all", "driverId"]],
		["POST", "/api/statements", ["id", "mode", "drivers", "from", "overlap", "currency"]],
	] as const;
	for (const [method, path, names] of calls)
		for (const name of names)
			for (const value of [5, "x", [5], { a: [] }, false]) {
				const { status, text } = await ada.call(method, path, { [name]: value });
				const what = `${method} ${path} ${name} ${JSON.stringify(value)}: ${text}`;
				expect([400, 404, 409], what).toContain(status);
				// A library's own begin so: `Invalid type: Expected Array but received "x"`.
				expect(text, what).not.toMatch(/Invalid (type|key|length|format)|received/);
			}
});

describe("a number in a JSON body", () => {
	const send = async (who: "nina" | "dana" | "ada", path: string, body: object) => {
		const method = path === "/api/profile" ? "PUT" : "POST";
		const answer = await (await fleet.as(who)).call(method, path, body);
		return { status: answer.status, json: JSON.parse(answer.text) };
	};

	it.each([
		["nina", "/api/profile", { firstName: 5, lastName: "Name" }, "firstName"],
		["nina", "/api/profile", { firstName: "Nina", lastName: 0 }, "lastName"],
		["dana", "/api/fund-requests", { type: "gas", amount: "5", description: 5 }, "description"],
		[
			"dana",
			"/api/mileage",
			{ date: daysAgo(0), startOdometer: 5, endOdometer: 6, notes: 7 },
			"notes",
		],
		["ada", "/api/drivers", { email: 5, firstName: "A", lastName: "B" }, "email"],
		[
			"ada",
			"/api/admin/create",
			{ email: "n@milepost.test", firstName: "A", lastName: 5 },
			"lastName",
		],
	] as const)("isn't text: %s at %s", async (who, path, body, name) => {
		expect(await send(who, path, body)).toEqual({
			status: 400,
			json: { message: `${name} must be text`, fields: { [name]: ["must be text"] } },
		});
	});

	it("may be a reading, an amount or a reference", async () => {
		const trip = { date: daysAgo(0), startOdometer: 71_000, endOdometer: 71_005 };
		expect(await send("dana", "/api/mileage", trip)).toMatchObject({
			status: 201,
			json: { calculatedMiles: 5 },
		});
		const request = { type: "gas", amount: 12.5, description: "Fuel" };
		expect(await send("dana", "/api/fund-requests", request)).toMatchObject({
			status: 201,
			json: { amount: "12.50" },
		});
		const fee = { category: "other", amount: 3, date: daysAgo(0), referenceNumber: 2026001 };
		expect(await send("ada", "/api/uber-fees", { ...fee, driverId: idOf("dana") })).toMatchObject({
			status: 201,
			json: { amount: "3.00", referenceNumber: "2026001" },
		});
	});

	it("isn't stored as another one because it has too many digits", async () => {
		const words = "must be text: a number with so many digits is rounded";
		for (const digits of ["90071992547409931", "9007199254740993", "1e21", "-1e400"]) {
			const fee = { category: "other", amount: 3, date: daysAgo(0), driverId: idOf("dana") };
			const text = JSON.stringify({ ...fee, referenceNumber: 0 }).replace(/0}$/, `${digits}}`);
			const ada = await fleet.as("ada");
			const answer = await ada.request("/api/uber-fees", {
				method: "POST",
				headers: asJson,
				body: text,
			});
			expect([digits, answer.status, JSON.parse(answer.text)]).toEqual([
				digits,
				400,
				{ message: `referenceNumber ${words}`, fields: { referenceNumber: [words] } },
			]);
		}
	});
});

describe("a JSON body with a repeated name", () => {
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
