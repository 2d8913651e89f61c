/** A fleet that receives platforms' statements, and what is recorded of them. */
import { expect } from "vitest";
import { insertDriver } from "./drivers.ts";
import type { StatementBody } from "./statement-calls.ts";
import { expectedOf, type Sample, sampleBytes } from "./statements.ts";
import { blocksOf, countedRows, storedBlocks } from "./totals.ts";
import { openFleet } from "./worker.ts";

export const fileOf = (sample: Sample, name = expectedOf(sample).uploadAs) => ({
	bytes: sampleBytes(sample),
	name,
});
export const textFile = (text: string, name: string) => ({
	bytes: new TextEncoder().encode(text),
	name,
});

/** For the tests of one file, each of which begins with the same rows. */
export async function openStatements() {
	const fleet = await openFleet({ isFresh: true });
	const ada = await fleet.as("ada");
	const ben = await fleet.as("ben");
	const sql = <Row>(query: string, ...values: unknown[]) => fleet.sql<Row>(query, ...values);

	/** The fleet's drivers, to match with a platform's. */
	const drivers: string[] = [];
	for (let number = 0; number < 25; number++)
		drivers.push(
			await insertDriver((query, ...values) => sql(query, ...values), {
				driver_number: 5000 + number,
			}),
		);

	// Half of the samples are in euros, and the others name no currency.
	await sql(`insert into settings (id, chosen) values ('fleet', '{"currency":"EUR"}')`);

	/** Matches everyone in a statement to a different driver. */
	function matchAll({ fees }: Pick<StatementBody, "fees">): string {
		const ids = [...new Set(fees.map(({ platformId, name }) => platformId || name))];
		return JSON.stringify(Object.fromEntries(ids.map((id, at) => [id, drivers[at]])));
	}
	const recorded = () =>
		sql<{ cents: number; count: number }>(`select count(*) as count,
			coalesce(sum(iif(is_credit, -amount_cents, amount_cents)), 0) as cents
			from uber_fees where deleted_at is null`).then(([row]) => row);
	const totalsAgree = async () =>
		expect(await storedBlocks(sql)).toEqual(blocksOf(await countedRows(sql)));
	return { fleet, ada, ben, sql, drivers, matchAll, recorded, totalsAgree };
}
