/** What the guard answers when someone's access ends during their request. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { describe, expect, it } from "vitest";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { insertToken } from "../../tests/support/tokens.ts";
import { Database } from "../db/client.server.ts";
import { setDriverActive } from "../domain/people/commands/set-active.server.ts";
import { deleteFee } from "../domain/uber-fees/commands/delete.server.ts";
import { findRule } from "../routing/routes.ts";
import { dateIn } from "../values/calendar-date.ts";
import { readBearer } from "./bearer.server.ts";
import { requireAdmin } from "./guard.server.ts";
import { sha256Hex } from "./session.server.ts";

const NOW = Date.UTC(2026, 10, 21, 17);
const bench = await openDatabase("everyone", NOW);

/** Signs Ben in and returns his session's hash. */
async function signInBen(): Promise<string> {
	const tokenHash = sha256Hex(crypto.randomUUID());
	await bench.rows(
		`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ends_at)
			values (?, ?, ?, ?, ?, ?)`,
		tokenHash,
		idOf("ben"),
		NOW,
		NOW,
		NOW + 1e7,
		NOW + 1e7,
	);
	return tokenHash;
}

/** A post by Ben, as the Worker passes it to an action. */
function postTo(path: string, tokenHash: string): ActionFunctionArgs {
	const form = new FormData();
	form.append("amount", "12.50");
	const context = {
		db: new Database(bench.batches),
		now: NOW,
		today: dateIn(ZONE, NOW),
		settings: { timeZone: ZONE },
		requestId: "test",
		rule: findRule(path),
		method: "POST",
		address: path,
		presented: { tokenHash, hint: "admin" },
		sent: () => ({ form, isSenderKnown: true }),
		mostFor: () => 255,
		later: () => undefined,
	};
	return {
		context,
		params: {},
		request: new Request("http://test/"),
	} as unknown as ActionFunctionArgs;
}

async function answerTo(path: string): Promise<Response> {
	const { admin } = await requireAdmin(postTo(path, await signInBen()));
	const ada = await bench.admin("ada");
	expect((await setDriverActive(ada, idOf("ben"), false)).ok).toBe(true);
	const thrown = await deleteFee(admin, "no fee").catch((error: unknown) => error);
	expect((await setDriverActive(ada, idOf("ben"), true)).ok).toBe(true);
	expect(thrown).toBeInstanceOf(Response);
	return thrown as Response;
}

it("answers an API call like the next one: 401", async () => {
	const response = await answerTo("/api/uber-fees");
	expect(response.status).toBe(401);
	expect(await response.json()).toEqual({ message: "Unauthorized" });
});

it("tells a page's form that the account is deactivated, and keeps what was typed", async () => {
	const response = await answerTo("/uber-fees");
	expect(response.status).toBe(401);
	expect(await response.json()).toMatchObject({
		kind: "deactivated",
		typed: { action: "/uber-fees", fields: [["amount", "12.50"]] },
	});
});

describe("a token", () => {
	const ask = async (token: string, path: string, method = "GET") => {
		const args = postTo(path, "");
		const headers = { Authorization: `Bearer ${token}`, Cookie: `sid=${"A".repeat(43)}.a` };
		const context = {
			...args.context,
			method,
			env: {},
			presented: undefined,
			bearer: await readBearer(new Request("http://test/", { headers })),
		};
		return requireAdmin({ ...args, context } as unknown as ActionFunctionArgs);
	};

	it("gives its owner's context, and is named by its id in what it does", async () => {
		const token = await insertToken(bench.rows, idOf("ben"), "write", { id: "payroll" });
		const { admin } = await ask(token, "/api/uber-fees/x", "DELETE");
		expect([admin.user.id, admin.sessionRef]).toEqual([idOf("ben"), "payroll"]);
	});

	it.each([
		["read", "/api/uber-fees/x", "DELETE"],
		["import", "/api/uber-fees/x", "DELETE"],
		["read", "/api/statements", "POST"],
		["write", "/api/admin/create", "POST"],
		["write", "/api/drivers/x/approve", "PUT"],
		["write", `/drivers/${idOf("dana")}/data.zip`, "GET"],
	])("to %s is refused %s %s", async (scope, path, method) => {
		const token = await insertToken(bench.rows, idOf("ben"), scope);
		const refused = await ask(token, path, method).catch((thrown: Response) => thrown);
		expect(refused).toMatchObject({ status: 403 });
	});

	it("that is revoked is answered as one that doesn't exist", async () => {
		const revoked = await insertToken(bench.rows, idOf("ben"), "read", { revoked_at: 1 });
		for (const token of [revoked, "mlp_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp", "x", ""]) {
			const refused = await ask(token, "/api/drivers").catch((thrown: Response) => thrown);
			const { status, headers } = refused as Response;
			expect([status, headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
		}
	});
});
