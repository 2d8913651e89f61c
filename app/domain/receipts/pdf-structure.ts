/**
 * Finds a PDF's objects: by its cross-reference tables (ISO 32000-2, 7.5) or, if they are damaged
 * or missing, by scanning for every object, as readers do.
 */
import { hasTag, textAt } from "./bytes.ts";
import {
	type Allowance,
	isDict,
	isWhite,
	ObjectReader,
	type PdfDict,
	PdfName,
	PdfRef,
	PdfStream,
	type PdfValue,
} from "./pdf-objects.ts";
import { readStream } from "./pdf-streams.ts";

/** Where an object is: at a position of the file, or in a stream of objects. */
type Place = { readonly at: number } | { readonly inside: number };
type Places = Map<number, Place>;

const MAX_TABLES = 1000;
/** How far from the end the position of the last table may be, in bytes. */
const END_BYTES = 2048;

const nameIn = (dict: PdfDict, key: string) => {
	const value = dict.get(key);
	return value instanceof PdfName ? value.text : undefined;
};

export class PdfStructure {
	/** What the newest tables say of the whole file, newest first. */
	trailers: PdfDict[] = [];
	/** Whether the objects were scanned for, because the tables are useless. */
	isRecovered = false;
	private places: Places = new Map();
	private readonly read = new Map<number, PdfValue>();
	private readonly inStreams = new Map<number, ReadonlyMap<number, PdfValue>>();
	private readonly opening = new Set<number>();

	constructor(
		private readonly bytes: Uint8Array,
		private readonly allowance: Allowance,
	) {
		this.readTables();
	}

	/** The value, or what it refers to; null if there is no such object. */
	readonly resolve = (value: PdfValue | undefined): PdfValue => {
		let current = value ?? null;
		for (let hops = 0; current instanceof PdfRef; hops++) {
			if (hops > 16) return null;
			current = this.find(current.number);
		}
		return current;
	};

	/** The dictionary that the value is or refers to. */
	dict(value: PdfValue | undefined): PdfDict | undefined {
		const found = this.resolve(value);
		if (found instanceof PdfStream) return found.dict;
		return isDict(found) ? found : undefined;
	}

	/** Every object found, for a last look at a damaged file. */
	*everything(): Generator<PdfValue> {
		for (const number of this.places.keys()) yield this.find(number);
	}

	private reader(at: number): ObjectReader {
		return new ObjectReader(this.bytes, this.allowance, at);
	}

	private find(number: number): PdfValue {
		this.allowance.use("tokens", 1);
		const place = this.places.get(number);
		if (place === undefined) return null;
		if ("inside" in place) return this.contents(place.inside).get(number) ?? null;
		const known = this.read.get(number);
		if (known !== undefined) return known;
		const object = this.reader(place.at).object();
		if (object?.number === number) {
			this.read.set(number, object.value);
			return object.value;
		}
		if (this.isRecovered) return null;
		this.recover();
		return this.find(number);
	}

	/** The objects in a stream of objects, which can't be in another one. */
	private contents(stream: number): ReadonlyMap<number, PdfValue> {
		const known = this.inStreams.get(stream);
		if (known) return known;
		const objects = new Map<number, PdfValue>();
		if (this.opening.has(stream)) return objects;
		this.opening.add(stream);
		const holder = this.find(stream);
		if (holder instanceof PdfStream) this.unpack(holder, objects);
		this.opening.delete(stream);
		this.inStreams.set(stream, objects);
		return objects;
	}

	private unpack(holder: PdfStream, objects: Map<number, PdfValue>): void {
		const [count, first] = [holder.dict.get("N"), holder.dict.get("First")].map(this.resolve);
		if (typeof count !== "number" || typeof first !== "number") return;
		const content = readStream(this.bytes, holder, this.resolve, this.allowance);
		const index = new ObjectReader(content, this.allowance);
		for (let read = 0; read < count; read++) {
			const [number, offset] = [index.value(), index.value()];
			if (typeof number !== "number" || typeof offset !== "number") break;
			const value = new ObjectReader(content, this.allowance, first + offset).value();
			if (value !== undefined) objects.set(number, value);
		}
	}

	private readTables(): void {
		const end = textAt(
			this.bytes,
			Math.max(0, this.bytes.length - 2 * END_BYTES),
			this.bytes.length,
		);
		const last = [...end.matchAll(/startxref\s*(\d+)/g)].at(-1)?.[1];
		const queue = last === undefined ? [] : [Number(last)];
		const seen = new Set<number>();
		for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
			if (seen.has(at) || seen.size >= MAX_TABLES) continue;
			seen.add(at);
			const dict = this.readTable(at);
			if (!dict) break;
			this.trailers.push(dict);
			// A file for old and new readers has a second table beside the first one.
			for (const key of ["XRefStm", "Prev"]) {
				const next = dict.get(key);
				if (typeof next === "number") queue.push(next);
			}
		}
	}

	/** Notes the positions in one table, unless a newer one has them; returns its dictionary. */
	private readTable(at: number): PdfDict | undefined {
		const reader = this.reader(at);
		if (!reader.word("xref")) return this.readTableStream(at);
		while (!reader.word("trailer")) {
			const [start, count] = [reader.value(), reader.value()];
			if (typeof start !== "number" || typeof count !== "number") return undefined;
			for (let number = start; number < start + count; number++) {
				const [offset, generation] = [reader.value(), reader.value()];
				const isUsed = reader.word("n");
				if (!(isUsed || reader.word("f"))) return undefined;
				if (typeof offset !== "number" || typeof generation !== "number") return undefined;
				// What is free here may be in the second table of a hybrid file.
				if (isUsed) this.note(number, { at: offset });
			}
		}
		const dict = reader.value();
		return isDict(dict) ? dict : undefined;
	}

	private readTableStream(at: number): PdfDict | undefined {
		const stream = this.reader(at).object()?.value;
		if (!(stream instanceof PdfStream) || nameIn(stream.dict, "Type") !== "XRef") return undefined;
		const widths = this.resolve(stream.dict.get("W"));
		if (!Array.isArray(widths)) return undefined;
		const [kindWidth = 0, placeWidth = 0, indexWidth = 0] = widths.map((width) =>
			typeof width === "number" && width >= 0 && width <= 8 ? width : 0,
		);
		const content = readStream(this.bytes, stream, this.resolve, this.allowance);
		const index = this.resolve(stream.dict.get("Index"));
		const ranges = Array.isArray(index) ? index : [0, stream.dict.get("Size") ?? 0];
		const row = kindWidth + placeWidth + indexWidth;
		for (let range = 0, from = 0; range + 1 < ranges.length; range += 2) {
			const [start, count] = [ranges[range], ranges[range + 1]];
			if (typeof start !== "number" || typeof count !== "number") break;
			for (let number = start; number < start + count; number++, from += row) {
				if (row === 0 || from + row > content.length) break;
				const kind = kindWidth === 0 ? 1 : numberAt(content, from, kindWidth);
				const place = numberAt(content, from + kindWidth, placeWidth);
				if (kind === 1) this.note(number, { at: place });
				else if (kind === 2) this.note(number, { inside: place });
			}
		}
		return stream.dict;
	}

	private note(number: number, place: Place): void {
		this.allowance.use("tokens", 1);
		if (!this.places.has(number)) this.places.set(number, place);
	}

	/** Scans for every object; of two with one number the later counts. */
	recover(): void {
		if (this.isRecovered) return;
		this.isRecovered = true;
		const { bytes } = this;
		this.places = new Map();
		this.inStreams.clear();
		this.read.clear();
		const trailers: PdfDict[] = [];
		this.allowance.use("scannedBytes", bytes.length);
		for (let at = 0; at < bytes.length; at++) {
			// By first letters, since comparing the words at each position would take long.
			if (bytes[at] === 0x6f && hasTag(bytes, at, "obj")) {
				const start = startOfObject(bytes, at);
				if (start !== undefined) this.places.set(start.number, { at: start.at });
			} else if (bytes[at] === 0x74 && hasTag(bytes, at, "trailer")) {
				const dict = this.reader(at + 7).value();
				if (isDict(dict)) trailers.push(dict);
			}
		}
		const found = [...this.places];
		for (const [number] of found) {
			const value = this.find(number);
			if (!(value instanceof PdfStream)) continue;
			const type = nameIn(value.dict, "Type");
			if (type === "XRef") trailers.push(value.dict);
			if (type !== "ObjStm") continue;
			for (const inner of this.contents(number).keys()) this.note(inner, { inside: number });
		}
		this.trailers = trailers.reverse();
	}
}

/** The number and position of the object whose `obj` is here: `3 0 obj`. */
function startOfObject(
	bytes: Uint8Array,
	word: number,
): { readonly number: number; readonly at: number } | undefined {
	const before = (at: number, isWanted: (byte: number) => boolean) => {
		let start = at;
		while (start > 0 && at - start < 20 && isWanted(bytes[start - 1] ?? 0)) start -= 1;
		return start;
	};
	const generation = before(before(word, isWhite), isDigit);
	const blank = before(generation, isWhite);
	const at = before(blank, isDigit);
	const isObject = at < blank && blank < generation && isDigit(bytes[generation] ?? 0);
	return isObject ? { number: Number(textAt(bytes, at, blank)), at } : undefined;
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

function numberAt(bytes: Uint8Array, at: number, width: number): number {
	let number = 0;
	for (let offset = 0; offset < width; offset++) number = number * 256 + (bytes[at + offset] ?? 0);
	return number;
}
