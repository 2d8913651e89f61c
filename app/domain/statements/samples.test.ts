import { describe, expect, it } from "vitest";
import {
	expectedOf,
	expectedSummary,
	read,
	SAMPLES,
	sampleBytes,
	summarize,
} from "../../../tests/support/statements.ts";

describe.each(SAMPLES)("the sample %s", (sample) => {
	const expected = expectedOf(sample);
	const reading = () => read(sampleBytes(sample), { fileName: expected.uploadAs });

	it("matches its expected results to the cent, including every row left out", async () => {
		const found = await reading();
		expect(summarize(found)).toEqual(expectedSummary(expected));
		expect(found.end).toMatchObject({ kind: "end", rows: expected.rows.data, unknownColumns: [] });
		expect(new Set(found.lines.map(({ row }) => row)).size).toBe(expected.rows.withFees);
		for (const [category, cents] of Object.entries(expected.totals))
			expect(
				found.lines
					.filter((line) => category === "all" || line.category === category)
					.reduce((sum, line) => sum + line.cents, 0),
			).toBe(cents);
		expect(summarize(found).fees.filter(({ isCredit }) => isCredit).length).toBe(
			expected.creditCount,
		);
	});

	it("is recognized", async () => {
		const { reading: statement } = await reading();
		if (statement.kind !== "statement") throw new Error(JSON.stringify(statement));
		expect(statement).toMatchObject({
			format: expected.format,
			platform: expected.platform.toLowerCase(),
			period: { from: expected.period.from, to: expected.period.to },
			currency: expected.currency,
			needs: [],
		});
		expect(
			Object.fromEntries(statement.feeColumns.map((each) => [each.name, each.category])),
		).toEqual(
			Object.fromEntries(
				Object.entries(expected.feeColumns).map(([name, becomes]) => [
					name,
					becomes.startsWith("booking_fee: what is left") ? "rest" : becomes,
				]),
			),
		);
		const notFees = statement.notFeeColumns.map(({ name }) => name);
		expect(notFees).toEqual(expect.arrayContaining(Object.keys(expected.notFeeColumns)));
	});

	it("passes on no email, phone number or address", async () => {
		const { reading: statement, events } = await reading();
		const told = JSON.stringify([statement, events]);
		for (const text of expected.mustNotStore ?? []) expect(told).not.toContain(text);
		expect(told).not.toMatch(/@|\+351/);
	});
});
