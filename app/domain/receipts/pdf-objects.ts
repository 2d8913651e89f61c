/**
 * Reads the objects that a PDF is made of, at a position in its bytes (ISO 32000-2, 7.3). As lenient
 * as readers are: what can't be read is null.
 */
import { textAt } from "./bytes.ts";

/** A name such as `/Type`, without its slash. */
export class PdfName {
	constructor(readonly text: string) {}
}
/** A reference such as `3 0 R`. */
export class PdfRef {
	constructor(readonly number: number) {}
}
export type PdfDict = ReadonlyMap<string, PdfValue>;
/** A dictionary with the position of the bytes that belong to it. */
export class PdfStream {
	constructor(
		readonly dict: PdfDict,
		readonly start: number,
	) {}
}
/** A string is its bytes. */
export type PdfValue =
	| null
	| boolean
	| number
	| PdfName
	| PdfRef
	| Uint8Array
	| readonly PdfValue[]
	| PdfDict
	| PdfStream;

export const isDict = (value: PdfValue | undefined): value is PdfDict => value instanceof Map;

/** More work than a genuine file needs: it can't be judged. */
export class TooMuchWorkError extends Error {
	override name = "TooMuchWork";
}

/** What may be read of one file: hostile ones would take forever otherwise. */
export class Allowance {
	private readonly left = {
		tokens: 500_000,
		inflatedBytes: 8 * 1024 * 1024,
		scannedBytes: 64 * 1024 * 1024,
	};

	/** @throws TooMuchWorkError */
	use(kind: keyof Allowance["left"], amount: number): void {
		this.left[kind] -= amount;
		if (this.left[kind] < 0) throw new TooMuchWorkError(`too many ${kind}`);
	}
}

const MAX_DEPTH = 64;
const WHITE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const DELIMITERS = new Set([..."()<>[]{}/%"].map((each) => each.charCodeAt(0)));
/**
 * A number as readers accept it: with several signs, or with something after a minus. Each character
 * can be read one way only, so that digits before something else aren't tried in every split.
 */
const NUMBER = /^[+-]*(?:(?:\d+(?:\.\d*)?|\.\d*)(?:-+\d*)?)?$/;
/** A word outside of names and strings, such as `obj`, or a bracket. */
class Word {
	constructor(readonly text: string) {}
}
type Token = Word | Exclude<PdfValue, null | boolean | PdfRef | PdfStream>;

/** Whether a byte is white space between objects. */
export const isWhite = (byte: number | undefined) => byte !== undefined && WHITE.has(byte);
const isOctal = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x37;
/** What a letter after a backslash stands for, by its byte: n, r, t, b and f. */
const CONTROLS = new Map([
	[0x6e, 0x0a],
	[0x72, 0x0d],
	[0x74, 0x09],
	[0x62, 0x08],
	[0x66, 0x0c],
]);
const isRegular = (byte: number | undefined) =>
	byte !== undefined && !WHITE.has(byte) && !DELIMITERS.has(byte);

export class ObjectReader {
	constructor(
		readonly bytes: Uint8Array,
		private readonly allowance: Allowance,
		public at = 0,
	) {}

	/** The next value; undefined at the end, or where no value starts. */
	value(depth = 0): PdfValue | undefined {
		const token = this.token();
		if (!(token instanceof Word)) return typeof token === "number" ? this.reference(token) : token;
		switch (token.text) {
			case "[":
				return depth < MAX_DEPTH ? this.list("]", depth) : undefined;
			case "<<":
				return depth < MAX_DEPTH ? dictOf(this.list(">>", depth)) : undefined;
			case "true":
				return true;
			case "false":
				return false;
			case "null":
				return null;
			default:
				return undefined;
		}
	}

	/** The object that starts here, `3 0 obj`, with its number. */
	object(): { readonly number: number; readonly value: PdfValue } | undefined {
		const [number, generation, word] = [this.token(), this.token(), this.token()];
		if (typeof number !== "number" || typeof generation !== "number") return undefined;
		if (!(word instanceof Word) || word.text !== "obj") return undefined;
		const value = this.value() ?? null;
		if (!isDict(value)) return { number, value };
		const after = this.at;
		const next = this.token();
		if (!(next instanceof Word) || next.text !== "stream") {
			this.at = after;
			return { number, value };
		}
		// A line end follows the word, in some files a carriage return alone.
		if (this.bytes[this.at] === 0x0d) this.at += 1;
		if (this.bytes[this.at] === 0x0a) this.at += 1;
		return { number, value: new PdfStream(value, this.at) };
	}

	/** Whether this word comes next; it is read only if it does. */
	word(text: string): boolean {
		const before = this.at;
		const token = this.token();
		if (token instanceof Word && token.text === text) return true;
		this.at = before;
		return false;
	}

	/** A number, or the reference that starts with it. */
	private reference(number: number): PdfValue {
		const after = this.at;
		if (Number.isInteger(number) && number >= 0 && typeof this.token() === "number") {
			const word = this.token();
			if (word instanceof Word && word.text === "R") return new PdfRef(number);
		}
		this.at = after;
		return number;
	}

	/** Values up to the closing bracket, or a word that isn't a value. */
	private list(end: string, depth: number): PdfValue[] {
		const values: PdfValue[] = [];
		while (!this.word(end)) {
			const value = this.value(depth + 1);
			if (value === undefined) break;
			values.push(value);
		}
		return values;
	}

	private token(): Token | undefined {
		this.allowance.use("tokens", 1);
		this.skipWhite();
		const { bytes } = this;
		const byte = bytes[this.at];
		if (byte === undefined) return undefined;
		if (!DELIMITERS.has(byte)) return this.numberOrWord();
		const first = String.fromCharCode(byte);
		const isPair = (first === "<" || first === ">") && bytes[this.at + 1] === byte;
		this.at += isPair ? 2 : 1;
		if (isPair) return new Word(first + first);
		if (first === "/") return new PdfName(nameOf(this.regular()));
		if (first === "(") return this.literal();
		return first === "<" ? this.hexadecimal() : new Word(first);
	}

	private numberOrWord(): Token {
		// Most are whole numbers, in tables of many thousands.
		const start = this.at;
		let number = 0;
		for (let digit = this.digit(); digit !== undefined && this.at - start < 15; ) {
			number = number * 10 + digit;
			this.at += 1;
			digit = this.digit();
		}
		if (this.at > start && !isRegular(this.bytes[this.at])) return number;
		this.at = start;
		const text = this.regular();
		return NUMBER.test(text) ? Number.parseFloat(text) || 0 : new Word(text);
	}

	private digit(): number | undefined {
		const byte = this.bytes[this.at] ?? 0;
		return byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : undefined;
	}

	private skipWhite(): void {
		const { bytes } = this;
		const start = this.at;
		for (;;) {
			while (isWhite(bytes[this.at])) this.at += 1;
			if (bytes[this.at] !== 0x25) break;
			while (this.at < bytes.length && bytes[this.at] !== 0x0a && bytes[this.at] !== 0x0d)
				this.at += 1;
		}
		this.allowance.use("scannedBytes", this.at - start);
	}

	/** Characters up to the next white space or bracket, cut if longer than any name. */
	private regular(): string {
		const start = this.at;
		while (isRegular(this.bytes[this.at])) this.at += 1;
		this.allowance.use("scannedBytes", this.at - start);
		return textAt(this.bytes, start, Math.min(this.at, start + 256));
	}

	private literal(): Uint8Array {
		const { bytes } = this;
		const start = this.at;
		const read: number[] = [];
		for (let open = 1; this.at < bytes.length; ) {
			let byte = bytes[this.at++] ?? 0;
			if (byte === 0x28) open += 1;
			if (byte === 0x29 && --open === 0) break;
			if (byte === 0x5c) {
				const escaped = this.escaped();
				if (escaped === undefined) continue;
				byte = escaped;
			} else if (byte === 0x0d) {
				if (bytes[this.at] === 0x0a) this.at += 1;
				byte = 0x0a;
			}
			// Strings that matter here are short.
			if (read.length < 1024) read.push(byte);
		}
		this.allowance.use("scannedBytes", this.at - start);
		return Uint8Array.from(read);
	}

	/** The byte after a backslash; undefined if the line continues. */
	private escaped(): number | undefined {
		const { bytes } = this;
		const byte = bytes[this.at] ?? 0;
		if (isOctal(byte)) {
			let read = 0;
			for (let digits = 0; digits < 3 && isOctal(bytes[this.at]); digits++)
				read = read * 8 + (bytes[this.at++] ?? 0) - 0x30;
			return read & 0xff;
		}
		this.at += 1;
		if (byte === 0x0d && bytes[this.at] === 0x0a) this.at += 1;
		if (byte === 0x0a || byte === 0x0d) return undefined;
		return CONTROLS.get(byte) ?? byte;
	}

	private hexadecimal(): Uint8Array {
		const { bytes } = this;
		const start = this.at;
		let digits = "";
		while (this.at < bytes.length && bytes[this.at] !== 0x3e) {
			const digit = String.fromCharCode(bytes[this.at++] ?? 0);
			if (digits.length < 2048 && /[\da-f]/i.test(digit)) digits += digit;
		}
		this.at += 1;
		this.allowance.use("scannedBytes", this.at - start);
		return Uint8Array.from(digits.match(/..?/g) ?? [], (pair) =>
			Number.parseInt(pair.padEnd(2, "0"), 16),
		);
	}
}

const nameOf = (text: string) =>
	text.replace(/#([\da-f]{2})/gi, (_, digits: string) =>
		String.fromCharCode(Number.parseInt(digits, 16)),
	);

/** Names and values in turn; what isn't named is left out. */
function dictOf(values: readonly PdfValue[]): PdfDict {
	const dict = new Map<string, PdfValue>();
	for (let at = 0; at < values.length; at++) {
		const key = values[at];
		const value = values[at + 1];
		if (!(key instanceof PdfName) || value === undefined) continue;
		dict.set(key.text, value);
		at += 1;
	}
	return dict;
}
