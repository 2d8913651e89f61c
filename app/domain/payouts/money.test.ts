/** The arithmetic of the books, without a database: they balance after every step. */
import { expect, it } from "vitest";
import { faultsIn, Money, random, randomStep, recountFaults } from "../../../tests/money/model.ts";

const STEPS = 1_000_000;
/** Steps per fleet: a new one starts before searching its requests gets slow. */
const STEPS_PER_FLEET = 2_000;

it("approved = paid + unpaid for every driver after each of a million random steps", () => {
	const faults: string[] = [];
	const played: Record<string, number> = {};
	let steps = 0;
	for (let seed = 1; steps < STEPS; seed++) {
		const money = new Money(5);
		const next = random(seed);
		for (let each = 0; each < STEPS_PER_FLEET; each++, steps++) {
			const step = randomStep(money, next);
			if (money.try(step)) played[step.kind] = (played[step.kind] ?? 0) + 1;
			faults.push(...faultsIn(money));
			if (each % 250 === 0) faults.push(...recountFaults(money));
		}
		faults.push(...recountFaults(money));
	}
	expect(faults).toEqual([]);
	// Every kind of step was allowed often enough to be meaningful.
	expect(Object.keys(played)).toHaveLength(11);
	for (const [kind, count] of Object.entries(played)) expect(count, kind).toBeGreaterThan(1_000);
});

it("reports books that don't balance", () => {
	const money = new Money(1);
	money.try({ kind: "ask", owner: 0, cents: 100 });
	money.try({ kind: "approve", request: 0 });
	money.try({ kind: "gather", requests: [0] });
	expect([...faultsIn(money), ...recountFaults(money)]).toEqual([]);
	money.payouts.push({ status: "open", requests: [0], total: 100 });
	expect(recountFaults(money)[0]).toBe("request 0 stands in two live payouts");
	money.paid[0] = 1;
	expect(faultsIn(money)).toHaveLength(1);
});
