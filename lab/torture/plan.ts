/**
 * How long a part of the torture runs: `npm test` runs the short form with a fixed number of
 * rounds, `npm run test:full` with ten times as many, and `npm run torture` sets these variables for the
 * long one.
 */
import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { EXTENT } from "../../tests/support/extent.ts";
import { type Finding, formatTable } from "./table.ts";

const read = (name: string): number | undefined => {
	const text = process.env[name];
	return text ? Number(text) : undefined;
};
/** Minutes to run; unset in the short form. */
const MINUTES = read("TORTURE_MINUTES");
/** Rounds to run, however long they take. */
const ROUNDS = read("TORTURE_ROUNDS");

/** The seed of everything random. */
export const SEED = read("TORTURE_SEED") ?? 1;
export const isShort = MINUTES === undefined && ROUNDS === undefined;
/** The time after which a part counts as hanging, in milliseconds. */
export const TIMEOUT = isShort ? 600_000 : ((MINUTES ?? 600) * 2 + 10) * 60_000;

/** A number of things to try in the short form, of which `npm test` tries a tenth. */
export const some = (count: number): number =>
	EXTENT === "full" ? count : Math.max(1, Math.ceil(count / 10));
/** Likewise if both outcomes of a race, or every kind of step, must occur: half. */
export const half = (count: number): number => (EXTENT === "full" ? count : Math.ceil(count / 2));

/**
 * The numbers of the rounds to run: as many as requested, or until the time is up.
 * @param least how many `npm test` plays, if a tenth is too few
 */
export function* rounds(short: number, least = 1): Generator<number> {
	const end = performance.now() + (MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;
	const most =
		ROUNDS ?? (MINUTES === undefined ? Math.max(some(short), least) : Number.POSITIVE_INFINITY);
	for (let round = 0; round < most && performance.now() < end; round++) yield round;
}

/** Prints a part's figures, adds them to the table, and fails the test if one isn't met. */
export function report(part: string, findings: readonly Finding[]): void {
	const rows = findings.map((finding) => ({ part, ...finding }));
	const table = process.env.TORTURE_TABLE;
	if (table) appendFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
	else console.log(formatTable(rows));
	expect(rows.filter(({ isMet }) => !isMet)).toEqual([]);
}
