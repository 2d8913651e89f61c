/** Where requests that a form has just changed are in the list. */
import { expect, it } from "vitest";
import { parseSearch } from "../../domain/fund-requests/search.ts";
import { withChanged } from "./recently-changed.ts";

it("are in the list's order, also among requests of one millisecond", () => {
	const row = (number: number, id: string) => ({
		request: { id, number, createdAt: 1_780_000_000_000, amountCents: 1250 },
	});
	// The ids are random, so they sort differently from the numbers.
	const [first, second, third] = [row(1, "b"), row(2, "c"), row(3, "a")];
	const numbers = (query: string) =>
		withChanged(parseSearch(new URLSearchParams(query)), [third, first], [second]).map(
			({ request }) => request.number,
		);
	expect(numbers("")).toEqual([3, 2, 1]);
	expect(numbers("order=oldest")).toEqual([1, 2, 3]);
	expect(numbers("order=largest")).toEqual([3, 2, 1]);
});
