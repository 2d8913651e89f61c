/** Changes to requests whose audit entries name something else: a payout, a message. */
import { approveRequests } from "../../app/domain/fund-requests/commands/approve.server.ts";
import { writeAboutRequest } from "../../app/domain/fund-requests/commands/message.server.ts";
import { submitRequest } from "../../app/domain/fund-requests/commands/submit.server.ts";
import { cancelPayout } from "../../app/domain/payouts/commands/cancel.server.ts";
import { makePayout } from "../../app/domain/payouts/commands/make.server.ts";
import type { Outcome } from "../../app/values/outcome.ts";
import type { TestDatabase } from "./database.ts";

function valueFrom<Value>(outcome: Outcome<Value, { readonly ok: false }>): Value {
	if (!outcome.ok) throw new Error(JSON.stringify(outcome));
	return outcome.value;
}

/**
 * Makes a payout of one request, and leaves another one pending.
 * @returns cancels the payout and asks about the other request, as someone who has touched neither
 */
export async function prepareUnnamedChanges(bench: TestDatabase): Promise<() => Promise<void>> {
	const [dana, ada, ben] = [
		await bench.driver("dana"),
		await bench.admin("ada"),
		await bench.admin("ben"),
	];
	const submit = async (amount: number) => {
		const input = {
			type: "gas",
			amount,
			description: `Fuel ${amount}`,
			confirm: undefined,
		} as const;
		return valueFrom(await submitRequest(dana, input, "json")).request.id;
	};
	const [approved, pending] = [await submit(4321), await submit(1234)];
	await approveRequests(ada, [approved]);
	const { row } = valueFrom(await makePayout(ada, { kind: "named", ids: [approved] }, undefined));
	return async () => {
		valueFrom(await cancelPayout(ben, row.payout.id));
		valueFrom(
			await writeAboutRequest(ben, pending, { text: "Which car?", key: undefined }, "json"),
		);
	};
}
