/** Every text field that a person can fill in, by name. */
import { idOf } from "../../../tests/support/cast.ts";
import { daysAgo } from "../../../tests/support/fleet-days.ts";
import { gather } from "../../../tests/support/payouts.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import type { Answer, Client, Fleet } from "../../../tests/support/worker.ts";

export type People = { readonly ada: Client; readonly dana: Client };
type Enter = (text: string, people: People, number: number) => Promise<Answer>;

/**
 * The distance between our request numbers, because requests submitted in between take the next
 * ones.
 */
const APART = 100;

/** How each field is filled in, on its form or through the API. */
export function fieldsOf(fleet: Fleet): Readonly<Record<string, Enter>> {
	const sql = (query: string, ...values: unknown[]) => fleet.sql(query, ...values);
	let made = 0;
	const pending = () => insertRequest(sql, ++made * APART, "dana", { amount_cents: 500 });
	const approved = () =>
		insertRequest(sql, ++made * APART, "dana", {
			status: "approved",
			approved_amount_cents: 1250,
			decided_at: 1,
			decided_by: idOf("ada"),
		});
	const open = async ({ ada }: People) => gather(ada, { requestIds: [await approved()] });
	const trip = () => {
		made += 1;
		return { date: daysAgo(0), startOdometer: 1000 * made, endOdometer: 1000 * made + 10 };
	};
	const person = (names: object) => ({
		email: `out${++made}@milepost.test`,
		firstName: "Ole",
		lastName: "Output",
		...names,
	});
	const fee = (more: object) => ({
		driverId: idOf("dana"),
		category: "other",
		amount: "1.00",
		date: daysAgo(0),
		...more,
	});
	return {
		"first name": (text, { ada }) => ada.call("POST", "/api/drivers", person({ firstName: text })),
		"last name": (text, { ada }) => ada.call("POST", "/api/drivers", person({ lastName: text })),
		"administrator's name": (text, { ada }) =>
			ada.call("POST", "/api/admin/create", person({ lastName: text })),
		"own name": async (text) => {
			const client = await fleet.client().signIn(`self${++made}@milepost.test`);
			return client.post("/profile", { firstName: text, lastName: "Self" });
		},
		description: (text, { dana }) =>
			dana.call("POST", "/api/fund-requests", { type: "gas", amount: "1.00", description: text }),
		"name of a receipt": (text, { dana }, number) =>
			dana.call("POST", "/api/fund-requests", {
				type: "gas",
				amount: "1.00",
				description: `Receipt ${number}`,
				receiptUrl: text,
			}),
		"note of an approval": async (text, { ada }) =>
			ada.call("PUT", `/api/fund-requests/${await pending()}`, {
				status: "approved",
				approvedAmount: "4.00",
				adminNotes: text,
			}),
		"note of a rejection": async (text, { ada }) =>
			ada.call("PUT", `/api/fund-requests/${await pending()}`, {
				status: "rejected",
				adminNotes: text,
			}),
		question: async (text, { ada }) =>
			ada.call("POST", `/api/fund-requests/${await pending()}/messages`, { text }),
		answer: async (text, { ada, dana }) => {
			const path = `/api/fund-requests/${await pending()}/messages`;
			await ada.call("POST", path, { text: "Which car?" });
			return dana.call("POST", path, { text });
		},
		"reference of a fee": (text, { ada }) =>
			ada.call("POST", "/api/uber-fees", fee({ referenceNumber: text })),
		"description of a fee": (text, { ada }) =>
			ada.call("POST", "/api/uber-fees", fee({ description: text })),
		"note of a charge": (text, { ada }) => {
			const { driverId, amount, date } = fee({});
			return ada.call("POST", "/api/charges", { driverId, amount, date, kind: "fine", note: text });
		},
		"notes of a trip": (text, { dana }) =>
			dana.call("POST", "/api/mileage", { ...trip(), notes: text }),
		"purpose of a trip": (text, { dana }) =>
			dana.call("POST", "/api/mileage", { ...trip(), purpose: text }),
		"reason of a void": async (text, { ada, dana }) => {
			const { text: body } = await dana.call("POST", "/api/mileage", trip());
			const { id } = JSON.parse(body) as { id: string };
			return ada.post("/mileage-reports", { intent: "void", id, reason: text });
		},
		"reference of a payout": async (text, people) =>
			people.ada.call("PUT", `/api/payouts/${(await open(people)).id}`, {
				status: "paid",
				paidOn: daysAgo(0),
				reference: text,
			}),
		"reason of a reopened payout": async (text, people) => {
			const path = `/api/payouts/${(await open(people)).id}`;
			await people.ada.call("PUT", path, { status: "paid", paidOn: daysAgo(0) });
			return people.ada.call("PUT", path, { status: "open", reason: text });
		},
		"account code": (text, { ada }) =>
			ada.post("/settings", { intent: "accounting", accountCode: text, taxType: "Exempt" }),
		"tax rate": (text, { ada }) =>
			ada.post("/settings", { intent: "accounting", accountCode: "449", taxType: text }),
		"QuickBooks tax code": (text, { ada }) =>
			ada.post("/settings", { intent: "accounting", accountCode: "449", quickbooksTaxCode: text }),
	};
}
