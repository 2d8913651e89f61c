/**
 * How long a part of the torture goes on: `npm test` plays its short form, a fixed number of rounds;
 * `npm run torture` sets these variables for the long one.
 */
import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { type Finding, formatTable } from "./table.ts";

const read = (name: string): number | undefined => {
	const text = process.env[name];
	return text ? Number(text) : undefined;
};
/** Minutes to go on for; the short form has none. */
const MINUTES = read("TORTURE_MINUTES");
/** Rounds to play, however long they take. */
const ROUNDS = read("TORTURE_ROUNDS");

/** Everything random comes from it. */
export const SEED = read("TORTURE_SEED") ?? 1;
export const isShort = MINUTES === undefined && ROUNDS === undefined;
/** Milliseconds after which a part hangs. */
export const TIMEOUT = isShort ? 240_000 : ((MINUTES ?? 600) * 2 + 10) * 60_000;

/** Numbers of the rounds to play: as many as asked for, or until the time is over. */
export function* rounds(short: number): Generator<number> {
	const end = performance.now() + (MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;
	const most = ROUNDS ?? (MINUTES === undefined ? short : Number.POSITIVE_INFINITY);
	for (let round = 0; round < most && performance.now() < end; round++) yield round;
}

/** Prints a part's figures, hands them to the table, and fails the test when one is not met. */
export function report(part: string, findings: readonly Finding[]): void {
	const rows = findings.map((finding) => ({ part, ...finding }));
	const table = process.env.TORTURE_TABLE;
	if (table) appendFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
	else console.log(formatTable(rows));
	expect(rows.filter(({ isMet }) => !isMet)).toEqual([]);
}
