/**
 * The API of Driver Management and of a person's own profile, which use the same commands as the
 * screens (docs/product.md §7, §8).
 */
import { describe, expect, it } from "vitest";
import { CAST, idOf } from "../support/cast.ts";
import { costOf } from "../support/cost.ts";
import { insertDriver } from "../support/drivers.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet({ isFresh: true });
const ada = await fleet.as("ada");
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);

describe("the driver API", () => {
	const USER = {
		id: expect.any(String),
		role: "driver",
		firstName: expect.any(String),
		lastName: expect.any(String),
		email: expect.any(String),
		approvalStatus: "approved",
		isActive: true,
		createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
	};
	const json = (answer: Answer) => JSON.parse(answer.text);

	it("lists active, pending and all drivers in one round trip", async () => {
		const waiting = await insertDriver(sql, { approval_status: "pending" });
		const active = await ada.call("GET", "/api/drivers");
		expect(active.status).toBe(200);
		expect(active.headers.get("Content-Type")).toContain("application/json");
		expect(costOf(active).trips).toBe(1);
		expect(json(active)).toContainEqual({
			...USER,
			id: idOf("dana"),
			driverId: "DRV-0001",
			approvedAt: expect.any(String),
		});
		expect(json(active).every((row: { isActive: boolean }) => row.isActive)).toBe(true);
		expect(json(await ada.call("GET", "/api/drivers?limit=2"))).toEqual(json(active).slice(0, 2));
		const all = json(await ada.call("GET", "/api/drivers/all"));
		expect(all).toHaveLength(
			json(active).length + all.filter((row: { isActive: boolean }) => !row.isActive).length,
		);
		expect(all.map(({ id }: { id: string }) => id)).toContain(idOf("ivan"));
		const pending = json(await ada.call("GET", "/api/drivers/pending"));
		expect(pending).toEqual(
			[idOf("nora"), waiting].map((id) => ({
				...USER,
				id,
				approvalStatus: "pending",
				driverId: null,
				approvedAt: null,
			})),
		);
		await sql(
			"update users set approval_status = 'rejected' where id in (?, ?)",
			idOf("nora"),
			waiting,
		);
		expect((await ada.call("GET", "/api/drivers/pending")).text).toBe("[]");
	});

	it("streams a list longer than one page, with every row once", async () => {
		await fleet.sql(
			`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5100)
			insert into users (id, role, first_name, last_name, approval_status, is_active, created_at)
			select printf('20000000-0000-4000-8000-%012d', i), 'driver', 'Many', 'Crowd ' || (i / 3), 'approved', i % 2, 1 from n`,
		);
		const all = json(await ada.call("GET", "/api/drivers/all")).map(({ id }: { id: string }) => id);
		const [{ count }] = (await fleet.sql<{ count: number }>(
			"select count(*) as count from users where role = 'driver' and approval_status = 'approved' and deleted_at is null",
		)) as [{ count: number }];
		expect(count).toBeGreaterThan(5000);
		expect(all).toHaveLength(count);
		expect(new Set(all).size).toBe(count);
		const active = json(await ada.call("GET", "/api/drivers"));
		expect(active.length).toBeGreaterThan(2500);
		expect(new Set(active.map(({ id }: { id: string }) => id)).size).toBe(active.length);
		await fleet.sql("delete from users where first_name = 'Many'");
	});

	it("checks the caller before the limit", async () => {
		for (const limit of ["0", "501", "-1", "1.5", "x", "", "1e2"]) {
			const answer = await ada.call("GET", `/api/drivers?limit=${limit}`);
			expect(answer.status, limit).toBe(400);
			expect(json(answer).message).toContain("limit");
			expect((await fleet.client().call("GET", `/api/drivers?limit=${limit}`)).status).toBe(401);
		}
	});

	it("refuses to create an administrator in a session older than 15 minutes", async () => {
		const ben = await fleet.as("ben");
		await fleet.sql(
			"update sessions set created_at = created_at - 900001 where user_id = ?",
			idOf("ben"),
		);
		const body = { email: "unattended@milepost.test", firstName: "Una", lastName: "Attended" };
		const call = await ben.call("POST", "/api/admin/create", body);
		expect([call.status, json(call).message]).toEqual([
			403,
			"Sign in again to add an administrator. It has been more than 15 minutes since you signed in.",
		]);
		const form = await ben.post("/drivers", { intent: "create-admin", ...body });
		expect(form.status).toBe(403);
		expect(form.text).toContain("Sign in again to add an administrator.");
		expect(form.text).toContain('value="unattended@milepost.test"');
		// It is above the fields, not at the email, which is fine.
		expect(form.text).toMatch(
			/<dialog[\s\S]*autofocus=""[\s\S]*?<p>Sign in again to add[\s\S]*name="email"/,
		);
		expect(form.text).not.toContain('aria-invalid="true"');
		expect(await fleet.sql("select id from users where email like 'unattended%'")).toEqual([]);
		// Creating a driver needs no fresh session, and signing in again allows the administrator.
		expect(
			(await ben.call("POST", "/api/drivers", { ...body, email: "una@milepost.test" })).status,
		).toBe(201);
		expect((await (await fleet.as("ben")).call("POST", "/api/admin/create", body)).status).toBe(
			201,
		);
	});

	it.each(["/api/drivers", "/api/admin/create"])(
		"%s returns the first result for the same Idempotency-Key, and refuses it with other values",
		async (path) => {
			const headers = { "Idempotency-Key": `made-once:${path}` };
			const body = {
				email: `once${path.replaceAll("/", ".")}@milepost.test`,
				firstName: "Only",
				lastName: "Once",
			};
			const first = await ada.call("POST", path, body, { headers });
			const again = await ada.call("POST", path, body, { headers });
			expect([first.status, first.headers.get("Idempotency-Replayed")]).toEqual([201, null]);
			expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
				201,
				first.text,
				"true",
			]);
			const other = await ada.call(
				"POST",
				path,
				{ ...body, email: "another.once@milepost.test" },
				{ headers },
			);
			expect([other.status, json(other)]).toEqual([
				422,
				{ message: "This was already submitted with different values." },
			]);
			// A key belongs to its sender: from another administrator it is a new one, and the email is
			// already taken.
			const ben = await fleet.as("ben");
			expect((await ben.call("POST", path, body, { headers })).status).toBe(409);
			expect(
				(await ada.call("POST", path, body, { headers: { "Idempotency-Key": "not one word" } }))
					.status,
			).toBe(400);
			const made = await sql(
				"select m.kind from users u join mails m on m.about_id = u.id where u.email = ? and m.kind = 'invitation'",
				body.email,
			);
			expect(made).toHaveLength(1);
			expect(await sql("select 1 from users where email = 'another.once@milepost.test'")).toEqual(
				[],
			);
		},
	);

	it("creates a driver and an administrator with 201, and refuses invalid values", async () => {
		const body = { email: "json@milepost.test", firstName: "Jason", lastName: "Call" };
		const made = await ada.call("POST", "/api/drivers", {
			...body,
			role: "admin",
			isActive: false,
			driverId: "DRV-9999",
		});
		expect(made.status).toBe(201);
		expect(json(made)).toEqual({
			...USER,
			...body,
			driverId: expect.stringMatching(/^DRV-\d{4}$/),
			approvedAt: expect.any(String),
		});
		expect(json(made).driverId).not.toBe("DRV-9999");
		const again = await ada.call("POST", "/api/admin/create", body);
		expect(again.status).toBe(409);
		expect(json(again)).toEqual({ message: "json@milepost.test already belongs to Jason Call." });
		const admin = await ada.call("POST", "/api/admin/create", {
			...body,
			email: "json-admin@milepost.test",
		});
		expect(admin.status).toBe(201);
		expect(json(admin)).toMatchObject({
			role: "admin",
			driverId: null,
			approvalStatus: "approved",
		});
		const oneself = await ada.call("POST", "/api/admin/create", { ...body, role: "driver" });
		expect([oneself.status, json(oneself).message]).toEqual([
			400,
			"Choose administrator or accountant",
		]);
		const invalid = await ada.call("POST", "/api/drivers", { email: "nope", lastName: "" });
		expect(invalid.status).toBe(400);
		expect(json(invalid)).toEqual({
			message: "Enter an email address, such as name@example.com",
			fields: {
				email: ["Enter an email address, such as name@example.com"],
				firstName: ["First name is required"],
				lastName: ["Last name is required"],
			},
		});
		expect((await ada.call("POST", "/api/drivers")).status).toBe(400);
		expect((await ada.call("POST", "/api/drivers", [])).status).toBe(400);
		expect((await ada.post("/api/drivers", body)).status).toBe(415);
	});

	it("approves, rejects, toggles and deletes, each with its status", async () => {
		const id = await insertDriver(sql, { approval_status: "pending" });
		const put = (verb: string, client = ada) => client.call("PUT", `/api/drivers/${id}/${verb}`);
		const rejected = await put("reject");
		expect([rejected.status, json(rejected).approvalStatus, costOf(rejected).trips]).toEqual([
			200,
			"rejected",
			2,
		]);
		expect((await put("reject")).status).toBe(409);
		expect((await put("toggle")).status).toBe(409);
		const approved = await put("approve");
		expect([approved.status, json(approved).approvalStatus]).toEqual([200, "approved"]);
		expect(json(approved).driverId).toMatch(/^DRV-\d{4}$/);
		const lost = await put("approve");
		expect(lost.status).toBe(409);
		expect(json(lost).message).toMatch(/was already approved by Ada Admin on /);
		expect(json(await put("toggle")).isActive).toBe(false);
		expect(json(await put("toggle")).isActive).toBe(true);
		const gone = await ada.call("DELETE", `/api/drivers/${id}`);
		expect([gone.status, gone.text]).toEqual([204, ""]);
		expect((await ada.call("DELETE", `/api/drivers/${id}`)).status).toBe(409);
		expect((await put("approve", await fleet.as("dana"))).status).toBe(403);
		expect((await put("approve", fleet.client())).status).toBe(401);
	});

	it("answers unknown and malformed ids alike", async () => {
		const bodies = new Set<string>();
		for (const id of [
			"99999999-9999-4999-8999-999999999999",
			"1",
			"%00",
			"%27%20or%201%3D1",
			"%F0%9F%92%A5",
			"a".repeat(2000),
			"%E0%A4%A",
		]) {
			for (const [method, path] of [
				["PUT", `/api/drivers/${id}/approve`],
				["PUT", `/api/drivers/${id}/reject`],
				["PUT", `/api/drivers/${id}/toggle`],
				["DELETE", `/api/drivers/${id}`],
			] as const) {
				const answer = await ada.call(method, path);
				expect(answer.status, `${method} ${path.slice(0, 60)}`).toBe(404);
				// An encoded id matches no route, so it gets the generic 404.
				if (id.includes("%")) expect(answer.text).toBe('{"message":"Not found"}');
				else bodies.add(answer.text);
			}
		}
		expect([...bodies]).toEqual(['{"message":"Person not found."}']);
	});

	it("says who is signed in, in every standing", async () => {
		const cases = [
			["dana", "driver", "approved"],
			["nina", "driver", "pending"],
			["rex", "driver", "rejected"],
			["ben", "admin", "approved"],
		] as const;
		for (const [name, role, approvalStatus] of cases) {
			const answer = await (await fleet.as(name)).call("GET", "/api/auth/user");
			expect(answer.status).toBe(200);
			expect(costOf(answer).trips).toBe(1);
			expect(json(answer)).toMatchObject({
				id: idOf(name),
				role,
				approvalStatus,
				email: CAST[name].email,
			});
			expect(Object.keys(json(answer)).sort()).toEqual(
				[
					"approvalStatus",
					"approvedAt",
					"createdAt",
					"driverId",
					"email",
					"firstName",
					"fleet",
					"id",
					"isActive",
					"lastName",
					"role",
				].sort(),
			);
		}
		const visitor = await fleet.client().call("GET", "/api/auth/user");
		expect([visitor.status, visitor.text]).toEqual([401, '{"message":"Unauthorized"}']);
	});

	it("takes no name that can't be seen, breaks its line, or looks like a link or a driver ID", async () => {
		const nina = await fleet.as("nina");
		for (const name of ["Tab\tName", "Line\nBreak", "\u3164", "www.evil.example", "N (DRV-0001)"]) {
			const names = { firstName: name, lastName: "Name" };
			const created = { ...names, email: "not.created@milepost.test" };
			for (const answer of [
				await nina.call("PUT", "/api/profile", names),
				await nina.call("PUT", "/api/profile", { firstName: "Nina", lastName: name }),
				await ada.call("POST", "/api/drivers", created),
				await ada.call("POST", "/api/admin/create", created),
			]) {
				expect(answer.status, name).toBe(400);
				expect(Object.keys(JSON.parse(answer.text).fields)).toHaveLength(1);
			}
		}
		const persian = { firstName: "علی\u200cرضا", lastName: "میر\u200cحسینی" };
		const ben = await fleet.as("ben");
		expect((await ben.call("PUT", "/api/profile", persian)).status).toBe(200);
	});

	it("accepts a completed profile as an application until it is decided", async () => {
		const nina = await fleet.as("nina");
		expect((await nina.call("PUT", "/api/profile", { firstName: "Nina" })).status).toBe(400);
		const answer = await nina.call("PUT", "/api/profile", {
			firstName: " Nina ",
			lastName: "Nameless",
			role: "admin",
			approvalStatus: "approved",
		});
		expect(answer.status).toBe(200);
		expect(json(answer)).toMatchObject({
			firstName: "Nina",
			lastName: "Nameless",
			role: "driver",
			approvalStatus: "pending",
		});
		expect((await ada.get("/drivers")).text).toContain("Nina Nameless");
		await ada.call("PUT", `/api/drivers/${idOf("nina")}/approve`);
		expect(
			(await nina.call("PUT", "/api/profile", { firstName: "Other", lastName: "Name" })).status,
		).toBe(403);
		const itself = await (await fleet.as("ben")).call("PUT", "/api/profile", {
			firstName: "Benjamin",
			lastName: "Backup",
		});
		expect([itself.status, json(itself).firstName]).toEqual([200, "Benjamin"]);
	});

	it("50 approvals at once through the Worker: one 200, the rest 409, one audit row", async () => {
		const id = await insertDriver(sql, { approval_status: "pending" });
		const answers = await Promise.all(
			Array.from({ length: 50 }, () => ada.call("PUT", `/api/drivers/${id}/approve`)),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
		expect(await fleet.sql("select id from audit_events where entity_id = ?", id)).toHaveLength(1);
	});
});
