/** Tokens: made on their screen, used by scripts without a cookie, and ended. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../support/cast.ts";
import { currentTime, waitForFreshMinute } from "../support/clock.ts";
import { multipart } from "../support/forms.ts";
import { generateStatement } from "../support/generated-statements.ts";
import type { Row } from "../support/rows.ts";
import { insertToken } from "../support/tokens.ts";
import { Client, openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const ADDRESS = "/settings/tokens";
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
const DAY = 86_400_000;

const fetchFrom = fleet.worker.dispatchFetch as unknown as typeof fetch;

/** A script: no cookie, no Origin, nothing but its token. */
function script(token: string) {
	type Sent = {
		readonly method?: string;
		readonly body?: BodyInit;
		readonly headers?: Readonly<Record<string, string>>;
	};
	const ask = (path: string, { headers, ...sent }: Sent = {}) =>
		fetchFrom(`${fleet.origin}${path}`, {
			redirect: "manual",
			...sent,
			headers: { ...headers, Authorization: `Bearer ${token}` },
		});
	return {
		get: (path: string, headers = {}) => ask(path, { headers }),
		post: (path: string, body: object) =>
			ask(path, {
				method: "POST",
				body: JSON.stringify(body),
				headers: { "Content-Type": "application/json" },
			}),
		ask,
	};
}
const tokenOf = (scope: string, more: Row = {}, owner: "ada" | "ben" = "ada") =>
	insertToken(sql, idOf(owner), scope, more);
const fee = () => ({
	driverId: idOf("dana"),
	category: "other",
	amount: "12.50",
	date: "2026-11-02",
});

beforeEach(async () => {
	await fleet.sql("delete from api_tokens");
});

describe("the screen", () => {
	const form = { name: "Payroll", scope: "write", days: "90" };
	const shown = (text: string) => /mlp_[0-9A-Za-z]{36}/.exec(text)?.[0] ?? "";

	it("shows a new token once, which works until anyone revokes it", async () => {
		const ada = await fleet.as("ada");
		const made = await ada.post(ADDRESS, form);
		expect(made.status).toBe(200);
		const token = shown(made.text);
		expect(token).not.toBe("");
		const listed = await ada.get(ADDRESS);
		expect(listed.text).toContain("Payroll");
		expect(listed.text).not.toContain("mlp_");
		expect((await script(token).get("/api/drivers")).status).toBe(200);

		const [row] = await fleet.sql<{ id: string }>("select id from api_tokens");
		const ben = await fleet.as("ben");
		const revoked = await ben.postAndFollow(ADDRESS, { intent: "revoke", id: row?.id ?? "" });
		expect(revoked.text).toContain("Payroll no longer works.");
		expect((await script(token).get("/api/drivers")).status).toBe(401);
		expect((await ben.post(ADDRESS, { intent: "revoke", id: row?.id ?? "" })).status).toBe(409);
		for (const { text } of [made, listed, revoked]) expect(text).not.toContain("token_hash");
		for (const line of fleet.lines) expect(line).not.toContain(token.slice(4));
	});

	it("keeps what was typed into a form that is refused, and offers a fresh sign-in", async () => {
		const ada = await fleet.as("ada");
		const wrong = await ada.post(ADDRESS, { ...form, days: "367" });
		expect(wrong.status).toBe(400);
		expect(wrong.text).toContain("Enter a whole number from 1 to 366");
		expect(wrong.text).toContain('value="Payroll"');
		await fleet.sql("update sessions set created_at = created_at - 900000");
		const late = await ada.post(ADDRESS, form);
		expect(late.status).toBe(403);
		expect(late.text).toContain("Sign in again to create a token.");
		expect(late.text).toContain("/api/login?fresh&amp;returnTo=%2Fsettings%2Ftokens");
		expect(await fleet.sql("select id from api_tokens")).toEqual([]);
	});

	it("makes no second token of the same form, and says where the first one went", async () => {
		const ada = await fleet.as("ada");
		const keyed = { ...form, key: "once" };
		expect(shown((await ada.post(ADDRESS, keyed)).text)).not.toBe("");
		const again = await ada.post(ADDRESS, keyed);
		expect([again.status, shown(again.text)]).toEqual([409, ""]);
		expect(again.text).toContain("shown then");
	});
});

describe("a script", () => {
	it("needs no cookie and no origin, and its changes are audited by its name", async () => {
		const { post, get } = script(await tokenOf("write", { name: "Payroll" }));
		expect((await post("/api/uber-fees", fee())).status).toBe(201);
		expect(await (await get("/api/auth/user")).json()).toMatchObject({ id: idOf("ada") });
		const ada = await fleet.as("ada");
		const { text } = await ada.get("/audit?kind=fee.add");
		expect(text.replace(/<[^>]*>|<!-- -->/g, "")).toContain("Ada Admin by token Payroll added");
	});

	it("reads no cookie: neither a session beside it nor a token in one counts", async () => {
		const token = await tokenOf("read");
		const ada = await fleet.as("ada");
		const sid = `sid=${ada.cookies.get("sid")}`;
		const known = script(token);
		const wrong = script("mlp_000000000000000000000000000000000000");
		expect((await wrong.get("/api/drivers", { Cookie: sid })).status).toBe(401);
		expect((await known.get("/api/drivers", { Cookie: "sid=x" })).status).toBe(200);
		// On a screen it is nobody.
		for (const path of ["/drivers", ADDRESS])
			expect((await known.get(path, { Cookie: sid })).status).toBe(401);
		const elsewhere = fleet.client();
		elsewhere.cookies.set("sid", token);
		elsewhere.cookies.set("token", token);
		for (const path of ["/api/drivers", `/api/drivers?token=${token}&access_token=${token}`])
			expect((await elsewhere.get(path)).status).toBe(401);
	});

	it("downloads exports, and no personal data", async () => {
		const { get } = script(await tokenOf("read"));
		const csv = await get("/fund-requests/export.csv");
		expect([csv.status, csv.headers.get("Content-Type")?.split(";")[0]]).toEqual([200, "text/csv"]);
		const data = await get(`/drivers/${idOf("dana")}/data.zip`);
		expect([data.status, await data.json()]).toEqual([403, { message: "Forbidden" }]);
	});

	it("sends a large statement with a token to import, and none with one to read", async () => {
		const { file } = generateStatement(300, 2);
		const { body, headers } = await multipart({ mode: "preview" }, file, "file");
		const send = (token: string) =>
			script(token).ask("/api/statements", {
				method: "POST",
				body: body as BodyInit,
				headers: headers as Record<string, string>,
			});
		expect((await send(await tokenOf("import"))).status).toBe(200);
		const store = fleet.files;
		const before = (await store.list()).objects.length;
		expect((await send(await tokenOf("read"))).status).toBe(403);
		expect((await store.list()).objects.length).toBe(before);
	});

	it("is noted as used, at most once an hour", async () => {
		const token = await tokenOf("read", { id: "t" });
		const used = async () => (await fleet.sql("select last_used_at as at from api_tokens"))[0]?.at;
		await script(token).get("/api/drivers");
		await expect.poll(used).toBeGreaterThan(currentTime() - DAY);
		const first = await used();
		await script(token).get("/api/drivers");
		expect(await used()).toBe(first);
		const earlier = Number(first) - 3_600_001;
		await fleet.sql("update api_tokens set last_used_at = ?", earlier);
		await script(token).get("/api/drivers");
		await expect.poll(used).toBeGreaterThan(earlier);
	});
});

describe("is answered 401 with WWW-Authenticate", () => {
	const past = { created_at: 1, expires_at: currentTime() - 1 };
	it.each<[string, () => Promise<string>]>([
		["no token", async () => ""],
		["other text", async () => "x"],
		["one that nobody made", async () => "mlp_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp"],
		["an expired one", () => tokenOf("read", past)],
		["a revoked one", () => tokenOf("read", { revoked_at: 1 })],
		[
			"the hash of one",
			async () => {
				await tokenOf("read");
				const [row] = await fleet.sql<{ hash: string }>(
					"select token_hash as hash from api_tokens",
				);
				return row?.hash ?? "";
			},
		],
		[
			"one of an administrator who became a driver",
			async () => {
				const token = await tokenOf("read", {}, "ben");
				await fleet.sql("update users set role = 'driver' where id = ?", idOf("ben"));
				return token;
			},
		],
		["a driver's", () => insertToken(sql, idOf("dana"), "read")],
	])("%s", async (_, make) => {
		for (const path of ["/api/drivers", "/fund-requests/export.csv", "/api/auth/user"]) {
			const answer = await script(await make()).get(path);
			expect(answer.status, path).toBe(401);
			expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
			expect(await answer.json()).toEqual({ message: "Unauthorized" });
		}
		await fleet.sql("update users set role = 'admin' where id = ?", idOf("ben"));
	});
});

describe("the limit", () => {
	it("is counted for each token, and answers 429 with Retry-After", async () => {
		const limited = await openFleet({ tokenLimit: { limit: 3, period: 60 } });
		await waitForFreshMinute();
		const insert = (query: string, ...values: unknown[]) => limited.sql(query, ...values);
		const as = (token: string) => {
			const { worker, origin, lines } = limited;
			const headers = { Authorization: `Bearer ${token}` };
			return new Client({ worker, origin, lines, headers });
		};
		const busy = as(await insertToken(insert, idOf("ada"), "read"));
		for (let call = 0; call < 3; call++) expect((await busy.get("/api/drivers")).status).toBe(200);
		const refused = await busy.get("/api/drivers");
		expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
		const other = as(await insertToken(insert, idOf("ada"), "read"));
		expect((await other.get("/api/drivers")).status).toBe(200);
	});
});
