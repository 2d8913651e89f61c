/** Reads sample statements and their expected results. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { identityOf } from "../../app/domain/statements/driver-matcher.server.ts";
import { FeeSums } from "../../app/domain/statements/plan.ts";
import { readStatement } from "../../app/domain/statements/read.ts";
import type {
	LeftOutRow,
	MoneyRow,
	ReadOptions,
	StatementEnd,
	StatementEvent,
	StatementLine,
	StatementReading,
} from "../../app/domain/statements/statement.ts";
import type { FeeCategory } from "../../app/domain/uber-fees/rules.ts";
import type { CalendarDate } from "../../app/values/calendar-date.ts";
import { sumFees } from "./sum-fees.ts";

const FOLDER = "tests/fixtures/statements";
export const SAMPLES = [
	"uber-payments-order",
	"uber-payments-driver",
	"uber-payments-driver-total-earnings",
	"bolt-weekly",
] as const;
export type Sample = (typeof SAMPLES)[number];

type ExpectedFee = {
	readonly platformId: string;
	readonly name: string;
	readonly date: string;
	readonly category: string;
	readonly cents: number;
	readonly isCredit?: boolean;
	readonly rows: readonly number[];
};
export type Expected = {
	readonly uploadAs: string;
	readonly format: string;
	readonly platform: string;
	readonly currency: string | null;
	readonly period: { readonly from: string; readonly to: string };
	readonly feeColumns: Readonly<Record<string, string>>;
	readonly notFeeColumns: Readonly<Record<string, string>>;
	readonly mustNotStore?: readonly string[];
	readonly rows: { readonly data: number; readonly withFees: number };
	readonly fees: readonly ExpectedFee[];
	readonly nettedToZero: readonly ExpectedFee[];
	readonly leftOut: readonly {
		readonly reason: string;
		readonly rows: readonly number[];
		readonly cents: number;
	}[];
	readonly totals: Readonly<Record<string, number>>;
	readonly creditCount: number;
};

export const sampleBytes = (sample: Sample): Uint8Array =>
	new Uint8Array(readFileSync(`${FOLDER}/${sample}.csv`));
export const sampleText = (sample: Sample): string => new TextDecoder().decode(sampleBytes(sample));
export const expectedOf = (sample: Sample): Expected =>
	JSON.parse(readFileSync(`${FOLDER}/${sample}.expected.json`, "utf8"));

/** A stream of bytes, split at the given positions. */
export function streamOf(bytes: Uint8Array, cuts: readonly number[] = []) {
	const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.byteLength];
	const parts = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
	return new ReadableStream<Uint8Array>({
		start(controller) {
			for (const part of parts) if (part.byteLength > 0) controller.enqueue(part);
			controller.close();
		},
	});
}

export type Read = {
	readonly reading: StatementReading;
	readonly events: readonly StatementEvent[];
	readonly lines: readonly StatementLine[];
	readonly leftOut: readonly LeftOutRow[];
	readonly money: readonly MoneyRow[];
	readonly end: StatementEnd | undefined;
};

/** Reads a file to its end. */
export async function read(content: string | Uint8Array, options: ReadOptions): Promise<Read> {
	const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
	const reading = await readStatement(streamOf(bytes), options);
	const events: StatementEvent[] = [];
	if (reading.kind === "statement") for await (const event of reading.events) events.push(event);
	return {
		reading,
		events,
		lines: events.filter((event) => event.kind === "line"),
		leftOut: events.filter((event) => event.kind === "left-out"),
		money: events.filter((event) => event.kind === "money"),
		end: events.find((event) => event.kind === "end"),
	};
}

const byPlace = (a: { sortKey: string }, b: { sortKey: string }) =>
	a.sortKey < b.sortKey ? -1 : 1;

type Sum = {
	readonly platformId: string;
	readonly name: string;
	readonly date: CalendarDate | null;
	readonly category: FeeCategory;
	readonly cents: number;
};

/** What an import would add up, which must be the same. */
function expectSameSums(lines: Read["lines"], found: readonly Sum[]): void {
	const shipped = new FeeSums();
	for (const { platformId, name, date, category, cents } of lines) {
		const identity = identityOf({ platformId, name });
		shipped.add({
			...{ platformId, name, identity, driver: undefined, state: "no-driver" },
			...{ date, category, cents },
		});
	}
	const { fees, netted } = shipped.split();
	const listed = (sums: readonly Sum[]) =>
		sums
			.map(({ platformId, name, date, category, cents }) =>
				JSON.stringify([platformId, name, date, category, cents]),
			)
			.sort();
	expect(listed([...fees, ...netted])).toEqual(listed(found));
}

/** A file's result, in the form and order of the expected results. */
export function summarize({ lines, leftOut }: Read, { withRows = true } = {}) {
	const { fees, netted } = sumFees(lines);
	expectSameSums(lines, [...fees, ...netted]);
	const shown = (list: typeof fees) =>
		list
			.map(({ platformId, name, date, category, cents, isCredit, rows }) => ({
				sortKey: [date, category, platformId, name].join("|"),
				platformId,
				name,
				date,
				category,
				cents,
				isCredit,
				...(withRows ? { rows: [...rows] } : {}),
			}))
			.sort(byPlace);
	const reasons = new Map<string, { rows: number[]; cents: number }>();
	for (const { reason, row, cents } of leftOut) {
		const entry = reasons.get(reason) ?? { rows: [], cents: 0 };
		entry.rows.push(row);
		entry.cents += cents ?? 0;
		reasons.set(reason, entry);
	}
	return {
		fees: shown(fees),
		netted: shown(netted),
		leftOut: [...reasons]
			.map(([reason, { rows, cents }]) => ({
				sortKey: reason,
				cents,
				...(withRows ? { rows } : { count: rows.length }),
			}))
			.sort(byPlace),
	};
}

/** The expected results, in the form of `summarize`. */
export function expectedSummary(expected: Expected, { withRows = true } = {}) {
	const shown = (list: readonly ExpectedFee[]) =>
		list
			.map(({ platformId, name, date, category, cents, isCredit = false, rows }) => ({
				sortKey: [date, category, platformId, name].join("|"),
				platformId,
				name,
				date,
				category,
				cents,
				isCredit,
				...(withRows ? { rows: [...rows] } : {}),
			}))
			.sort(byPlace);
	return {
		fees: shown(expected.fees),
		netted: shown(expected.nettedToZero),
		leftOut: expected.leftOut
			.map(({ reason, rows, cents }) => ({
				sortKey: reason,
				cents,
				...(withRows ? { rows: [...rows] } : { count: rows.length }),
			}))
			.sort(byPlace),
	};
}
