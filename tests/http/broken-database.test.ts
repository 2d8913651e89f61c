/** How requests are answered, and what is logged, when the database fails. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { faultsOf } from "../support/security-headers.ts";
import { type Answer, openFleet } from "../support/worker.ts";

const fleet = await openFleet();

/** Runs something while a table is missing, then restores the table. */
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

describe("a broken database", () => {
	it("turns pages and API calls into 503, and a post keeps what was typed", async () => {
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
		"without %s shows none of the data that could still be read",
		async (table) => {
			const dana = await fleet.as("dana");
			const answer = await without(table, () => dana.get("/", { mayFail: true }));
			expect(answer.status).toBe(503);
			expect(answer.text).not.toContain("Dana");
			fleet.takeErrors();
		},
	);

	it("fails a write completely: nothing before the broken statement is kept", async () => {
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
		expect(await fleet.sql("select * from audit_events where after like '%\"Half\"%'")).toEqual([]);
		fleet.takeErrors();
	});

	it("halfway through a request isn't said to have changed nothing, and what was saved isn't saved again", async () => {
		const ada = await fleet.as("ada");
		const list = {
			intent: "add-many",
			people: "first@half.test Fay First\nsecond@half.test Sid Second",
			key: crypto.randomUUID(),
		};
		const invite = () => ada.post("/drivers?dialog=add-many", list, { mayFail: true });
		const NOTHING = "Nothing was changed";
		const failing = (email: string) =>
			fleet.sql(`create trigger fault before insert on users when new.email = '${email}'
				begin select raise(abort, 'the disk is full'); end`);
		await failing("first@half.test");
		const none = await invite();
		await fleet.sql("drop trigger fault");
		expect([none.status, none.text.includes(NOTHING)]).toEqual([503, true]);
		await failing("second@half.test");
		const half = await invite();
		await fleet.sql("drop trigger fault");
		expect([half.status, half.text.includes(NOTHING)]).toEqual([503, false]);
		expect(half.text).toContain(
			"Part of this may have been saved. Sending it again won&#x27;t save it twice.",
		);
		expect((await invite()).status).toBeLessThan(400);
		const made = await fleet.sql(
			"select email from users where email like '%@half.test' order by 1",
		);
		expect(made).toEqual([{ email: "first@half.test" }, { email: "second@half.test" }]);
		const mails = "select count(*) as n from mails where address like '%@half.test'";
		expect(await fleet.sql(mails)).toEqual([{ n: 2 }]);
		fleet.takeErrors();
	});

	it("a posted toast name that every object has is harmless", async () => {
		const ada = await fleet.as("ada");
		for (const intent of ["constructor", "__proto__", "toString"]) {
			const answer = await without("sessions", () =>
				ada.post("/drivers", { intent }, { mayFail: true }),
			);
			expect(answer.status, intent).toBe(503);
		}
		fleet.takeErrors();
	});

	it("still shows visitors the landing screen", async () => {
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
	it("is one JSON object per line, without cookies, people's emails or what they sent", async () => {
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
