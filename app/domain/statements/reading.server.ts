/**
 * Parses an uploaded file: the result goes into the file store again, without any cell that fees
 * don't need, and the file itself is deleted once it has been read to its end.
 */
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { contradictionText } from "./date-orders.ts";
import { type DateOrders, USUAL_ORDERS } from "./day.ts";
import { formatEvent, parseEvent, type ReadEvent } from "./event-lines.ts";
import { foldDriver } from "./heading.ts";
import { fileKey, ObjectWriter, readingKey } from "./object-writer.server.ts";
import type { ReadOptions, RecognizedStatement, StatementEnd, UnknownColumn } from "./statement.ts";

/** The facts about a statement, without its lines. */
export type StatementFacts = Omit<RecognizedStatement, "kind" | "needs"> & {
	/** If nothing tells whether the day or the month comes first: the months that were read. */
	readonly months?: readonly string[];
	/** Whether the file's name lacks a period, so that a person has to say it. */
	readonly isPeriodAsked: boolean;
	readonly rows: number;
	readonly unknownColumns: readonly UnknownColumn[];
	/** Whether any of its rows has a driver's id; otherwise drivers are known by name. */
	readonly hasIds: boolean;
	/** The folded names of rows without an id, in a file whose other rows have ids. */
	readonly namesWithoutId?: readonly string[];
};

export type ReadRefusal =
	/** Not a fee statement, or one that can't be read; the message says which file to download. */
	| Refused<"not-a-statement", { readonly message: string }>
	/** Neither a platform's statement nor a table. */
	| Refused<"unknown-file", { readonly reason: string }>
	| Refused<"expired">;

/** How many bytes of the result are written at once. */
const PIECE = 64 * 1024;

/**
 * Parses a file in the store and keeps the result. If its dates turn out to be in an unusual order,
 * it is parsed once more.
 */
export async function readFile(
	bucket: R2Bucket,
	id: string,
	options: ReadOptions,
): Promise<Outcome<StatementFacts, ReadRefusal>> {
	const object = await bucket.get(fileKey(id));
	if (!object) return refused("expired");
	// Loaded when a statement is read, not when the Worker starts.
	const { readStatement } = await import("./read.ts");
	const reading = await readStatement(object.body as ReadableStream<Uint8Array>, options);
	if (reading.kind === "refused") return refused("not-a-statement", { message: reading.message });
	if (reading.kind === "unknown") return refused("unknown-file", { reason: reading.reason });
	const writer = new ObjectWriter(bucket, readingKey(id));
	const encoder = new TextEncoder();
	let piece = "";
	let end: StatementEnd | undefined;
	let hasIds = false;
	const namesWithoutId = new Set<string>();
	const flush = async () => {
		await writer.write(encoder.encode(piece));
		piece = "";
	};
	for await (const event of reading.events) {
		if (event.kind === "broken") {
			await writer.abort();
			return refused("not-a-statement", { message: event.message });
		}
		if (event.kind === "end") end = event;
		else {
			const whose = whoseIs(event);
			if (whose?.platformId) hasIds = true;
			else if (whose) namesWithoutId.add(foldDriver(whose.name));
			piece += `${formatEvent(event)}\n`;
			if (piece.length > PIECE) await flush();
		}
	}
	const dates = end?.dates;
	if (dates?.kind === "contradiction") {
		await writer.abort();
		return refused("not-a-statement", { message: contradictionText(dates.cells) });
	}
	if (dates && !options.orders && !isSameOrder(dates.orders, USUAL_ORDERS)) {
		await writer.abort();
		return readFile(bucket, id, { ...options, orders: dates.orders });
	}
	await flush();
	await writer.finish();
	// A file whose period or columns are answered by a person is parsed again with every answer.
	const { format, platform, isByPeriod, period: named, columns } = reading;
	const isPeriodAsked = isByPeriod && (options.period !== undefined || !named);
	if (!isPeriodAsked && !columns) await bucket.delete(fileKey(id));
	const { currency, feeColumns, notFeeColumns, isAllCommission } = end ?? reading;
	return done({
		...{ format, platform, isByPeriod, currency, feeColumns, notFeeColumns, isAllCommission },
		...(columns ? { columns } : {}),
		...(dates?.isUndecided ? { months: dates.months } : {}),
		period: named,
		isPeriodAsked,
		rows: end?.rows ?? 0,
		unknownColumns: end?.unknownColumns ?? [],
		hasIds,
		...(hasIds && namesWithoutId.size > 0 ? { namesWithoutId: [...namesWithoutId] } : {}),
	});
}

/** A row's driver, even one with only money or a zero fee. */
function whoseIs(event: ReadEvent) {
	if (event.kind === "left-out") return undefined;
	return event.kind === "money" ? event.whose : event;
}

const isSameOrder = (one: DateOrders, other: DateOrders) =>
	JSON.stringify(one) === JSON.stringify(other);

/** The parsed lines of a file, in the order of its rows; nothing once they are gone. */
export async function* readEvents(bucket: R2Bucket, id: string): AsyncGenerator<ReadEvent> {
	const object = await bucket.get(readingKey(id));
	if (!object) return;
	let rest = "";
	const decoder = new TextDecoder();
	const reader = (object.body as ReadableStream<Uint8Array>).getReader();
	for (;;) {
		const { value, done: isDone } = await reader.read();
		if (isDone) return;
		const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) yield parseEvent(line);
	}
}
