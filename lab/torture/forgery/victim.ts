/** A driver with rows of every kind, whose ids other people send. */
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { multipart } from "../../../tests/support/forms.ts";
import { gather } from "../../../tests/support/payouts.ts";
import { PDF } from "../../../tests/support/request-form.ts";
import type { Client } from "../../../tests/support/worker.ts";
import type { Known } from "../fuzz/grammar.ts";
import type { RowFactory } from "../races/subjects.ts";

/** A word in every text of the victim, which nobody else may ever see. */
export const SECRET = "Wisteria";

export type Victim = {
	readonly client: Client;
	/** The victim's rows, for requests that name one. */
	readonly known: Known;
	/** Every id, number and session reference of the victim's rows. */
	readonly ids: readonly string[];
	readonly receiptId: string;
	readonly payoutId: string;
	/** All of the victim's rows, to compare before and after. */
	readonly snapshot: () => Promise<string>;
};

/** @throws if one of the victim's own requests is refused */
export async function createVictim(factory: RowFactory): Promise<Victim> {
	const { fleet, ada } = factory;
	const { id: person, driver: client } = await factory.driver({ last_name: SECRET });
	const create = async (path: string, body: object, as = client) => {
		const answer = await as.call("POST", path, body);
		if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
		return JSON.parse(answer.text) as { id: string; requestNumber?: string };
	};
	const trip = await create("/api/mileage", {
		date: daysAgo(0),
		startOdometer: 1000,
		endOdometer: 1040,
		notes: `${SECRET} trip`,
	});
	const file = { ...PDF, name: `${SECRET}.pdf` };
	const uploaded = await client.request("/api/receipts", await multipart({}, file));
	const { id: receiptId, receiptUrl } = JSON.parse(uploaded.text);
	const request = (description: string, more: object = {}) =>
		create("/api/fund-requests", { type: "gas", amount: "20.00", description, ...more });
	const pending = await request(`${SECRET} pending`, { receiptUrl });
	await create(`/api/fund-requests/${pending.id}/messages`, { text: `${SECRET}?` }, ada);
	await create(`/api/fund-requests/${pending.id}/messages`, { text: `${SECRET}!` });
	const decided = await request(`${SECRET} decided`);
	await ada.call("PUT", `/api/fund-requests/${decided.id}`, { status: "approved" });
	const payout = await gather(ada, { requestIds: [decided.id] });
	await ada.call("PUT", `/api/payouts/${payout.id}`, {
		status: "paid",
		paidOn: daysAgo(0),
		reference: `${SECRET} 77`,
	});
	const fee = await create(
		"/api/uber-fees",
		{ driverId: person, category: "other", amount: "12.50", date: daysAgo(0) },
		ada,
	);
	const [{ email } = { email: "" }] = await fleet.sql<{ email: string }>(
		"select email from users where id = ?",
		person,
	);
	await fleet.client().signIn(email);
	const session = /name="session" value="([^"]+)"/.exec((await client.get("/account")).text)?.[1];
	if (!session) throw new Error("the account page names no session");
	const known: Known = {
		request: [pending.id, decided.id],
		fee: [fee.id],
		log: [trip.id],
		payout: [payout.id],
		person: [person],
	};
	const numbers = [pending.requestNumber, decided.requestNumber, payout.number];
	const rows = async () =>
		Promise.all(
			[
				"select * from users where id = ?1",
				"select token_hash, ended_at from sessions where user_id = ?1",
				"select * from mileage_logs where driver_id = ?1",
				"select * from fund_requests where driver_id = ?1",
				"select * from request_messages where request_id in (select id from fund_requests where driver_id = ?1)",
				"select * from receipts where owner_id = ?1",
				"select * from uber_fees where driver_id = ?1",
				`select * from payouts where id = '${payout.id}' and ?1 <> ''`,
				`select * from payout_requests where payout_id = '${payout.id}' and ?1 <> ''`,
			].map((query) => fleet.sql(query, person)),
		);
	return {
		client,
		known,
		ids: [
			...Object.values(known).flat(),
			receiptId,
			session,
			...numbers.filter((each) => !!each),
		] as string[],
		receiptId,
		payoutId: payout.id,
		snapshot: async () => JSON.stringify(await rows()),
	};
}
