/**
 * Reading an uploaded file: what it holds goes into the file store again, without a cell that no fee
 * needs, and the file itself goes as soon as it was read to its end.
 */
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { formatEvent, parseEvent, type ReadEvent } from "./event-lines.ts";
import { fileKey, ObjectWriter, readingKey } from "./object-writer.server.ts";
import type {
	RecognizedStatement,
	StatementEnd,
	StatementPeriod,
	UnknownColumn,
} from "./statement.ts";

/** What is known of a statement besides its lines. */
export type StatementFacts = Omit<RecognizedStatement, "kind" | "needs"> & {
	/** The file's name has no period: a person says it. */
	readonly isPeriodAsked: boolean;
	readonly rows: number;
	readonly unknownColumns: readonly UnknownColumn[];
	/** Its drivers have ids; without any they are known by name. */
	readonly hasIds: boolean;
};

export type ReadRefusal =
	/** Not a fee statement, or one that can't be read; the message says which file to download. */
	| Refused<"not-a-statement", { readonly message: string }>
	/** No platform's header fits: its columns can be chosen. */
	| Refused<"unknown-file", { readonly reason: string }>
	| Refused<"expired">;

/** Bytes of the reading that are written at once. */
const PIECE = 64 * 1024;

/**
 * Reads a file that waits in the store and keeps what was read of it.
 * @param period the answer of a person, where the file's name has none
 */
export async function readFile(
	bucket: R2Bucket,
	id: string,
	fileName: string,
	period: StatementPeriod | undefined,
): Promise<Outcome<StatementFacts, ReadRefusal>> {
	const object = await bucket.get(fileKey(id));
	if (!object) return refused("expired");
	// Loaded when a statement is read, not when the Worker starts.
	const { readStatement } = await import("./read.ts");
	const reading = await readStatement(object.body as ReadableStream<Uint8Array>, {
		fileName,
		period,
	});
	if (reading.kind === "refused") return refused("not-a-statement", { message: reading.message });
	if (reading.kind === "unknown") return refused("unknown-file", { reason: reading.reason });
	const writer = new ObjectWriter(bucket, readingKey(id));
	const encoder = new TextEncoder();
	let piece = "";
	let end: StatementEnd | undefined;
	let hasIds = false;
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
			if (event.kind === "line" && event.platformId !== "") hasIds = true;
			piece += `${formatEvent(event)}\n`;
			if (piece.length > PIECE) await flush();
		}
	}
	await flush();
	await writer.finish();
	// A file whose period is answered by a person is read again with every answer.
	const isPeriodAsked = reading.isByPeriod && (period !== undefined || !reading.period);
	if (!isPeriodAsked) await bucket.delete(fileKey(id));
	const { format, platform, isByPeriod, currency, feeColumns, notFeeColumns, isAllCommission } =
		reading;
	return done({
		...{ format, platform, isByPeriod, currency, feeColumns, notFeeColumns, isAllCommission },
		period: reading.period,
		isPeriodAsked,
		rows: end?.rows ?? 0,
		unknownColumns: end?.unknownColumns ?? [],
		hasIds,
	});
}

/** What was read of a file, in the order of its rows; nothing once it is gone. */
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
