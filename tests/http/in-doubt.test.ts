/** What a 503 says when the connection to the database broke after a change was stored. */
import { expect, it } from "vitest";
import { Director, type Way } from "../../lab/torture/faults/director.ts";
import { freePort } from "../../tools/free-port.ts";
import { insertRequest } from "../support/requests.ts";
import { openFleet } from "../support/worker.ts";

const director = new Director();
const fleet = await openFleet({ faults: director, port: await freePort() });
const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);
const ada = await fleet.as("ada");
const NOTHING = "Nothing was changed";
const IN_DOUBT = "This may have been saved.";

/** Approves a pending request while the database fails at one of the calls. */
async function approve(number: number, at: number, way: Way) {
	const id = await insertRequest(sql, number, "dana", { amount_cents: 4210 });
	const form = { intent: "process", id, status: "approved" };
	director.expect({ store: "d1", at, way });
	const answer = await ada.post("/fund-requests", form, { mayFail: true });
	director.expect();
	fleet.takeErrors();
	const [row] = await sql<{ status: string }>("select status from fund_requests where id = ?", id);
	return { answer, id, form, status: row?.status };
}

it("doesn't say that nothing was changed if the change may have been stored", async () => {
	const { answer, form, id, status } = await approve(1, 1, "after");
	expect([answer.status, status]).toEqual([503, "approved"]);
	expect(answer.text).not.toContain(NOTHING);
	expect(answer.text).toContain(IN_DOUBT);
	expect(answer.text).toContain("Sending it again won&#x27;t save it twice.");
	expect((await ada.post("/fund-requests", form)).status).toBe(409);
	const entries =
		"select count(*) as n from audit_events where entity_id = ? and action like '%approve'";
	expect(await sql(entries, id)).toEqual([{ n: 1 }]);
});

it("says so of a call as well", async () => {
	const id = await insertRequest(sql, 2, "dana", { amount_cents: 4210 });
	director.expect({ store: "d1", at: 1, way: "after" });
	const answer = await ada.request(`/api/fund-requests/${id}`, {
		method: "PUT",
		body: JSON.stringify({ status: "rejected" }),
		headers: { "Content-Type": "application/json" },
		mayFail: true,
	});
	director.expect();
	fleet.takeErrors();
	expect(answer.status).toBe(503);
	expect(JSON.parse(answer.text).message).toContain(IN_DOUBT);
});

it("still says that nothing was changed if the database failed before the change", async () => {
	const { answer, status } = await approve(3, 0, "before");
	expect([answer.status, status]).toEqual([503, "pending"]);
	expect(answer.text).toContain(NOTHING);
});
