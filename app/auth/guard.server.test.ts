/** What the guard answers when someone's access ends during their request. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { Database } from "../db/client.server.ts";
import { setDriverActive } from "../domain/people/commands/set-active.server.ts";
import { deleteFee } from "../domain/uber-fees/commands/delete.server.ts";
import { findRule } from "../routing/routes.ts";
import { dateIn } from "../values/calendar-date.ts";
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
