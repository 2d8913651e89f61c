/**
 * Decisions that race in real D1, through the built Worker: each has one winner, one audit entry
 * and one email.
 */
import { expect, it } from "vitest";
import { half } from "../../lab/torture/plan.ts";
import { insertRequest, requestId } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const fleet = await openFleet();
const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
/** `RACE_ROUNDS=200` runs the long form. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? half(40));
const BULK_ROUNDS = Math.ceil(ROUNDS / 10);

it(`a request has one winner among 50 parallel approvals and rejections, in ${ROUNDS} rounds`, {
	timeout: 600_000,
}, async () => {
	const admins = [await fleet.as("ada"), await fleet.as("ben")] as const;
	const wins = { approved: 0, rejected: 0 };
	for (let round = 1; round <= ROUNDS; round++) {
		const id = await insertRequest(sql, round, "dana");
		const calls = Array.from({ length: 50 }, (_, position) => ({
			// Which administrator comes first, and with which decision, changes from round to round.
			client: admins[(position + round) % 2] ?? admins[0],
			status: (position + (round >> 1)) % 4 < 2 ? "approved" : "rejected",
		}));
		const answers = await Promise.all(
			calls.map(({ client, status }, position) =>
				client.call("PUT", `/api/fund-requests/${id}`, { status, adminNotes: `call ${position}` }),
			),
		);
		const winners = answers.flatMap(({ status }, position) => (status === 200 ? [position] : []));
		expect(winners, `round ${round}`).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
		const winner = winners[0] ?? 0;
		const { status = "" } = calls[winner] ?? {};
		const person = calls[winner]?.client === admins[0] ? "Ada Admin" : "Ben Backup";
		expect(
			await fleet.sql("select status, admin_notes from fund_requests where id = ?", id),
		).toEqual([{ status, admin_notes: `call ${winner}` }]);
		for (const answer of answers)
			if (answer.status === 409)
				expect(answer.text).toMatch(new RegExp(`FR-\\d+ was ${status} by ${person} on `));
		expect(await fleet.sql("select action from audit_events where entity_id = ?", id)).toEqual([
			{ action: status === "approved" ? "request.approve" : "request.reject" },
		]);
		expect(await fleet.sql("select count(*) as n from mails where about_id = ?", id)).toEqual([
			{ n: 1 },
		]);
		if (status === "approved") wins.approved += 1;
		else wins.rejected += 1;
	}
	// Approvals and rejections must both win sometimes, or they weren't racing.
	expect(Math.min(wins.approved, wins.rejected)).toBeGreaterThan(0);
});

it(`decides each row of overlapping bulk approvals once, in ${BULK_ROUNDS} rounds`, {
	timeout: 600_000,
}, async () => {
	const admins = [await fleet.as("ada"), await fleet.as("ben")] as const;
	for (let round = 0; round < BULK_ROUNDS; round++) {
		const first = 10_000 + round * 60;
		const ids = Array.from({ length: 60 }, (_, position) => requestId(first + position));
		for (let position = 0; position < 60; position++)
			await insertRequest(sql, first + position, "omar");
		// Overlapping selections of 40 rows, with a few single rejections in between.
		const bulks = Array.from({ length: 8 }, (_, position) => ({
			client: admins[position % 2] ?? admins[0],
			named: ids.slice((position * 3) % 21, ((position * 3) % 21) + 40),
		}));
		const posts = bulks.map(({ client, named }) =>
			client.request("/fund-requests", {
				method: "POST",
				headers: { "Content-Type": "application/x-www-form-urlencoded" },
				body: new URLSearchParams([["intent", "bulk-approve"], ...named.map((id) => ["ids", id])]),
			}),
		);
		const rejections = [ids[5], ids[30], ids[55]].map((id) =>
			admins[round % 2]?.call("PUT", `/api/fund-requests/${id}`, { status: "rejected" }),
		);
		const [pages, calls] = await Promise.all([Promise.all(posts), Promise.all(rejections)]);
		const approvedBy = pages.map(({ status, text }, position) => {
			if (status === 303) return bulks[position]?.named.length ?? 0;
			return Number(/(\d+) of 40 approved/.exec(text)?.[1]);
		});
		const rejected = calls.filter((answer) => answer?.status === 200).length;
		const named = new Set(bulks.flatMap((each) => each.named));
		const [counts] = await fleet.sql<{ approved: number; rejected: number; pending: number }>(
			"select sum(status = 'approved') as approved, sum(status = 'rejected') as rejected, sum(status = 'pending') as pending from fund_requests where number between ? and ?",
			first,
			first + 59,
		);
		expect(counts).toEqual({
			approved: approvedBy.reduce((sum, each) => sum + each, 0),
			rejected,
			pending: ids.filter((id) => !named.has(id) && id !== ids[55]).length,
		});
		for (const table of ["audit_events where entity_id", "mails where about_id"])
			expect(
				await fleet.sql(
					`select count(*) as n, count(distinct ${table.split(" ").at(-1)}) as different from ${table} in (select id from fund_requests where number between ? and ?)`,
					first,
					first + 59,
				),
			).toEqual([
				{ n: (counts?.approved ?? 0) + rejected, different: (counts?.approved ?? 0) + rejected },
			]);
	}
});
