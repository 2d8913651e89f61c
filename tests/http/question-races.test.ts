/**
 * Questions, answers, decisions and withdrawals that race in real D1, through the built Worker: the
 * request ends once, and no message follows.
 */
import { expect, it } from "vitest";
import { half } from "../../lab/torture/plan.ts";
import { insertRequest } from "../support/requests.ts";
import { insertRow } from "../support/rows.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const ROUNDS = half(60);

it(`ends a request once, and accepts no message afterwards, in ${ROUNDS} rounds`, {
	timeout: 600_000,
}, async () => {
	const [ada, ben, dana] = [await fleet.as("ada"), await fleet.as("ben"), await fleet.as("dana")];
	const ends = new Set<string>();
	let [accepted, refused] = [0, 0];
	for (let round = 1; round <= ROUNDS; round++) {
		// Keeps below the hourly limit.
		await sql("delete from request_messages");
		const id = await insertRequest(sql, round, "dana", { amount_cents: 4210 });
		await insertRow(sql, "request_messages", {
			id: crypto.randomUUID(),
			request_id: id,
			position: 1,
			author_id: "00000000-0000-4000-8000-000000000001",
			author_role: "admin",
			text: "Which car?",
			source: "json",
			created_at: 1,
			payload_hash: "x",
		});
		const path = `/api/fund-requests/${id}`;
		const decisions = [
			() => ada.call("PUT", path, { status: "rejected" }),
			() =>
				ben.call("PUT", path, { status: "approved", approvedAmount: "30.00", adminNotes: "Less" }),
			() => dana.post("/requests", { intent: "withdraw", id }),
		];
		const messages = [ada, dana, ben, dana, ada, dana, ben].map(
			(client, position) => () => client.call("POST", `${path}/messages`, { text: `${position}` }),
		);
		// The order changes from round to round.
		const calls = [...messages.slice(0, round % 7), ...decisions, ...messages.slice(round % 7)];
		const turned = [...calls.slice(round % 3), ...calls.slice(0, round % 3)];
		const answers = await Promise.all(turned.map(async (call) => ({ call, answer: await call() })));
		const statusesOf = (group: readonly (() => unknown)[]) =>
			answers.filter(({ call }) => group.includes(call)).map(({ answer }) => answer.status);
		expect(statusesOf(decisions).filter((status) => status < 400)).toHaveLength(1);
		expect(statusesOf(decisions).filter((status) => status === 409)).toHaveLength(2);
		const posted = statusesOf(messages).filter((status) => status === 201).length;
		expect(statusesOf(messages).filter((status) => status === 409)).toHaveLength(7 - posted);
		const rows = await sql<{ position: number }>(
			"select position from request_messages where request_id = ? order by position",
			id,
		);
		expect(rows.map(({ position }) => position)).toEqual(
			Array.from({ length: posted + 1 }, (_, position) => position + 1),
		);
		const [end] = await sql<{ id: number; action: string }>(
			"select id, action from audit_events where entity_id = ? and entity = 'fund-request'",
			id,
		);
		ends.add(end?.action ?? "");
		const [told] = await sql<{ n: number; last: number | null }>(
			"select count(*) as n, max(id) as last from audit_events where entity = 'request-message' and after ->> 'requestId' = ?",
			id,
		);
		expect(told?.n).toBe(posted);
		expect(told?.last ?? 0).toBeLessThan(end?.id ?? 0);
		const [row] = await sql<{ status: string; approved_amount_cents: number | null }>(
			"select status, approved_amount_cents from fund_requests where id = ?",
			id,
		);
		expect(row?.approved_amount_cents).toBe(row?.status === "approved" ? 3000 : null);
		accepted += posted;
		refused += 7 - posted;
	}
	console.log(
		`${ROUNDS} rounds: ${accepted} messages accepted, ${refused} refused, ends ${[...ends]}`,
	);
	expect(Math.min(accepted, refused)).toBeGreaterThan(0);
	expect(ends.size).toBeGreaterThan(1);
});
