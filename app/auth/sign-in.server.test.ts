/** Signing in when the connection breaks after the commit: the second attempt finds it done. */
import { describe, expect, it } from "vitest";
import { CAST, idOf } from "../../tests/support/cast.ts";
import { currentTime } from "../../tests/support/clock.ts";
import { openDatabase } from "../../tests/support/database.ts";
import { Database } from "../db/client.server.ts";
import { sha256Hex } from "./session.server.ts";
import { signIn } from "./sign-in.server.ts";

const NOW = currentTime();
const bench = await openDatabase("everyone", NOW);

/** The real database behind a connection that breaks once, after running what it was asked. */
function breakingOnce(): Database {
	let isBroken = false;
	return new Database({
		prepare: (query: string) => bench.batches.prepare(query),
		batch: async (statements: D1PreparedStatement[]) => {
			const results = await bench.batches.batch(statements);
			if (isBroken) return results;
			isBroken = true;
			throw new Error("Network connection lost");
		},
	} as unknown as D1Database);
}

const audited = (id: string) =>
	bench.rows("select action from audit_events where entity_id = ? order by id", id);

describe("a sign-in whose answer is lost", () => {
	it("makes a new driver once, with one session and one audit entry", async () => {
		const identity = {
			issuer: "https://issuer.example",
			subject: "new",
			email: "new@example.com",
			isEmailProved: true,
		};
		const outcome = await signIn(breakingOnce(), identity, { now: NOW, requestId: "request" });
		if (!outcome.ok) throw new Error(outcome.reason);
		const { user, token } = outcome.value;
		expect(
			await bench.rows("select count(*) as n from users where email = 'new@example.com'"),
		).toEqual([{ n: 1 }]);
		expect(await bench.rows("select token_hash from sessions where user_id = ?", user.id)).toEqual([
			{ token_hash: sha256Hex(token) },
		]);
		expect(await audited(user.id)).toEqual([
			{ action: "driver.join" },
			{ action: "session.start" },
		]);
	});

	it("claims an invitation once", async () => {
		const identity = {
			issuer: "https://issuer.example",
			subject: "ines",
			email: CAST.ines.email,
			isEmailProved: true,
		};
		const outcome = await signIn(breakingOnce(), identity, { now: NOW, requestId: "request" });
		if (!outcome.ok) throw new Error(outcome.reason);
		expect(outcome.value.user.id).toBe(idOf("ines"));
		expect(
			await bench.rows("select count(*) as n from sessions where user_id = ?", idOf("ines")),
		).toEqual([{ n: 1 }]);
		expect(await audited(idOf("ines"))).toEqual([
			{ action: "invitation.claim" },
			{ action: "session.start" },
		]);
	});

	it("ends the previous session and starts a new one, once each", async () => {
		const identity = {
			issuer: "local-sign-in",
			subject: CAST.dana.email,
			email: CAST.dana.email,
			isEmailProved: true,
		};
		const first = await signIn(new Database(bench.batches), identity, {
			now: NOW,
			requestId: "request",
		});
		if (!first.ok) throw new Error(first.reason);
		const second = await signIn(breakingOnce(), identity, {
			presentedHash: sha256Hex(first.value.token),
			now: NOW + 1,
			requestId: "request",
		});
		if (!second.ok) throw new Error(second.reason);
		const sessions = await bench.rows(
			"select token_hash, ended_reason from sessions where user_id = ? order by created_at",
			idOf("dana"),
		);
		expect(sessions).toEqual([
			{ token_hash: sha256Hex(first.value.token), ended_reason: "rotated" },
			{ token_hash: sha256Hex(second.value.token), ended_reason: null },
		]);
	});
});

describe("a sign-in that is refused", () => {
	it("leaves the session it would have replaced", async () => {
		const omar = { issuer: "local-sign-in", subject: CAST.omar.email, email: CAST.omar.email };
		const visit = { now: NOW, requestId: "request" };
		const db = new Database(bench.batches);
		const current = await signIn(db, { ...omar, isEmailProved: true }, visit);
		if (!current.ok) throw new Error(current.reason);
		const presentedHash = sha256Hex(current.value.token);
		const ivan = { issuer: "local-sign-in", subject: CAST.ivan.email, email: CAST.ivan.email };
		expect(
			await signIn(db, { ...ivan, isEmailProved: true }, { ...visit, presentedHash }),
		).toMatchObject({ reason: "deactivated" });
		expect(
			await bench.rows("select ended_reason from sessions where token_hash = ?", presentedHash),
		).toEqual([{ ended_reason: null }]);
	});
});
